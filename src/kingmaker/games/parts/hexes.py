"""Boards of hexagons: cells as pairs of whole numbers, and sets of cells as the bits of one machine word.

A cell is (x, y): y counts rows upwards, and (x, y) touches (x, y + 1) and (x + 1, y + 1). The six directions, here
called ways, are numbered clockwise from the right.

On a hexagonal board of radius r the cell (x, y) has the number x - (3r + 2) y, modulo the number of cells. No two cells
have the same number, and a step in one direction always adds the same amount, so rotating a word moves a whole set of
cells one step.
"""

from itertools import groupby

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.grid import FIFTEENS, FIVES, FOUR, ONE, THREES, TWO, popcount

WAYS = (
    (1, 0),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (0, 1),
    (1, 1),
)  # right, then clockwise; the opposite of a way is three further
RADIUS = 4
CELLS = 3 * RADIUS * (RADIUS + 1) + 1
NOTHING = np.uint64(0)


def away(x, y):
    """How many steps a cell lies from the middle."""
    return max(abs(x), abs(y), abs(x - y))


def turned(cell, times=1):
    """Where a cell comes to lie when the board is turned clockwise by sixths of a full turn."""
    x, y = cell
    for _ in range(times):
        x, y = y, y - x
    return x, y


def hexagon(radius):
    """All cells at most `radius` steps from the middle, row by row from the top."""
    span = range(-radius, radius + 1)
    return [(x, y) for y in reversed(span) for x in span if away(x, y) <= radius]


def number(x, y, radius=RADIUS):
    """The number of a cell, such that steps are additions."""
    return (x - (3 * radius + 2) * y) % (3 * radius * (radius + 1) + 1)


def word(cells):
    """A set of cells of the hexagon as one word."""
    return np.uint64(sum(1 << number(x, y) for x, y in cells))


def runs(signs):
    """A row of a board in short form: each run of empty cells (dots) becomes its length."""
    return "".join(str(len(list(cells))) if sign == "." else sign * len(list(cells)) for sign, cells in groupby(signs))


BOARD = word(hexagon(RADIUS))
DISCS = np.array(
    [word(hexagon(radius)) for radius in range(RADIUS)], np.uint64
)  # cells near the middle, without the rim
INSIDE = np.array(
    [word((x, y) for x, y in hexagon(RADIUS) if away(x + dx, y + dy) <= RADIUS) for dx, dy in WAYS], np.uint64
)
LEFT = np.array([number(dx, dy) for dx, dy in WAYS], np.uint64)  # how far a step rotates a word
RIGHT = np.uint64(CELLS) - LEFT
BACK = np.array([3, 4, 5, 0, 1, 2], np.uint8)

ROWS = [
    [number(x, y) for x, y in hexagon(RADIUS) if y == row] for row in range(RADIUS, -RADIUS - 1, -1)
]  # from the top
NAMES = {number(x, y): f"{'ABCDEFGHI'[y + RADIUS]}{x + RADIUS + 1}" for x, y in hexagon(RADIUS)}
NUMBERS = {name: cell for cell, name in NAMES.items()}

PLACES = np.zeros(67, np.uint8)  # the powers of two leave different remainders when divided by 67
PLACES[[2**place % 67 for place in range(64)]] = range(64)
PRIME = np.uint64(67)
BYTE = np.uint64(255)


@kernel
def ahead(cells, way):
    """The cells moved one step in a direction; cells that would leave the board are dropped."""
    cells = cells & INSIDE[way]
    return ((cells << LEFT[way]) | (cells >> RIGHT[way])) & BOARD


@kernel
def behind(cells, way):
    """The cells from which one step leads into `cells`."""
    return ahead(cells, BACK[way])


@kernel
def lowest(cells):
    """The lowest number in a set that is not empty."""
    return np.int64(PLACES[(cells & (~cells + ONE)) % PRIME])


@kernel
def first(cells):
    """The lowest number in a set, for use inside a search, where words may overflow: a single machine instruction."""
    return popcount(~cells & (cells - ONE))


@kernel
def size(cells):
    """How many cells a set has: a popcount in which no word overflows, so that it gives no warning when interpreted."""
    cells = cells - ((cells >> ONE) & FIVES)
    cells = (cells & THREES) + ((cells >> TWO) & THREES)
    cells = (cells + (cells >> FOUR)) & FIFTEENS
    return np.int64(cells % BYTE)
