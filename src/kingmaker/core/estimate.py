"""An estimate: a guess at the final vector of a state that is not final."""

import math
from typing import Any

from kingmaker.core import notation
from kingmaker.core.errors import BadEstimate, Mismatch, UnknownName, unknown
from kingmaker.core.foresight import Foresight
from kingmaker.core.own_files import Wanted, build_own, class_in, own_file


class Estimate(Foresight):
    """What a state that is not over may be worth to each seat. A game offers several estimates, its default first.

    The fields `within_…`, `has_…` and `…_alike` are promises: pruning and Max-Prob rest on them, and `kingmaker check`
    tests them.
    """

    unit: str = "point"  # what `measure` counts, in the singular: step, marble; the thresholds of MP-Mix are in it
    tuned: tuple[float, float] = (math.inf, math.inf)  # td and to of MP-Mix that were found to gain; inf: never
    within_bounds: bool = True  # every entry stays between `low` and `high` of the game's facts
    within_total: bool = False  # the entries add up to at most `total` of the game's facts
    has_intervals: bool = False  # there is a method `interval`
    rising: bool = False  # intervals run from the present value to a constant: it is assumed never to fall
    values_equivalents_alike: bool = False  # moves that the game calls equivalent lead to the same values
    bounds_equivalents_alike: bool = False  # and to the same intervals

    def value(self, game: Any, state: Any, out: Any) -> None:
        """Write the estimate of a state that is not over: one number a seat."""
        raise Mismatch(f"{type(self).__name__} lacks the method value(game, state, out)")

    def final(self, game: Any, state: Any, out: Any) -> None:
        """Write the value of a state that is over; by default the game's payoff."""
        game.payoff(state, out)

    def enough(self, game: Any, state: Any, seat: int) -> bool:
        """May a search by `seat` stop at this state before it has reached its depth? By default no."""
        return False

    def against(self, game: Any, state: Any, seat: int, opponent: int, out: Any) -> None:
        """Write the estimate of a duel of `seat` with one opponent (-1: with nobody), for Multi-Minimax; by default
        the same as `value`.
        """
        self.value(game, state, out)

    def interval(self, game: Any, state: Any, low: Any, high: Any) -> None:
        """Write for every seat the lowest and the highest final value that it may still reach, for Max-Prob."""
        raise Mismatch(f"{type(self).__name__} lacks the method interval(game, state, low, high)")

    def measure(self, game: Any, state: Any, out: Any) -> None:
        """Write for a state that is not over how every seat stands in the estimate's unit; more is better, and the
        seat that leads by `value` leads here too. By default these are the numbers of `value`, in points of the
        game's payoffs.
        """
        self.value(game, state, out)

    def widest_edge(self, game: Any) -> float:
        """The largest difference between two seats that `measure` can reach in a game; infinite where it is not known.

        It is called outside of any search and never compiled. An estimate that defines `measure` should define it too.
        """
        known = self.measures_value and self.within_bounds
        return float(game.facts.high - game.facts.low) if known else math.inf

    @property
    def measures_value(self) -> bool:
        """Does `measure` write the same numbers as `value`?"""
        return type(self).measure is Estimate.measure

    @property
    def name(self) -> str:
        """The word for this estimate on the command line."""
        return notation.snake(type(self).__name__)

    def __str__(self) -> str:
        return notation.call_text(self.name, notation.parameters_of(self))

    __repr__ = __str__


class Fair(Estimate):
    """Nothing is known, so every seat gets the same: an equal share of the total, or the middle of the bounds."""

    within_total = True

    def __init__(self, facts: Any, seats: int) -> None:
        middle = (facts.low + facts.high) / 2
        share = facts.total / seats
        self.share = next((float(value) for value in (share, middle) if abs(value) < float("inf")), 0.0)

    def value(self, game, state, out):  # type: ignore[no-untyped-def]
        for seat in range(game.seats):
            out[seat] = self.share

    def widest_edge(self, game: Any) -> float:
        return 0.0


def in_units(amount: float, unit: str) -> str:
    """An amount in words: `1 step`, `2.5 marbles`."""
    return f"{amount:g} {unit if amount == 1 else plural(unit)}"


def plural(unit: str) -> str:
    """The word for several of a unit."""
    return f"{unit}s"


OWN_ESTIMATE = Wanted(
    "estimate", "inherits from kingmaker.Estimate", lambda cls: issubclass(cls, Estimate), BadEstimate
)


def own_estimate(text: str) -> Estimate | None:
    """The estimate in a file of one's own that a text names, as `my_estimate.py(weight=2)`; None: the text names no
    file.
    """
    if ".py" not in text:
        return None
    name, arguments, keywords = notation.parse_call(text)
    file = own_file(name)
    if not file:
        return None
    made: Estimate = build_own(class_in(file, OWN_ESTIMATE), file, OWN_ESTIMATE, text, arguments, keywords)
    return made


def find_estimate(game: Any, text: str) -> Any:
    """The estimate of a game that a text names, with its parameters changed where the text says so."""
    name, arguments, keywords = notation.parse_call(text)
    if not game.estimates:
        raise UnknownName(f"{game} has no estimates, so none called '{name}'; leave it out")
    for estimate in game.estimates:
        if estimate.name == name:
            if not (arguments or keywords):
                return estimate
            return notation.build(type(estimate), text, arguments, notation.parameters_of(estimate) | keywords)
    raise unknown("estimate", name, [estimate.name for estimate in game.estimates], str(game))
