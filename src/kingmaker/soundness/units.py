"""Does `measure` of an estimate agree with its `value`? Its unit, its measure and its widest edge are checked here.

MP-Mix compares its thresholds with the edge of whoever leads by `measure`, and the searches that it mixes then play by
`value`: the two must name the same leader.
"""

from typing import Any

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.rounding import Bounded, measure_rounding, rounding_for
from kingmaker.soundness.calls import guess_of, measure_of, mover_of
from kingmaker.soundness.fault import Fault, fault
from kingmaker.soundness.trial import Trial

CLOSE = 1e-9


def measures_well(trial: Trial, state: Any, estimates: tuple[Any, ...]) -> None:
    """Every estimate measures finite amounts in the order of its values, no further apart than it says."""
    game = trial.game
    if mover_of(trial, state) == OVER:
        return
    for estimate in estimates:
        unit_of(estimate)
        widest = edge_of(trial, estimate)
        values, amounts = guess_of(trial, state, estimate), measure_of(trial, state, estimate)
        if not np.isfinite(amounts).all():
            raise fault(game, state, "measure", f"expected finite numbers, got {amounts}", estimate)
        sides = (values, rounding_for(game, estimate)), (amounts, measure_rounding(game, estimate))
        if orders_differ(*sides):
            told = f"expected seats to stand as they do by value, {values}, and nobody else to lead, got {amounts}"
            raise fault(game, state, "measure", f"{told}; measure what value is made of", estimate)
        edge = max(amounts) - min(amounts)
        if edge > widest + CLOSE * max(1.0, widest):
            told = f"it says {widest:g}, but measure sets seats apart by {edge:g}; return more, or math.inf"
            raise fault(game, state, "widest_edge", told, estimate)


def unit_of(estimate: Any) -> None:
    """Refuse a unit that is not a word."""
    unit = estimate.unit
    if not isinstance(unit, str) or not unit.replace(" ", "").isalpha() or unit != unit.strip():
        told = f"expected {estimate.name}.unit to be a word in the singular, got {unit!r}"
        raise Fault(f"{told}; write unit = 'step', or leave it out for points")


def edge_of(trial: Trial, estimate: Any) -> float:
    """The widest edge that an estimate states."""
    widest = trial.call("widest_edge", None, estimate.widest_edge, trial.game, owner=estimate)
    if isinstance(widest, (bool, np.bool_)) or not isinstance(widest, (int, float, np.number)) or not widest >= 0:
        told = f"expected a number of at least 0, got {widest!r}; return math.inf if it is not known"
        raise fault(trial.game, None, "widest_edge", told, estimate)
    return float(widest)


def orders_differ(one: tuple[tuple[float, ...], Bounded], other: tuple[tuple[float, ...], Bounded]) -> bool:
    """Do two rows of numbers have different leaders, up to rounding, or do they order two seats differently?"""
    (values, coarse), (amounts, fine) = one, other
    if leaders(values, coarse) != leaders(amounts, fine):
        return True
    seats = range(len(values))
    return any(
        coarse.above(values[first], values[second]) and fine.above(amounts[second], amounts[first])
        for first in seats
        for second in seats
    )


def leaders(row: tuple[float, ...], rounding: Bounded) -> list[int]:
    return [seat for seat in range(len(row)) if rounding.reaches(row[seat], max(row))]
