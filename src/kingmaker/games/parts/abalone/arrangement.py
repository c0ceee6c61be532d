"""How a seat's marbles lie, and how a move changes that: their steps to the rim and the pairs that touch."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.grid import BIT, popcount
from kingmaker.games.parts.hexes import CELLS, DISCS, NOTHING, ahead


@kernel
def centre(cells):
    """The sum of all marbles' distances from the rim, in steps."""
    return (
        popcount(cells & DISCS[0])
        + popcount(cells & DISCS[1])
        + popcount(cells & DISCS[2])
        + popcount(cells & DISCS[3])
    )


@kernel
def cohesion(cells):
    """How many pairs of marbles touch."""
    return popcount(cells & ahead(cells, 0)) + popcount(cells & ahead(cells, 1)) + popcount(cells & ahead(cells, 2))


def line_ahead(cell, way):
    """The next three cells in one direction; CELLS stands for a cell beyond the edge."""
    cells, here = [], BIT[cell]
    for _ in range(3):
        here = ahead(here, way)
        cells.append(int(here).bit_length() - 1 if here else CELLS)
    return cells


LINES = np.array([[line_ahead(cell, way) for way in range(6)] for cell in range(CELLS)], np.uint8)
NEAR = np.array([sum(int(ahead(BIT[cell], way)) for way in range(6)) for cell in range(CELLS)], np.uint64)
INWARDS = np.array(
    [sum(int(disc) >> cell & 1 for disc in DISCS) for cell in range(CELLS)], np.int64
)  # steps to the rim


def groups():
    """For every kind of move sideways and every cell the marbles that move: their cells, the cells that touch one of
    them, those that touch two, and their steps to the rim together. A group that leaves the board stays empty.
    """
    cells, once, twice = np.zeros((3, 8, 64), np.uint64)
    steps = np.zeros((8, 64), np.int64)
    for kind in range(1, 7):
        for cell in range(CELLS):
            group = [cell, *LINES[cell, (kind - 1) % 3].tolist()][: 2 if kind < 4 else 3]
            for each in group if CELLS not in group else ():
                twice[kind, cell] |= once[kind, cell] & NEAR[each]
                once[kind, cell] |= NEAR[each]
                cells[kind, cell] |= BIT[each]
                steps[kind, cell] += INWARDS[each]
    return cells, once, twice, steps


GROUPS, ONCE, TWICE, STEPS = groups()


@kernel
def front_of(own, cell, way):
    """The cell in front of the line of own marbles that begins with a cell, whether it is free or not."""
    line = LINES[cell, way]
    front = line[2] if own & BIT[line[1]] != NOTHING else line[1]
    return front if own & BIT[line[0]] != NOTHING else line[0]


@kernel
def lie(kind, cell, rest):
    """What a group of marbles adds to the sum of `centre` and `cohesion` of the rest, apart from its own pairs."""
    return popcount(ONCE[kind, cell] & rest) + popcount(TWICE[kind, cell] & rest) + STEPS[kind, cell]


@kernel
def change_sideways(own, cell, way, kind):
    """How the sum of `centre` and `cohesion` changes by a move sideways."""
    rest = own & ~GROUPS[kind, cell]
    return lie(kind, LINES[cell, way, 0], rest) - lie(kind, cell, rest)


@kernel
def change_along(own, cell, front):
    """How it changes by a move along a line, which brings the last marble to the front."""
    left = popcount(NEAR[cell] & own)
    found = popcount(NEAR[front] & own & ~BIT[cell])
    return found - left + INWARDS[front] - INWARDS[cell]


@kernel
def arranged_after(game, state, seat, move, before):
    """The sum of `centre` and `cohesion` after a move, given the sum before it; -1 if the move pushes a marble."""
    own, cell, way, kind = state.marbles[seat], move & 63, move >> 6 & 7, move >> 9 & 7
    if kind == 7:
        return before
    if kind > 0:
        return before + change_sideways(own, cell, way, kind)
    front = front_of(own, cell, way)
    if game.others(state, seat) & BIT[front] != NOTHING:
        return -1
    return before + change_along(own, cell, front)
