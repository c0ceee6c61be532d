"""Recording the tree while it is searched."""

import numpy as np

from kingmaker.core.kernel import Constant
from kingmaker.core.tree import node_dtype


class NoRecord(Constant):
    """Nothing is recorded."""

    def fields(self, game, plies):
        return []

    def begun(self, game, work):
        return

    def opened(self, game, work, ply, seat, i):
        return

    def closed(self, game, work, ply):
        return

    def again(self, work, ply):
        return

    def taken_back(self, work, ply):
        return

    def cut(self, work, ply, left, alpha, beta):
        return

    def pruned(self, work, ply, left, bound):
        return


class Record(Constant):
    """The first `most` nodes of an iteration are recorded, parents before children."""

    def __init__(self, most):
        self.most = most

    def fields(self, game, plies):
        return [
            ("tree", node_dtype(game.seats), (self.most,)),
            ("recorded", np.int64, ()),
            ("rows", np.int32, (plies,)),  # the row of the node at each ply, -1 when the record is full
            ("overflow", np.int64, ()),
        ]

    def begun(self, game, work):
        """Start the record of an iteration with the root as its first row."""
        work.recorded = 1
        work.overflow = 0
        work.rows[0] = 0
        work.tree[0].parent, work.tree[0].move, work.tree[0].by = -1, -1, -1
        work.tree[0].seat = game.mover(work.states[0])
        work.tree[0].cut, work.tree[0].bound = 0, np.nan

    def opened(self, game, work, ply, seat, i):
        if work.recorded >= self.most or work.rows[ply] < 0:
            work.rows[ply + 1] = -1
            work.overflow = 1
            return
        row = work.recorded
        work.recorded += 1
        work.rows[ply + 1] = row
        work.tree[row].parent = work.rows[ply]
        work.tree[row].move = work.moves[ply, i]
        work.tree[row].by = seat
        work.tree[row].seat = game.mover(work.states[ply + 1])
        work.tree[row].cut, work.tree[row].bound = 0, np.nan

    def closed(self, game, work, ply):
        row = work.rows[ply + 1]
        if row >= 0:
            for seat in range(game.seats):
                work.tree[row].values[seat] = work.values[ply + 1, seat]

    def again(self, work, ply):
        """The child at ply + 1 is searched anew: what was recorded below it is discarded."""
        row = work.rows[ply + 1]
        if row >= 0:
            work.recorded = row + 1
            work.overflow = 0  # there was room for the child, so only what was below it can have been too much
            work.tree[row].cut, work.tree[row].bound = 0, np.nan

    def taken_back(self, work, ply):
        """The child at ply + 1 was only probed: it is discarded with all that was recorded below it."""
        row = work.rows[ply + 1]
        if row >= 0:
            work.recorded = row
            work.overflow = 0  # as in `again`

    def cut(self, work, ply, left, alpha, beta):
        """The root seat's value of a node has left its window, and `left` moves were not tried."""
        self.pruned(work, ply, left, beta if work.values[ply, work.root] >= beta else alpha)

    def pruned(self, work, ply, left, bound):
        """A bound, not a number if it is none, has pruned the last `left` moves of a node, if there are any."""
        row = work.rows[ply]
        if row >= 0 and left > 0:
            work.tree[row].cut, work.tree[row].bound = 1, bound
