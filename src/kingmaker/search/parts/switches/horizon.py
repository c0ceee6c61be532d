"""Where a depth-limited search may stop."""

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.kernel import Constant
from kingmaker.core.tree import STAND

ALL, NOISY, STOOD = 0, 1, 2  # what is looked at below a position: every move, only noisy ones, nothing


class Horizon(Constant):
    """At depth 0, whatever happens there."""

    more = 0  # how much longer than the game's the list of moves may be

    def fields(self, game, plies):
        return []

    def reached(self, game, work, ply, depth):
        return depth <= 0

    def widest(self, game, work, ply):
        """How many moves may stand in the list."""
        return game.max_moves

    def moves(self, game, work, ply, seat):
        """List the moves to look at; say how many."""
        return game.moves(work.states[ply], seat, work.moves[ply])

    def ordered(self, work, ply):
        """Are the listed moves to be tried in the order in which they stand?"""
        return False

    def stands(self, work, ply, i):
        """Is the i-th listed move to play nothing?"""
        return False


class QuietHorizon(Horizon):
    """At depth 0 if the game says the state is quiet, else up to `most` plies later."""

    def __init__(self, most):
        self.most = most

    def reached(self, game, work, ply, depth):
        return depth <= 0 and (depth <= -self.most or game.quiet(work.states[ply]))


class NoisyHorizon(QuietHorizon):
    """The same, but beyond depth 0 only the moves are tried that the game calls noisy, and before them to play nothing.

    To play nothing is to be content with the estimate; it leads to the same position one ply down, where the search
    ends. Where the game says that a position is forced, every move is tried and nothing else.
    """

    more = 1

    def fields(self, game, plies):
        return [("below", np.int8, (plies,))]

    def reached(self, game, work, ply, depth):
        stood = work.below[ply] == STOOD
        work.below[ply] = NOISY if depth <= 0 else ALL
        if stood:
            return True
        return depth <= 0 and (depth <= -self.most or game.quiet(work.states[ply]))

    def widest(self, game, work, ply):
        return game.max_moves + 1 if work.moves[ply, 0] == STAND else game.max_moves

    def moves(self, game, work, ply, seat):
        if work.below[ply] == ALL or game.forced(work.states[ply]):
            return game.moves(work.states[ply], seat, work.moves[ply])
        count = game.noisy(work.states[ply], seat, work.moves[ply])
        if not 0 <= count <= game.max_moves:
            return count  # a fault of the game, which `listed` notices
        for i in range(count, 0, -1):
            work.moves[ply, i] = work.moves[ply, i - 1]
        work.moves[ply, 0] = STAND
        return count + 1

    def ordered(self, work, ply):
        return work.below[ply] == NOISY

    def stands(self, work, ply, i):
        still = work.below[ply] == NOISY and work.moves[ply, i] == STAND
        work.below[ply + 1] = STOOD if still else ALL
        return still


def horizon_for(game, most):
    """At depth 0, or up to `most` plies later: by the game's noisy moves if it can list them, else by all."""
    if most == 0:
        return Horizon()
    return NoisyHorizon(most) if provides(game, "noisy") else QuietHorizon(most)
