"""Which of several moves that are equally good for the mover: a part of MaxN, not a detail."""

from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below
from kingmaker.search.parts.machinery.node import keep
from kingmaker.search.parts.switches.best_set import BestSet


class First(Constant):
    """The first in the order of moves."""

    needs_vectors = False  # does it look at more than how good the moves are for the mover?

    def noted(self, game, work, ply, i):
        """The i-th move was searched."""
        return

    def tied(self, game, switches, work, ply, seat, i, ties):
        """The i-th move is as good as the best so far, the `ties`-th of its kind; is it taken?"""
        return False

    def takes(self, work, ties):
        """The same, without taking over values and line; asked only where no vectors are needed."""
        return False

    def settled(self, game, switches, work, ply, seat):
        """All moves were searched."""
        return


class Random(First):
    """Each with equal chance."""

    def tied(self, game, switches, work, ply, seat, i, ties):
        if self.takes(work, ties):
            keep(game, work, ply, seat, i)
            return True
        return False

    def takes(self, work, ties):
        return below(work.rng, ties) == 0


class LeastOthers(First):
    """The one that leaves the others least in sum; of those the first."""

    needs_vectors = True

    def tied(self, game, switches, work, ply, seat, i, ties):
        theirs, least = 0.0, 0.0
        for other in range(game.seats):
            if other != seat:
                theirs += work.values[ply + 1, other]
                least += work.values[ply, other]
        if switches.rounding.below(theirs, least):
            keep(game, work, ply, seat, i)
            return True
        return False


class Average(BestSet):
    """All of them: the vector is their mean, for nobody knows which it will be; the line follows the first."""

    needs_vectors = True

    def tied(self, game, switches, work, ply, seat, i, ties):
        return False

    def settled(self, game, switches, work, ply, seat):
        self.averaged(game, switches.rounding, work, ply, seat)


TIES = {"first": First(), "random": Random(), "least_others": LeastOthers(), "average": Average()}
