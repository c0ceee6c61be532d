"""A line (principal variation): the moves expected from a position on, each packed with its seat into one word."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.tree import STAND

HALF = 2**32  # a word is the seat times this, plus the move


@kernel
def word(seat, move):
    """Pack a move and the seat that makes it into one word."""
    return np.int64(seat) * HALF + np.int64(move)


@kernel
def move_of(packed):
    """The move in a word."""
    return packed - ((packed + HALF // 2) >> 32) * HALF


def read_line(words):
    """The moves of a line and the seats that make them; STAND (standing pat in quiescence search) is no move and is
    left out.
    """
    moves, movers = [], []
    for each in np.asarray(words, np.int64).tolist():
        mover = (each + HALF // 2) >> 32
        move = each - mover * HALF
        if move != STAND:
            moves.append(move)
            movers.append(mover)
    return tuple(moves), tuple(movers)
