"""Progressive history: what a move brought elsewhere in the tree is a first opinion of it.

The opinion counts much while a move was seldom tried here, and less the more often it failed here.

    J. Nijssen, M. Winands. Enhancements for Multi-Player Monte-Carlo Tree Search. CG 2010.

Differs from the paper: where playouts are cut, a move is compared with the mean of all playouts, because the estimates
lie close together.
"""

import numpy as np

from kingmaker.core.kernel import kernel

SLOTS = 4096  # moves are told apart by their last twelve bits


def history_fields(game):
    """The workspace fields of a history."""
    return [
        ("weight", np.float64, ()),
        ("history", np.float64, (game.seats, SLOTS, 2)),  # how often each move was made, and the rewards it brought
    ]


@kernel
def past(work, child):
    """The mean reward that a child's move brought its seat wherever it was made, less the mean of all playouts where
    that is known.
    """
    entry = work.tree[child]
    slot = entry.move & (SLOTS - 1)
    count = work.history[entry.seat, slot, 0]
    return work.history[entry.seat, slot, 1] / count - work.means[entry.seat] if count > 0.0 else 0.0


@kernel
def remember(work, node):
    """Add the rewards in work.values[0] to those of the move that leads to a node."""
    entry = work.tree[node]
    if entry.seat >= 0:
        slot = entry.move & (SLOTS - 1)
        work.history[entry.seat, slot, 0] += 1.0
        work.history[entry.seat, slot, 1] += work.values[0, entry.seat]
