"""Which of several moves that are equally good for the mover: a part of MaxN, not a detail."""

from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below


class First(Constant):
    """The first in the order of moves."""

    def prefer(self, game, work, ply, seat, ties):
        return False


class Random(Constant):
    """Each with equal chance."""

    def prefer(self, game, work, ply, seat, ties):
        return below(work.rng, ties) == 0


class LeastOthers(Constant):
    """The one that leaves the others least in sum; of those the first."""

    def prefer(self, game, work, ply, seat, ties):
        change = 0.0
        for other in range(game.seats):
            if other != seat:
                change += work.values[ply + 1, other] - work.values[ply, other]
        return change < 0.0


TIES = {"first": First(), "random": Random(), "least_others": LeastOthers()}
