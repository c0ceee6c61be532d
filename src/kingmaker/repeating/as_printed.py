"""Claims of which the source prints a clear difference, and whether ours is as large.

A run may leave a claim undecided because the difference is smaller here than in the source, or because too little was
played. Only the second is a fault of the run, so the two are told apart.
"""

import math
from dataclasses import dataclass

from kingmaker.arena.results.standings import Standings
from kingmaker.repeating.forecast import printed_difference
from kingmaker.repeating.paper import Claim, Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import ROUNDING, bounds, comparisons, usual

ERRORS = 2.0  # a printed difference is clear if it is larger than so many of its standard errors


def as_large_as_printed(part: Part, claim: Claim, found: Standings | Found) -> bool | None:
    """Are all differences of a claim at least as large as the source prints them? None if it prints no clear ones, or
    if the table is another reading of the source's own.
    """
    if part.table.like or not prints_clearly(part, claim, found):
        return None
    ahead = [
        (each_of(part, claim, first, found), each_of(part, claim, second, found))
        for first, second in comparisons(part, claim)
    ]
    beyond = [(each_of(part, claim, label, found), sign) for label, _, sign in bounds(claim)]
    return all(one.ours - other.ours >= one.printed - other.printed - ROUNDING for one, other in ahead) and all(
        sign * value.ours >= sign * value.printed - ROUNDING for value, sign in beyond
    )


def prints_clearly(part: Part, claim: Claim, found: Standings | Found) -> bool:
    """Does the source print numbers that make the claim, and would as many matches as it played tell them apart?"""
    if isinstance(found, Found) or not found.finished:
        return False
    for first, second in comparisons(part, claim):
        printed = printed_difference(part, first, second, claim.column, found)
        blocks = part.starts * part.experiment.repeats
        if printed is None or not printed.size > ERRORS * printed.spread / math.sqrt(blocks):
            return False
    return all(printed_value(part, label, claim.column) is not None for label, _, _ in bounds(claim))


@dataclass(frozen=True)
class Value:
    """A number of a row, ours and the source's."""

    ours: float
    printed: float


def each_of(part: Part, claim: Claim, label: str, found: Standings | Found) -> Value:
    ours, printed = usual(part, label, claim.column, found), printed_value(part, label, claim.column)
    return Value(math.nan if ours is None else ours[0], math.nan if printed is None else printed)


def printed_value(part: Part, label: str, column: str) -> float | None:
    return next((cell.printed for cell in part.table.cells if (cell.row, cell.column) == (label, column)), None)
