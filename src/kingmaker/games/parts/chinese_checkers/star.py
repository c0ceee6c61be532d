"""The six-pointed star: a hexagon with a triangle on each side, as tables of numbered cells.

Cells are numbered row by row from the top, as in OpenSpiel; the number after the last cell stands for the outside. Sets
of cells are two machine words. Camps are numbered clockwise from the top.
"""

import numpy as np

from kingmaker.games.parts.hexes import WAYS, away, turned

CAMPS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # the home camp of each seat


class Star:
    """The board around a hexagon of some radius."""

    def __init__(self, radius):
        self.radius = radius
        span = range(-2 * radius, 2 * radius + 1)
        self.cells = [(x, y) for y in reversed(span) for x in span if self.holds(x, y)]
        self.number = {cell: i for i, cell in enumerate(self.cells)}
        self.rows = [[self.number[x, y] for x in span if self.holds(x, y)] for y in reversed(span)]
        self.names = [
            f"{chr(ord('a') + row)}{place}" for row, cells in enumerate(self.rows) for place in range(1, len(cells) + 1)
        ]
        top = [cell for cell in self.cells if cell[1] > radius]
        self.camps = [sorted(self.number[turned(cell, camp)] for cell in top) for camp in range(6)]
        self.tips = [self.number[turned((radius, 2 * radius), camp)] for camp in range(6)]
        self.next = np.full((len(self.cells) + 1, 6), len(self.cells), np.uint8)
        for i, (x, y) in enumerate(self.cells):
            for way, (dx, dy) in enumerate(WAYS):
                self.next[i, way] = self.number.get((x + dx, y + dy), len(self.cells))
        self.near = np.array([self.words(set(around.tolist()) - {len(self.cells)}) for around in self.next])

    def holds(self, x, y):
        """Does a cell lie in one of the two big triangles?"""
        ends = (x, -y, y - x)
        return min(ends) >= -self.radius or max(ends) <= self.radius

    def words(self, cells):
        """A set of cells as two words."""
        bits = sum(1 << int(cell) for cell in cells)
        return np.array([bits & (2**64 - 1), bits >> 64], np.uint64)

    def steps(self, start, goal):
        """How many steps lead from one cell to another on an empty board.

        The star is not convex, but in it no way around a corner is longer than on the open plane.
        """
        (x, y), (to_x, to_y) = self.cells[start], self.cells[goal]
        return away(to_x - x, to_y - y)

    def to_camp(self, camp):
        """For each cell the steps to the nearest cell of a camp."""
        return [min(self.steps(cell, goal) for goal in self.camps[camp]) for cell in range(len(self.cells))]

    def widest_reach(self):
        """The most cells that one pawn can reach: six by a step, others by hops, which keep the coordinates' parity."""
        parities = [(x % 2, y % 2) for x, y in self.cells]
        return 6 + max(parities.count(parity) for parity in parities) - 1
