"""All cells around a cell of the star, cut out of the board as one word.

Cells are numbered row by row, so that the number of every cell within two steps of a cell is less than 32 higher or
lower. A set of cells that is *moved up* is four words in which cell n is bit n + 32; the word that begins one bit above
a cell's number then has that cell at bit 31, and all cells around it. Within a row a step in one direction always
changes the number by the same amount, so one shift leads from pawns to the cells behind them.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.grid import ONE
from kingmaker.games.parts.hexes import NOTHING

MARGIN = 32  # how far a set is moved up
HALF, LAST = np.uint64(32), np.uint64(63)
MIDDLE = 31  # the bit of the cell around which a word is cut out


def hops(star):
    """Two tables [cell, way]: the bit of the neighbour that a pawn may hop over, 0 if there is no cell behind it; and
    how many numbers further the cell behind it is.
    """
    outside = len(star.cells)
    over, far = np.zeros((outside, 6), np.uint64), np.zeros((outside, 6), np.uint64)
    for cell in range(outside):
        for way in range(6):
            middle = int(star.next[cell, way])
            beyond = int(star.next[middle, way])
            if beyond != outside:
                over[cell, way] = 1 << (MIDDLE + middle - cell)
                far[cell, way] = abs(beyond - middle)
    return over, far


@kernel
def move_up(low, high, out):
    """Write a set of two words, moved up."""
    out[0] = low << HALF
    out[1] = low >> HALF | high << HALF
    out[2] = high >> HALF
    out[3] = NOTHING


@kernel
def cut(cells, place):
    """The word that begins at a given bit of a set of several words."""
    word, bit = place >> 6, np.uint64(place & 63)
    return cells[word] >> bit | cells[word + 1] << ONE << (LAST - bit)


@kernel
def note(here, found, fresh, todo):
    """Move the cells that were found around a cell from the set `fresh` to the set `todo`."""
    word, bit = (here + 1) >> 6, np.uint64((here + 1) & 63)
    low, high = found << bit, found >> ONE >> (LAST - bit)
    fresh[word] &= ~low
    fresh[word + 1] &= ~high
    todo[word] |= low
    todo[word + 1] |= high
