"""Moves that were searched elsewhere: how the threads of one decision put together what they found.

The moves of a node, the root or one below it (`work.split` is its ply), are divided among the threads. Each thread
searches one of them at a time (`work.only`) in a workspace of its own. When all root moves are done, the search runs
once more from the root; at each child it finds the result that a thread has left, and so it chooses by its own rules,
ties and all, as if it had searched every move itself.
"""

import numpy as np

from kingmaker.core.kernel import Constant


class NoChildren(Constant):
    """One thread searches everything."""

    def fields(self, game, plies):
        return []

    def narrowed(self, work, ply, many):
        return many

    def entered(self, work, ply, i):
        return

    def known(self, game, work, ply):
        return False


class KnownChildren(NoChildren):
    """Several threads search the moves of a node side by side."""

    def __init__(self, width):
        self.width = width  # the most root moves

    def fields(self, game, plies):
        return [
            ("split", np.int64, ()),  # the ply of the node whose moves are divided
            ("only", np.int64, ()),  # the one move to search there, plus 1; 0: all
            ("entering", np.int64, ()),  # which of the listed root moves is being searched
            ("known_moves", np.int32, (self.width,)),  # the root moves that were searched by some thread
            ("known_count", np.int64, ()),
            ("known_values", np.float64, (self.width, game.seats)),
            ("known_nodes", np.int64, (self.width,)),
            ("known_beyond", np.int8, (self.width,)),
            ("known_lines", np.int64, (self.width, plies)),
            ("known_lengths", np.int32, (self.width,)),
        ]

    def narrowed(self, work, ply, many):
        """How many of the listed moves are to be searched; at the divided node perhaps just one."""
        if ply == work.split and work.only > 0:
            work.moves[ply, 0] = work.only - 1
            return 1
        return many

    def entered(self, work, ply, i):
        if ply == 0:
            work.entering = i

    def known(self, game, work, ply):
        """Is the result of this root move known from another thread? Then it is put where the search would leave it."""
        if ply != 1 or work.known_count == 0:
            return False
        for i in range(work.known_count):
            if work.known_moves[i] == work.moves[0, work.entering]:
                for seat in range(game.seats):
                    work.values[ply, seat] = work.known_values[i, seat]
                work.lengths[ply] = work.known_lengths[i]
                for j in range(work.known_lengths[i]):
                    work.lines[ply, j] = work.known_lines[i, j]
                work.nodes += work.known_nodes[i]
                work.beyond |= work.known_beyond[i]
                return True
        return False
