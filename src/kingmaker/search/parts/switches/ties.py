"""The tie rule: which of several moves that are equally good for the mover is taken. MaxN's values depend on it."""

from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below
from kingmaker.search.parts.machinery.node import keep
from kingmaker.search.parts.switches.best_set import BestSet
from kingmaker.search.parts.switches.order_at_random import AT_RANDOM


class First(Constant):
    """Of equal moves the first in the order of moves is taken."""

    needs_vectors = False  # does it look at more than how good the moves are for the mover?

    def noted(self, game, work, ply, i):
        """Called when the i-th move was searched."""
        return

    def tied(self, game, switches, work, ply, seat, i, ties):
        """The i-th move is as good as the best so far, the `ties`-th of its kind; is it taken?"""
        return False

    def takes(self, work, ties):
        """The same, without taking over values and line; asked only where no vectors are needed."""
        return False

    def settled(self, game, switches, work, ply, seat):
        """Called when all moves were searched."""
        return


class Random(First):
    """Of equal moves each is taken with the same probability."""

    def tied(self, game, switches, work, ply, seat, i, ties):
        if self.takes(work, ties):
            keep(game, work, ply, seat, i)
            return True
        return False

    def takes(self, work, ties):
        return below(work.rng, ties) == 0


class LeastOthers(First):
    """Of equal moves the one with the lowest sum of the others' values is taken; of those the first."""

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
    """Of equal moves none is preferred: the vector is the mean over all of them, and the line follows the first."""

    needs_vectors = True

    def tied(self, game, switches, work, ply, seat, i, ties):
        return False

    def settled(self, game, switches, work, ply, seat):
        self.averaged(game, switches.rounding, work, ply, seat)


def tie_rule(ties, order):
    """The name of the rule to search by: in a shuffled order the first of equal moves is any of them, each with the
    same probability, and then one of equivalent moves may stand for all. Where promising moves come first at the root,
    the first of equal ones is played there, too.
    """
    return "first" if ties == "random" and order in AT_RANDOM else ties


TIES = {"first": First(), "random": Random(), "least_others": LeastOthers(), "average": Average()}
