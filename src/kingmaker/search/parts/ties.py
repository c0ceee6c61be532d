"""Which of several moves that are equally good for the mover: a part of MaxN, not a detail."""

from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below
from kingmaker.search.parts.node import keep


class First(Constant):
    """The first in the order of moves."""

    def tied(self, game, work, ply, seat, i, ties):
        """The i-th move is as good as the best so far, the `ties`-th of its kind; is it taken?"""
        return False


class Random(Constant):
    """Each with equal chance."""

    def tied(self, game, work, ply, seat, i, ties):
        if below(work.rng, ties) == 0:
            keep(game, work, ply, i)
            return True
        return False


class LeastOthers(Constant):
    """The one that leaves the others least in sum; of those the first."""

    def tied(self, game, work, ply, seat, i, ties):
        change = 0.0
        for other in range(game.seats):
            if other != seat:
                change += work.values[ply + 1, other] - work.values[ply, other]
        if change < 0.0:
            keep(game, work, ply, i)
            return True
        return False


class Average(Constant):
    """All of them: the vector is their mean, for nobody knows which it will be; the line follows the first."""

    def tied(self, game, work, ply, seat, i, ties):
        for each in range(game.seats):
            if each != seat:
                work.values[ply, each] += (work.values[ply + 1, each] - work.values[ply, each]) / ties
        return False


TIES = {"first": First(), "random": Random(), "least_others": LeastOthers(), "average": Average()}
