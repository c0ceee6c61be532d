"""Where the pawns of a seat can go, as sets of cells in two words."""

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chinese_checkers.quarters import AXES, COUNT, LANES, hopped
from kingmaker.games.parts.grid import BIT, ONE, popcount
from kingmaker.games.parts.hexes import NOTHING, first

REACHED = 20  # words for the moves of ten pawns


@kernel
def lay_out(game, state, free, lanes):
    """Write the free cells of each quarter, and for each quarter and axis the cells from which there is a pawn to hop
    over, whatever stands behind it.
    """
    for quarter in range(COUNT):
        free[quarter] = game.quarters.board[quarter] & ~state.taken[quarter]
        for axis in range(AXES):
            over = (
                state.taken[game.quarters.beside[quarter, axis]]
                << game.quarters.up[quarter, axis]
                >> game.quarters.down[quarter, axis]
            )
            lanes[AXES * quarter + axis] = over & game.quarters.hops[quarter, axis]


@kernel
def landings(game, cell, free, lanes):
    """The cells that hops lead to from a cell, without that cell, as a word of its quarter.

    The pawn never hops over the cell that it has left, because it stays in its quarter.
    """
    quarter = game.quarters.of[cell]
    lane = AXES * quarter
    return hopped(game.quarters.bit[cell], free[quarter], lanes[lane], lanes[lane + 1], lanes[lane + 2])


@kernel
def joined(game, quarter, cells, low, high):
    """The two words of a set, with the cells of a word of a quarter added."""
    while cells != NOTHING:
        cell = game.quarters.cell[quarter, first(cells)]
        cells &= cells - ONE
        if cell < 64:
            low |= BIT[cell]
        else:
            high |= BIT[cell - 64]
    return low, high


@kernel
def unoccupied(game, state):
    """The free cells as two words."""
    low, high = game.board[0], game.board[1]
    for seat in range(game.seats):
        low &= ~state.pawns[seat, 0]
        high &= ~state.pawns[seat, 1]
    return low, high


@kernel
def reach(game, state, seat, out):
    """Write for each pawn of a seat, in the order of their cells, the two words of the cells that it can move to."""
    free, lanes = scratch(COUNT), scratch(LANES)
    lay_out(game, state, free, lanes)
    open_0, open_1 = unoccupied(game, state)
    pawn = 0
    for word in range(2):
        left = state.pawns[seat, word]
        while left != NOTHING:
            cell = word << 6 | first(left)
            left &= left - ONE
            far = landings(game, cell, free, lanes)
            low, high = game.near[cell, 0] & open_0, game.near[cell, 1] & open_1
            out[pawn], out[pawn + 1] = joined(game, game.quarters.of[cell], far, low, high)
            pawn += 2


@kernel
def list_all(cell, half, goals, out, count):
    """List a pawn's moves to a set of cells."""
    while goals != NOTHING:
        out[count] = cell << 7 | half << 6 | first(goals)
        count += 1
        goals &= goals - ONE
    return count


@kernel
def furthest(game, state, seat, out):
    """List the moves that bring a pawn closest to the destination camp, in the order of `moves`; returns how many these
    are, and how many moves there are in all. No move is listed if none leads closer.
    """
    free, lanes = scratch(COUNT), scratch(LANES)
    lay_out(game, state, free, lanes)
    open_0, open_1 = unoccupied(game, state)
    gain = found = many = 0
    for word in range(2):
        left = state.pawns[seat, word]
        while left != NOTHING:
            cell = word << 6 | first(left)
            left &= left - ONE
            quarter, far = game.quarters.of[cell], landings(game, cell, free, lanes)
            low, high = game.near[cell, 0] & open_0, game.near[cell, 1] & open_1
            many += popcount(low) + popcount(high) + popcount(far)
            away = game.away[seat, cell] - gain  # of the cells that bring as much as the best so far
            if away < 0:
                continue
            if gain == 0 and low & game.closer[seat, away, 0] | high & game.closer[seat, away, 1] != NOTHING:
                gain, away = 1, away - 1
            while far & game.closer_by_hops[seat, away, quarter] != NOTHING:
                gain, away, found = gain + 1, away - 1, 0
            if gain == 0:
                continue
            best = far & game.closer_by_hops[seat, away + 1, quarter]
            if gain == 1 or best != NOTHING:
                level, closer = game.closer[seat, away + 1], game.closer[seat, away]
                best_0, best_1 = joined(game, quarter, best, low & level[0], high & level[1])
                found = list_all(cell, 0, best_0 & ~closer[0], out, found)
                found = list_all(cell, 1, best_1 & ~closer[1], out, found)
    return found, many
