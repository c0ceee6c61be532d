"""What our matches say of a printed number and of a claim: agreement, difference, or not enough matches yet.

Everything is decided by confidence intervals over blocks, never by means alone. A table may be looked at after any
number of blocks, and what is undecided is played on, so the intervals are those of a confidence sequence: wider than
usual, such that all looks together err with a probability of 5 %.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kingmaker.arena.results.standings import Pair, Standing, Standings
from kingmaker.repeating.paired import COLUMNS, Detailed
from kingmaker.repeating.paper import Cell, Claim, Part
from kingmaker.repeating.samples import Found
from kingmaker.stats.blocks import paired
from kingmaker.stats.sequential import look_level, widened

NARROW = 0.05  # half of the widest interval that can confirm a printed share
CLEAR = 0.05  # probability with which a verdict may be wrong, at all looks together
ROUNDING = 1e-9  # the end of an interval may be so much beside 0 or 1
CLAIM = 4  # an open claim gets so many times the time of an open number
EARLY, LEAST = 20, 10  # the intervals are best after this part of all starts, but not before so many blocks
Value = tuple[float, float | None, float | None]  # with the ends of its interval
HELD, FAILED, OPEN = "holds", "fails", "undecided"


@dataclass(frozen=True)
class Checked:
    """A printed number beside ours."""

    cell: Cell
    ours: float | None  # None: nothing was played
    low: float | None  # None: there is no interval for this column
    high: float | None
    verdict: str  # agrees, differs, undecided, or empty where nothing can be compared
    more: int  # blocks that are missing until a printed share could be confirmed


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict."""

    claim: Claim
    verdict: str


def found_row(part: Part, label: str, found: Standings) -> Standing | None:
    """The row of our table that a name of the source stands for."""
    row = part.row(label)
    for standing in found.table:
        if standing.agent == row.agent and all(standing.settings.get(key) == value for key, value in row.where.items()):
            return standing
    return None


def measured(row: Standing, column: str, table: list[Standing]) -> Value:
    """A column of a row with the ends of its interval; `table` holds all rows."""
    if column == "share":
        return row.share, *row.share_interval
    if column == "wins":
        return row.win_rate, *row.win_interval
    if column == "with_ties":
        return row.ties_rate, *row.ties_interval
    if column == "margin":
        return margin(row, table)
    if column == "victory_points":  # sole and shared wins, out of those of all agents and not of the agent's matches
        points = sum(each.ties_rate * each.games for each in table if each.settings == row.settings)
        part = row.games / points if points else 0.0
        return row.victory_points, row.ties_interval[0] * part, min(1.0, row.ties_interval[1] * part)
    return float(getattr(row, column)), None, None


def margin(row: Standing, table: list[Standing]) -> Value:
    """The win rate of a row less the best of the others at its table.

    Wins at one table exclude each other, so the errors of the two are added, which is wide enough in any case.
    """
    others = [each for each in table if each.settings == row.settings and each.agent != row.agent and each.games]
    best = max(others, key=lambda each: each.win_rate, default=None)
    if best is None:
        return row.win_rate, *row.win_interval
    low, high = row.win_interval[0] - best.win_interval[1], row.win_interval[1] - best.win_interval[0]
    return row.win_rate - best.win_rate, low, high


def planned(part: Part) -> float:
    """The number of blocks for which the intervals of a table are best; it must not depend on what was played."""
    return max(LEAST, part.starts * (part.experiment.repeats if part.samples is None else 1) / EARLY)


def at_any_look(value: Value, part: Part, blocks: int, alpha: float = CLEAR) -> Value:
    """A value with an interval that holds however often it is looked at; without one if there are too few blocks."""
    ours, low, high = value
    if low is None or high is None or blocks < 2:
        return ours, None, None
    times = widened(blocks, planned(part), alpha)
    return ours, ours - times * (ours - low), ours + times * (high - ours)


def bounded(value: Value, column: str) -> Value:
    """A value with its interval cut to what the column can be."""
    ours, low, high = value
    if low is None or high is None or column in ("payoff", "evaluations"):
        return value
    return ours, max(-1.0 if column == "margin" else 0.0, low), min(1.0, high)


def seen(part: Part, label: str, column: str, found: Standings | Found, alpha: float = CLEAR) -> Value | None:
    """What was found for a row of the source, with an interval that holds at any look; None if nothing was found."""
    value = usual(part, label, column, found)
    return None if value is None else bounded(at_any_look(value, part, found.blocks, alpha), column)


def usual(part: Part, label: str, column: str, found: Standings | Found) -> Value | None:
    """What was found for a row of the source, with the usual interval over blocks."""
    if isinstance(found, Found):
        part.row(label)
        return found.value(label) if found.blocks else None
    row = found_row(part, label, found)
    if row is None or not row.games:
        return None
    return measured(row, column, found.table)


def check_cells(part: Part, found: Standings | Found) -> list[Checked]:
    return [check_cell(cell, seen(part, cell.row, cell.column, found), found.blocks) for cell in part.table.cells]


def check_cell(cell: Cell, value: Value | None, blocks: int) -> Checked:
    """Does our interval agree with a printed number?"""
    shown = cell.column in ("depth", "nodes")  # without a verdict
    if value is None:
        return Checked(cell, None, None, None, "" if shown or cell.printed is None else OPEN, 0)
    ours, low, high = value
    if shown or cell.printed is None:
        return Checked(cell, ours, low, high, "", 0)
    if low is None or high is None:
        return Checked(cell, ours, low, high, OPEN, 0)
    printed_low = cell.printed if cell.low is None else cell.low
    printed_high = cell.printed if cell.high is None else cell.high
    half = (high - low) / 2
    if low > printed_high + ROUNDING or high < printed_low - ROUNDING:
        return Checked(cell, ours, low, high, "differs", 0)
    if half <= NARROW:
        return Checked(cell, ours, low, high, "agrees", 0)
    return Checked(cell, ours, low, high, OPEN, math.ceil(max(1, blocks) * ((half / NARROW) ** 2 - 1)))


def judge_claims(part: Part, found: Standings | Found) -> list[Judged]:
    return [Judged(claim, verdict_on(part, claim, found)) for claim in part.table.claims]


def verdict_on(part: Part, claim: Claim, found: Standings | Found) -> str:
    """A claim holds if every comparison that it makes is clear, and fails if one is clearly the other way round.

    A claim that does not hold is wrong in some comparison, and to be taken for true it would have to pass that one by
    chance, so several comparisons need no correction. Any of them may be reversed by chance, so to fail one has to be
    clearer the more there are (Bonferroni's correction).
    """
    if any(sign < 0 for sign in signs(part, claim, found, to_fail(part, claim))):
        return FAILED
    found_out = signs(part, claim, found, CLEAR)
    return HELD if found_out and all(sign > 0 for sign in found_out) else OPEN


def signs(part: Part, claim: Claim, found: Standings | Found, alpha: float) -> list[int]:
    """For each comparison of a claim: is it clearly as claimed (1), clearly the other way round (-1), or open (0)?"""
    pairs = [clearly(part, *pair, claim.column, found, alpha) for pair in comparisons(part, claim)]
    return pairs + [
        sign * beyond(seen(part, label, claim.column, found, alpha), each) for label, each, sign in bounds(claim)
    ]


def beyond(value: Value | None, bound: float) -> int:
    """Is a value clearly above (1) or below (-1) a number, or is it not decided (0)?"""
    _, low, high = value or (0.0, None, None)
    if low is None or high is None:
        return 0
    return 1 if low > bound else -1 if high < bound else 0


def comparisons(part: Part, claim: Claim) -> list[tuple[str, str]]:
    """The pairs of rows of which the first is said to be ahead of the second."""
    pairs = [(first, second) for chain in claim.ahead for first, second in pairwise(chain)]
    if claim.largest is not None:
        pairs += [(claim.largest, other) for other in part.named if other != claim.largest]
    if claim.smallest is not None:
        pairs += [(other, claim.smallest) for other in part.named if other != claim.smallest]
    return pairs


def bounds(claim: Claim) -> list[tuple[str, float, int]]:
    """The rows that are said to be above (1) or below (-1) a number."""
    above = [(label, each, 1) for label, each in claim.above.items()]
    return above + [(label, each, -1) for label, each in claim.below.items()]


def to_fail(part: Part, claim: Claim) -> float:
    """The probability with which each comparison may be found reversed by chance, by Bonferroni's correction."""
    return CLEAR / max(1, len(comparisons(part, claim)) + len(bounds(claim)))


def differences(part: Part, first: str, second: str, column: str, found: Standings | Found) -> np.ndarray | None:
    """The difference of two rows block by block; None where the blocks are not known or not the same."""
    if isinstance(found, Found):
        return found.differences(first, second)
    rate = "with_ties" if column == "victory_points" else column  # every one of the best seats has a victory point
    one, other = found_row(part, first, found), found_row(part, second, found)
    if one is None or other is None or not (isinstance(found, Detailed) and rate in COLUMNS):
        return None
    return found.differences(one, other, rate) if one.games and other.games else np.zeros(0)


def clearly(part: Part, first: str, second: str, column: str, found: Standings | Found, alpha: float = CLEAR) -> int:
    """Is the first row clearly ahead (1) or behind (-1) of the second, or is it not decided (0)?

    Rates are compared block by block. Where the blocks are not known, agents that meet at one table are compared by
    who came out ahead, with Holm's correction over all pairs, and other rows as independent samples. All looks together
    err with probability `alpha`.
    """
    level = look_level(found.blocks, planned(part), alpha)
    if isinstance(found, Found):
        return found.clearly(first, second, level) if found.blocks else 0
    one, other = found_row(part, first, found), found_row(part, second, found)
    if one is None or other is None or not (one.games and other.games):
        return 0
    by_block = differences(part, first, second, column, found)
    if by_block is not None:
        return 0 if paired(by_block) >= level else 1 if by_block.sum() > 0 else -1
    pair = meeting(one, other, found.pairs)
    if pair is not None and column in ("share", "victory_points"):
        ahead = pair.ahead if pair.first == one.agent else 1 - pair.ahead
        level = look_level(found.blocks, planned(part))
        return 0 if pair.chance >= level else 1 if ahead > 0.5 else -1
    mine, low, high = measured(one, column, found.table)
    theirs, their_low, their_high = measured(other, column, found.table)
    if low is None or high is None or their_low is None or their_high is None:
        return (mine > theirs) - (mine < theirs)  # a mean over very many moves
    error = widened(found.blocks, planned(part), alpha) * math.hypot(high - low, their_high - their_low) / 2
    return 0 if abs(mine - theirs) <= error else 1 if mine > theirs else -1


def meeting(one: Standing, other: Standing, pairs: list[Pair]) -> Pair | None:
    """The matches that two agents played at one table."""
    if one.settings != other.settings:
        return None
    for pair in pairs:
        if pair.settings == one.settings and {pair.first, pair.second} == {one.agent, other.agent}:
            return pair
    return None


def openness(part: Part, found: Standings | Found | None) -> int:
    """How much of a table is not decided yet: its open claims and numbers, at least 1 while nothing was played."""
    if found is None or not found.finished:
        return 1 + CLAIM * len(part.table.claims) + len(part.table.cells)
    claims = sum(each.verdict == OPEN for each in judge_claims(part, found))
    return CLAIM * claims + sum(each.verdict == OPEN for each in check_cells(part, found))
