"""What Star2 keeps of its probes: the value of the one move that was searched is not searched for again.

Between the probe of an outcome and its search the window of that outcome only becomes narrower, because the probes of
the others raise the least and lower the most that the chance node may be worth. So what the probe found holds in the
search too: inside the window it is exact, outside it is the same bound. The line below a probed move is not kept.
"""

import numpy as np

from kingmaker.core.kernel import Constant
from kingmaker.search.parts.machinery.line import word

NOTHING = -(2**62)  # is no move


class NoMemory(Constant):
    """There are no probes."""

    def fields(self, game, plies):
        return []

    def begun(self, work, ply, i):
        """The i-th outcome of a chance node is not probed yet."""
        return

    def noted(self, game, work, ply, i):
        """The first move below the i-th outcome was searched; what was found is at ply + 1."""
        return

    def handed_down(self, work, ply, searched, i):
        """The i-th child is entered: `searched` if it is an outcome that is searched and not only probed."""
        return

    def knows(self, work, ply, seat, i, j):
        """Was the i-th move of this node, tried as number j, searched by a probe?"""
        return False

    def value(self, game, work, ply):
        """The root seat's value of that move, whose vector is left at ply + 1."""
        return 0.0


class ProbeMemory(NoMemory):
    """The vector of one move of every outcome."""

    def fields(self, game, plies):
        return [
            ("probed_moves", np.int64, (plies, game.max_outcomes)),  # and who makes them, see `line.py`
            ("probed_values", np.float64, (plies, game.max_outcomes, game.seats)),
            ("probed", np.int32, (plies,)),  # of any node: one more than the outcome that it is; 0: it was not probed
        ]

    def begun(self, work, ply, i):
        work.probed_moves[ply, i] = NOTHING

    def noted(self, game, work, ply, i):
        work.probed_moves[ply, i] = work.lines[ply + 1, 0]
        for seat in range(game.seats):
            work.probed_values[ply, i, seat] = work.values[ply + 1, seat]

    def handed_down(self, work, ply, searched, i):
        work.probed[ply + 1] = i + 1 if searched and work.probed_moves[ply, i] != NOTHING else 0

    def knows(self, work, ply, seat, i, j):
        if j > 0 or ply == 0 or work.probed[ply] == 0:
            return False
        return work.probed_moves[ply - 1, work.probed[ply] - 1] == word(seat, work.moves[ply, i])

    def value(self, game, work, ply):
        work.lengths[ply + 1] = 0
        for seat in range(game.seats):
            work.values[ply + 1, seat] = work.probed_values[ply - 1, work.probed[ply] - 1, seat]
        return work.values[ply + 1, work.root]
