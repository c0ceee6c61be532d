"""The best children of a node, all of them: everything that reaches the highest value for the mover, up to rounding.

Which children are among the best is known only when all were searched, so each is remembered until then.
"""

import numpy as np

from kingmaker.core.kernel import Constant


class BestSet(Constant):
    """The children whose value for the mover reaches the highest."""

    def fields(self, game, plies):
        return [("children", np.float64, (plies, game.max_moves + 1, game.seats))]

    def noted(self, game, work, ply, i):
        """Called when the i-th listed move was searched."""
        self.remembered(game, work, ply, i)

    def remembered(self, game, work, ply, i):
        """Store the vector of the i-th child."""
        for each in range(game.seats):
            work.children[ply, i, each] = work.values[ply + 1, each]

    def highest(self, work, ply, seat):
        """The highest value that any child has for the mover."""
        most = work.children[ply, 0, seat]
        for i in range(1, work.counts[ply]):
            most = max(most, work.children[ply, i, seat])
        return most

    def weight(self, work, ply, i):
        """How many moves the i-th child stands for."""
        return 1

    def averaged(self, game, rounding, work, ply, seat):
        """Leave in work.values[ply] the mean over the set, taken step by step so that the mean of equal numbers is that
        number; return the size of the set.
        """
        most, ties = self.highest(work, ply, seat), 0
        for i in range(work.counts[ply]):
            if rounding.reaches(work.children[ply, i, seat], most):
                weight = self.weight(work, ply, i)
                ties += weight
                for each in range(game.seats):
                    before = 0.0 if ties == weight else work.values[ply, each]
                    work.values[ply, each] = before + weight * (work.children[ply, i, each] - before) / ties
        return ties
