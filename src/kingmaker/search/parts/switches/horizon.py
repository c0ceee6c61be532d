"""Where a depth-limited search may stop."""

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.kernel import Constant
from kingmaker.core.tree import STAND

ALL, NOISY, STOOD = 0, 1, 2  # what is looked at below a position: every move, only noisy ones, nothing


class Horizon(Constant):
    """The search stops at depth 0, in any position."""

    more = 0  # how many moves may be listed beyond the game's max_moves

    def fields(self, game, plies):
        return []

    def reached(self, game, work, ply, depth):
        return depth <= 0

    def widest(self, game, work, ply):
        """The largest number of moves that may be listed."""
        return game.max_moves

    def moves(self, game, work, ply, seat):
        """List the moves to search; return how many there are."""
        return game.moves(work.states[ply], seat, work.moves[ply])

    def ordered(self, work, ply):
        """Are the listed moves to be tried in the order in which they stand?"""
        return False

    def stands(self, work, ply, i):
        """Is the i-th listed move STAND, that is, to stand pat?"""
        return False


class QuietHorizon(Horizon):
    """Quiescence search with all moves: it stops at depth 0 if the game says the state is quiet, else up to `most`
    plies later.
    """

    def __init__(self, most):
        self.most = most

    def reached(self, game, work, ply, depth):
        return depth <= 0 and (depth <= -self.most or game.quiet(work.states[ply]))


class NoisyHorizon(QuietHorizon):
    """Quiescence search with noisy moves: beyond depth 0 it tries first to stand pat, then only the moves that the game
    calls noisy.

    To stand pat is to play nothing and accept the estimate; it leads to the same position one ply down, where the
    search ends. Where the game says that a position is forced, every move is tried and nothing else.
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
    """The horizon at depth 0, or a quiescence search of up to `most` plies: with the game's noisy moves if it can list
    them, else with all moves.
    """
    if most == 0:
        return Horizon()
    return NoisyHorizon(most) if provides(game, "noisy") else QuietHorizon(most)
