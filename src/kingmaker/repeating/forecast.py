"""How many blocks are missing until an open claim would be decided, by what was found so far and what is printed.

A comparison is decided as soon as the difference that it found is larger than an error that becomes smaller with every
block. So the difference and how much the blocks vary tell how many blocks that takes. Few blocks tell little of either,
so a difference that the source prints counts as some blocks more: otherwise a table whose first two blocks happen to be
equal would seem hopeless. The guess is made again whenever more was played. It only says where to play on; verdicts
are made from our own blocks alone.
"""

import math
from dataclasses import dataclass

import numpy as np

from kingmaker.arena.results.standings import Standing, Standings
from kingmaker.repeating.paper import Claim, Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import (
    CLEAR,
    OPEN,
    Judged,
    bounds,
    comparisons,
    differences,
    found_row,
    judge_claims,
    planned,
    to_fail,
    usual,
)
from kingmaker.stats.sequential import look_level

MOST = 1 << 20  # blocks; a claim that needs more is not going to be decided
PRINTED = 8.0  # a printed difference counts as much as so many blocks of ours


@dataclass(frozen=True)
class Difference:
    """What was found for one comparison: its size, above 0 if it is as claimed, and how much single blocks vary."""

    size: float
    spread: float


def missing(part: Part, claim: Claim, found: Standings | Found) -> float:
    """How many more blocks an open claim needs to hold, or to fail if some comparison is the other way round.

    It is infinite where there is no difference, or none that can be measured.
    """
    found_out = [between(part, *pair, claim.column, found) for pair in comparisons(part, claim)]
    found_out += [from_bound(part, *bound, claim.column, found) for bound in bounds(claim)]
    against = [enough(each, planned(part), to_fail(part, claim)) for each in found_out if each.size < 0]
    needs = [enough(each, planned(part), CLEAR) for each in found_out]
    total = min(against) if against else max(needs, default=math.inf)
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
        return believed(over_blocks(by_block), len(by_block), printed_difference(part, first, second, column, found))
    mine, theirs = around(part, first, column, found), around(part, second, column, found)
    return Difference(mine.size - theirs.size, math.hypot(mine.spread, theirs.spread))


def believed(ours: Difference, blocks: int, printed: Difference | None) -> Difference:
    """What is expected of a comparison: nearly what is printed at first, and what we found when much was played."""
    if printed is None:
        return ours
    weight = blocks / (blocks + PRINTED) if blocks > 1 else 0.0
    variance = weight * ours.spread**2 + (1 - weight) * printed.spread**2
    return Difference(weight * ours.size + (1 - weight) * printed.size, math.sqrt(variance))


def printed_difference(part: Part, first: str, second: str, column: str, found: Standings | Found) -> Difference | None:
    """The difference that the source prints for two rows, and how much blocks of independent matches would vary.

    None where one of the two numbers is not printed. Of two agents at one table at most one wins, so the difference of
    a match is 1, -1 or 0, and its variance follows from the two rates.
    """
    if isinstance(found, Found):
        return None
    rows = [found_row(part, label, found) for label in (first, second)]
    rates = [printed_rate(part, label, column, row, found) for label, row in zip((first, second), rows, strict=True)]
    one, other = rates
    if one is None or other is None:
        return None
    games = min(row.games for row in rows if row is not None) / found.blocks
    return Difference(one - other, math.sqrt(max(0.0, one + other - (one - other) ** 2) / games))


def printed_rate(part: Part, label: str, column: str, row: Standing | None, found: Standings) -> float | None:
    """A printed number as a rate of the matches of its row; None if there is none, or nothing was played."""
    printed = [cell.printed for cell in part.table.cells if (cell.row, cell.column) == (label, column)]
    if row is None or not row.games or not printed or printed[0] is None:
        return None
    if column != "victory_points":
        return printed[0]
    points = sum(each.ties_rate * each.games for each in found.table if each.settings == row.settings)
    return min(1.0, printed[0] * points / row.games)


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
