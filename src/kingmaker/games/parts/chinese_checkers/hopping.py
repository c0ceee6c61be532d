"""Where the pawns of a seat can go, as sets of cells in two words."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chinese_checkers.windows import MARGIN, MIDDLE, cut, move_up, note
from kingmaker.games.parts.grid import BIT, ONE
from kingmaker.games.parts.hexes import NOTHING, first, size

REACHED = 20  # words for the moves of ten pawns
CELLS, PLACES = 121, 242  # words: one and two for each cell of the largest board


@kernel
def reach(game, state, seat, out):
    """Write for each pawn of a seat, in the order of their cells, the two words of the cells that it can move to."""
    taken, free, fresh = scratch(4), scratch(4), scratch(4)
    label, places = scratch(CELLS), scratch(PLACES)  # of the groups of cells joined by hops that were found so far
    lay_out(game, state, taken, free)
    for word in range(4):
        fresh[word] = free[word]
    open_0, open_1 = cut(free, MARGIN), cut(free, MARGIN + 64)
    pawn = known = 0
    for word in range(2):
        left = state.pawns[seat, word]
        while left != NOTHING:
            cell = word << 6 | first(left)
            left &= left - ONE
            reached_0, reached_1 = game.near[cell, 0] & open_0, game.near[cell, 1] & open_1
            new = landings(game, cell, taken, free)
            while new != NOTHING:
                landing = cell + first(new) - MIDDLE
                new &= new - ONE
                if cut(fresh, landing + MARGIN) & ONE != NOTHING:
                    explore(game, landing, taken, fresh, label, places, known)
                    known += 1
                place = 2 * np.int64(label[landing])
                reached_0 |= places[place]
                reached_1 |= places[place + 1]
            out[pawn], out[pawn + 1] = reached_0, reached_1
            pawn += 2


@kernel
def lay_out(game, state, taken, free):
    """Write the sets of taken and of free cells, moved up by half a word, so that all cells around a cell can be cut
    out as one word.
    """
    low = high = NOTHING
    for seat in range(game.seats):
        low |= state.pawns[seat, 0]
        high |= state.pawns[seat, 1]
    move_up(low, high, taken)
    move_up(game.board[0] & ~low, game.board[1] & ~high, free)


@kernel
def explore(game, start, taken, fresh, label, places, number):
    """Write the group of cells that hops lead to from a free cell, with that cell itself, to `places`.

    Every hop can be made backwards, so a pawn that lands on one of these cells may go to all of them. The pawn never
    hops over the cell that it has left, because a hop changes both coordinates by even numbers and so never ends beside
    that cell.
    """
    before, todo = scratch(4), scratch(4)
    for word in range(4):
        before[word], todo[word] = fresh[word], NOTHING
    note(start, BIT[MIDDLE], fresh, todo)
    while todo[0] | todo[1] | todo[2] != NOTHING:
        for word in range(3):
            left, todo[word] = todo[word], NOTHING
            while left != NOTHING:
                here = (word << 6) + first(left) - MARGIN
                left &= left - ONE
                label[here] = np.uint64(number)
                note(here, landings(game, here, taken, fresh), fresh, todo)
    for word in range(4):
        todo[word] = before[word] & ~fresh[word]
    places[2 * number], places[2 * number + 1] = cut(todo, MARGIN), cut(todo, MARGIN + 64)


@kernel
def landings(game, here, taken, free):
    """Where the hops from a cell land, in the word around it."""
    over, far = game.over[here], game.far[here]
    around, open_ = cut(taken, here + 1), cut(free, here + 1)
    found = (around & over[0]) << far[0] | (around & over[1]) << far[1] | (around & over[2]) << far[2]
    found |= (around & over[3]) >> far[3] | (around & over[4]) >> far[4] | (around & over[5]) >> far[5]
    return found & open_


@kernel
def list_all(cell, half, goals, out, count):
    """List a pawn's moves to a set of cells."""
    while goals != NOTHING:
        out[count] = cell << 7 | half << 6 | first(goals)
        count += 1
        goals &= goals - ONE
    return count


@kernel
def furthest(game, state, seat, reached, out):
    """List the moves that bring a pawn closest to the destination camp, in the order of `moves`, from what `reach`
    wrote; returns how many these are, and how many moves there are in all. No move is listed if none leads closer.
    """
    gain = found = many = pawn = 0
    for word in range(2):
        left = state.pawns[seat, word]
        while left != NOTHING:
            cell = word << 6 | first(left)
            left &= left - ONE
            low, high = reached[pawn], reached[pawn + 1]
            pawn += 2
            many += size(low) + size(high)
            away = game.away[seat, cell] - gain  # of the cells that bring as much as the best so far
            if away < 0:
                continue
            closer = game.closer[seat, away]
            while low & closer[0] | high & closer[1] != NOTHING:
                gain, away, found = gain + 1, away - 1, 0
                closer = game.closer[seat, away]
            if gain > 0:
                level = game.closer[seat, away + 1]
                found = list_all(cell, 0, low & level[0] & ~closer[0], out, found)
                found = list_all(cell, 1, high & level[1] & ~closer[1], out, found)
    return found, many
