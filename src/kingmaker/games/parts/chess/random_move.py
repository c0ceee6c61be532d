"""A random legal move of a chess position without a list of all: rows of target squares are counted, one target is
drawn, and only the drawn move is tested for whether it leaves the king in check. If it does, another is drawn.

A target that is refused does not change how likely the others are, so every legal move is as likely as any other.
"""

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chess.board import (
    BISHOP,
    EVERYWHERE,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    LAST_RANKS,
    NOT_A,
    NOT_H,
    NOWHERE,
    PAWN,
    QUEEN,
    ROOK,
    SLANTED,
    STRAIGHT,
    ahead,
    attackers,
    lowest,
    slanted,
    straight,
)
from kingmaker.games.parts.chess.moves import HOME, captures_in_passing, castlings, legal_moves, pawn_moves
from kingmaker.games.parts.grid import BIT, ONE, popcount

ROWS = 20  # the king, four kinds of pawn moves and at most 15 pieces
PAWN_ROWS = 4  # their targets are those of all pawns
TRIES = 50  # a position in which so many are refused has hardly any legal move, and all are listed


@kernel
def random_move(state, seat, rng, out):
    """Some legal move, each as likely as any other; there must be one. `out` is room for all moves."""
    if state.check:
        return out[below(rng, legal_moves(state, seat, out, False))]
    us, taken = state.sides[seat], state.sides[0] | state.sides[1]
    king = lowest(state.pieces[KING] & us)
    goals, starts = scratch(ROWS), scratch(ROWS)
    rare = rare_moves(state, seat, king, taken, out)
    pawn_rows(state, seat, us, taken, goals)
    rows = piece_rows(state, us, taken, goals, starts)
    goals[rows], starts[rows] = KING_STEPS[king] & ~us, king
    rows += 1
    count = rare
    for row in range(rows):
        count += popcount(goals[row])
    for _ in range(TRIES):
        left = below(rng, count)
        move = out[left] if left < rare else common_move(seat, goals, starts, left - rare)
        if leaves_king_safe(state, seat, king, taken, move):
            return move
    return out[below(rng, legal_moves(state, seat, out, False))]


@kernel
def rare_moves(state, seat, king, taken, out):
    """Write the moves for which there is no row: castling, en passant captures, and promotions, of which some may leave
    the king in check.
    """
    count = castlings(state, seat, king, taken, out, 0)
    if state.passing >= 0:
        count = captures_in_passing(state, seat, king, taken, out, count)
    last = state.pieces[PAWN] & state.sides[seat] & HOME[1 - seat]
    if last:
        count = pawn_moves(state, seat, last, EVERYWHERE, taken, False, out, count)
    return count


@kernel
def pawn_rows(state, seat, us, taken, goals):
    """The squares to which pawns step once or twice, or capture to either side, without promotions."""
    forward = ahead(state.pieces[PAWN] & us, seat) & ~LAST_RANKS
    them = state.sides[1 - seat]
    goals[0] = forward & ~taken
    goals[1] = ahead(goals[0] & ahead(HOME[seat], seat), seat) & ~taken
    goals[2] = ((forward & NOT_A) >> ONE) & them
    goals[3] = ((forward & NOT_H) << ONE) & them


@kernel
def piece_rows(state, us, taken, goals, starts):
    """A row for each piece that is neither pawn nor king; returns how many rows there are with those of the pawns."""
    row = PAWN_ROWS
    group = us & state.pieces[KNIGHT]
    while group:
        square = lowest(group)
        goals[row], starts[row] = KNIGHT_STEPS[square] & ~us, square
        row += 1
        group &= group - ONE
    group = us & state.pieces[BISHOP]
    while group:
        square = lowest(group)
        goals[row], starts[row] = slanted(square, taken) & ~us, square
        row += 1
        group &= group - ONE
    group = us & state.pieces[ROOK]
    while group:
        square = lowest(group)
        goals[row], starts[row] = straight(square, taken) & ~us, square
        row += 1
        group &= group - ONE
    group = us & state.pieces[QUEEN]
    while group:
        square = lowest(group)
        goals[row], starts[row] = (slanted(square, taken) | straight(square, taken)) & ~us, square
        row += 1
        group &= group - ONE
    return row


@kernel
def common_move(seat, goals, starts, left):
    """The move to the target that comes after `left` others in the rows."""
    row = 0
    while left >= popcount(goals[row]):
        left -= popcount(goals[row])
        row += 1
    targets = goals[row]
    for _ in range(left):
        targets &= targets - ONE
    to = lowest(targets)
    if row >= PAWN_ROWS:
        return int(starts[row]) | to << 6
    way = 8 - 16 * seat
    return to - (way if row == 0 else 2 * way if row == 1 else way - 1 if row == 2 else way + 1) | to << 6


@kernel
def leaves_king_safe(state, seat, king, taken, move):
    """Is the king, which is not in check, not attacked after the move?"""
    start, to = BIT[move & 63], (move >> 6) & 63
    if move & 63 == king:
        return attackers(state, to, seat, taken ^ start) == NOWHERE
    if (STRAIGHT[king] | SLANTED[king]) & start == NOWHERE:
        return True
    return attackers(state, king, seat, (taken ^ start) | BIT[to]) & ~BIT[to] == NOWHERE
