"""When two values count as equal: the one tolerance of all searches.

Many rules of game-tree search ask whether two values are equal: of equal moves the first is played, ties are averaged,
an opponent plays any of its best moves. Values are floating-point numbers, though, and two ways to compute the same
number may differ in the last bit. So values count as equal if they differ by no more than a *margin*, which is
`TOLERANCE` times the size of the game's payoffs. Rounding stays far below it, and values that truly differ lie far
above it.

Being close is not transitive, so it is always asked of a value and the best: a set of ties is all that *reaches* the
best, and a move takes the place of another only if it is *above* it.
"""

from typing import Any

from kingmaker.core.kernel import Constant

TOLERANCE = 1e-12  # of the largest payoff; sums and means of a search go wrong by about 1e-15 of it
HUGE = 1e300  # a margin stays finite, so that infinite values can be compared too


class Bounded(Constant):
    """Values of a known size: the margin is the same for all."""

    def __init__(self, size: float = 1.0) -> None:
        self.width = TOLERANCE * size

    def margin(self, value: float) -> float:
        return self.width

    def above(self, value: float, best: float) -> bool:
        """Is the value higher than the best by more than rounding?"""
        return value > best + self.margin(best)

    def below(self, value: float, best: float) -> bool:
        """Is the value lower than the best by more than rounding?"""
        return value < best - self.margin(best)

    def reaches(self, value: float, best: float) -> bool:
        """Is the value as high as the best, up to rounding?"""
        return not value < best - self.margin(best)


class Unbounded(Bounded):
    """Nothing is known of the size of the values: the margin grows with them, from that of values of 1."""

    def margin(self, value: float) -> float:
        return self.width * min(max(1.0, abs(value)), HUGE)


def rounding_for(game: Any, *estimates: Any) -> Bounded:
    """What counts as equal among the payoffs of a game and the values of some of its estimates."""
    size = max(abs(game.facts.low), abs(game.facts.high))
    if size < float("inf") and all(estimate.within_bounds for estimate in estimates):
        return Bounded(float(size) or 1.0)
    return Unbounded()


def measure_rounding(game: Any, estimate: Any) -> Bounded:
    """What counts as equal among seats as an estimate measures them: in another unit than the payoffs' the margin grows
    with the amounts.
    """
    return rounding_for(game, estimate) if estimate.measures_value else Unbounded()
