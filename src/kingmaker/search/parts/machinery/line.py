"""A line: the moves expected from a position on, each with who makes it, in one word a move."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.tree import STAND

HALF = 2**32  # a word is the seat times this, plus the move


@kernel
def word(seat, move):
    """A move and who makes it."""
    return np.int64(seat) * HALF + np.int64(move)


def read_line(words):
    """The moves of a line and who makes them; to play nothing beyond the horizon is no move."""
    words = np.asarray(words, np.int64)
    movers = (words + HALF // 2) >> 32
    moves = words - movers * HALF
    made = moves != STAND
    return tuple(moves[made].tolist()), tuple(movers[made].tolist())
