"""Bitboards: one machine word for each row."""

import numpy as np

from kingmaker.core.kernel import kernel

NOTHING, ONE, TWO, FOUR, TOP = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
FIVES, THREES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
FIFTEENS, ONES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
BIT = np.array([1 << i for i in range(64)], np.uint64)


def row_word(width):
    """The smallest word that holds a row."""
    return np.uint16 if width <= 16 else np.uint32 if width <= 32 else np.uint64


@kernel
def spread(cells, row):
    """The cells of a row that touch some of `cells` from the side, above or below."""
    return (cells[row] << ONE) | (cells[row] >> ONE) | cells[row - 1] | cells[row + 1]


@kernel
def popcount(word):
    """How many bits are set."""
    word = word - ((word >> ONE) & FIVES)
    word = (word & THREES) + ((word >> TWO) & THREES)
    word = (word + (word >> FOUR)) & FIFTEENS
    return np.int64((word * ONES) >> TOP)
