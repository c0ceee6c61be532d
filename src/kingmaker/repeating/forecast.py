"""How many blocks are missing until an open claim would be decided, if what was found so far goes on like this.

A comparison is decided as soon as the difference that it found is larger than an error that becomes smaller with every
block. So the difference and how much the blocks vary tell how many blocks that takes. From few blocks this is a rough
guess; it is made again whenever more were played.
"""

import math
from dataclasses import dataclass

import numpy as np

from kingmaker.arena.results.standings import Standings
from kingmaker.repeating.paper import Claim, Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import (
    OPEN,
    Judged,
    allowed_error,
    bounds,
    comparisons,
    differences,
    judge_claims,
    planned,
    usual,
)
from kingmaker.stats.sequential import look_level

MOST = 1 << 20  # blocks; a claim that needs more is not going to be decided


@dataclass(frozen=True)
class Difference:
    """What was found for one comparison: its size, above 0 if it is as claimed, and how much single blocks vary."""

    size: float
    spread: float


def missing(part: Part, claim: Claim, found: Standings | Found) -> float:
    """How many more blocks an open claim needs to hold, or to fail if some comparison is the other way round.

    It is infinite where there is no difference, or none that can be measured.
    """
    alpha = allowed_error(part, claim)
    found_out = [between(part, *pair, claim.column, found) for pair in comparisons(part, claim)]
    found_out += [from_bound(part, *bound, claim.column, found) for bound in bounds(claim)]
    needs = [(each.size < 0, enough(each, planned(part), alpha)) for each in found_out]
    against = [blocks for contrary, blocks in needs if contrary]
    total = min(against) if against else max((blocks for _, blocks in needs), default=math.inf)
    return max(1.0, total - found.blocks)


def next_verdict(part: Part, found: Standings | Found) -> float:
    """How many more blocks a table needs until another one of its open claims is decided."""
    open_claims = [each.claim for each in judge_claims(part, found) if each.verdict == OPEN]
    return min((missing(part, claim, found) for claim in open_claims), default=math.inf)


def more_blocks(part: Part, judged: Judged, found: Standings | Found) -> int | None:
    """How many more blocks an open claim is expected to need; None if it is decided, or not going to be."""
    more = missing(part, judged.claim, found) if judged.verdict == OPEN else math.inf
    return None if math.isinf(more) else math.ceil(more)


def enough(difference: Difference, most_useful: float, alpha: float) -> float:
    """The fewest blocks after which a difference would be clear; `most_useful` as in `planned`."""
    few, many = 1, 2
    while not clear(difference, many, most_useful, alpha):
        few, many = many, 2 * many
        if many > MOST:
            return math.inf
    while many - few > 1:
        middle = (few + many) // 2
        if clear(difference, middle, most_useful, alpha):
            many = middle
        else:
            few = middle
    return many


def clear(difference: Difference, blocks: int, most_useful: float, alpha: float) -> bool:
    """Would a difference be clear after so many blocks? Equal blocks are judged by the sign test."""
    from scipy.special import stdtrit

    level = look_level(blocks, most_useful, alpha)
    if not difference.size:
        return False
    if not difference.spread:
        return bool(2 * 0.5**blocks < level)
    error = difference.spread / math.sqrt(blocks)
    return bool(abs(difference.size) > -float(stdtrit(blocks - 1, level / 2)) * error)


def between(part: Part, first: str, second: str, column: str, found: Standings | Found) -> Difference:
    """The difference of two rows: block by block where the blocks are known, and else as of independent samples."""
    by_block = differences(part, first, second, column, found)
    if by_block is not None:
        return over_blocks(by_block)
    mine, theirs = around(part, first, column, found), around(part, second, column, found)
    return Difference(mine.size - theirs.size, math.hypot(mine.spread, theirs.spread))


def from_bound(part: Part, label: str, bound: float, sign: int, column: str, found: Standings | Found) -> Difference:
    """The difference of a row and a number that it is said to be above (1) or below (-1)."""
    value = around(part, label, column, found)
    return Difference(sign * (value.size - bound), value.spread)


def around(part: Part, label: str, column: str, found: Standings | Found) -> Difference:
    """The value of a row, with the spread of single blocks that its interval stands for."""
    from scipy.special import stdtrit

    ours, low, high = usual(part, label, column, found) or (0.0, None, None)
    if low is None or high is None or found.blocks < 2:
        return Difference(ours, math.inf)
    half = (high - low) / 2
    return Difference(ours, half * math.sqrt(found.blocks) / float(stdtrit(found.blocks - 1, 0.975)))


def over_blocks(by_block: np.ndarray) -> Difference:
    """The mean of differences and their spread; from less than two of them nothing can be expected."""
    if len(by_block) < 2:
        return Difference(0.0, 0.0)
    return Difference(float(by_block.mean()), float(by_block.std(ddof=1)))
