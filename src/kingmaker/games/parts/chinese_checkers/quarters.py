"""The star as four quarters, each a set of cells in one machine word.

A hop changes both coordinates of a pawn by even numbers, so it never leaves the cells whose coordinates have the same
parity: a *quarter* of the board, with at most 37 cells. The pawns that are hopped over always stand in another quarter.
In the word of a quarter the next cell of the same row is one bit further and the next row eight bits, so that a hop in
one direction always shifts a word by the same amount.
"""

import numpy as np

from kingmaker.core.kernel import Constant, kernel
from kingmaker.games.parts.hexes import NOTHING, WAYS

COUNT = 4
AXES = 3  # a hop in the other three directions is one of these hops backwards
LANES = COUNT * AXES
ROW = 8  # bits from one row of a quarter to the next
RIGHT, DOWN, SLANT = np.uint64(1), np.uint64(ROW), np.uint64(ROW - 1)  # how far a hop along each axis shifts a word


class Quarters(Constant):
    """For every cell its quarter and its bit there, and how pawns in one quarter open hops in another."""

    def __init__(self, star):
        parity = [(x & 1) + 2 * (y & 1) for x, y in star.cells]
        places = [(x >> 1) - ROW * (y >> 1) for x, y in star.cells]
        lowest = [min(place for place, each in zip(places, parity) if each == quarter) for quarter in range(COUNT)]
        places = [place - lowest[quarter] for place, quarter in zip(places, parity)]
        self.of = np.array(parity, np.uint8)  # [cell]
        self.bit = np.array([1 << place for place in places], np.uint64)  # [cell]
        self.cell = np.zeros((COUNT, 64), np.uint8)  # [quarter, place]
        self.board = np.zeros(COUNT, np.uint64)
        for cell, (quarter, place) in enumerate(zip(parity, places)):
            self.cell[quarter, place] = cell
            self.board[quarter] |= self.bit[cell]
        self.beside = np.zeros((COUNT, AXES), np.uint8)  # the quarter of the cells that are hopped over
        self.up, self.down = np.zeros((2, COUNT, AXES), np.uint64)  # the shift from their bits to those of the pawns
        self.hops = np.zeros((COUNT, AXES), np.uint64)  # the cells from which a hop stays on the board
        for cell, (x, y) in enumerate(star.cells):
            for axis, (dx, dy) in enumerate(WAYS[:AXES]):
                over, landing = (star.number.get((x + dx * steps, y + dy * steps)) for steps in (1, 2))
                if over is not None and landing is not None:
                    here, shift = parity[cell], places[cell] - places[over]
                    self.beside[here, axis] = parity[over]
                    self.up[here, axis], self.down[here, axis] = max(0, shift), max(0, -shift)
                    self.hops[here, axis] |= self.bit[cell]

    def of_sets(self, sets):
        """Sets of cells in two words each, as the words of the four quarters: [set, quarter]."""
        words = np.zeros((len(sets), COUNT), np.uint64)
        for row, (low, high) in zip(words, sets.tolist()):
            for cell, quarter in enumerate(self.of.tolist()):
                if (low | high << 64) >> cell & 1:
                    row[quarter] |= self.bit[cell]
        return words


@kernel
def hopped(start, free, right, down, slant):
    """The cells that hops lead to from a cell, given the free cells and the lanes of its quarter."""
    new, left = start, free
    while new != NOTHING:
        landed = (new & right) << RIGHT | (new & down) << DOWN | (new & slant) << SLANT
        landed |= (new >> RIGHT) & right | (new >> DOWN) & down | (new >> SLANT) & slant
        new = landed & left
        left ^= new
    return free ^ left
