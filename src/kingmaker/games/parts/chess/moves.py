"""The legal moves of a chess position, generated directly: no move is tried and taken back.

In check, other pieces than the king may only capture the checking piece or block its line. A pinned piece stays on the
line of the pin. The king goes only to squares that are not attacked, and it does not itself block attacks on the
squares behind it. Only the rare en passant capture, which takes two pawns off one rank, has to be tried.

A move is from | to << 6 | promotion << 12 with the promotion 0 for none, else the kind of the piece.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chess.board import (
    BETWEEN,
    BISHOP,
    EVERYWHERE,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    LAST_RANKS,
    NOWHERE,
    PAWN,
    PAWN_STEPS,
    QUEEN,
    ROOK,
    SLANTED,
    STRAIGHT,
    ahead,
    attackers,
    kind_at,
    lowest,
    slanted,
    straight,
)
from kingmaker.games.parts.grid import BIT, ONE

MOST = 256  # more than the 218 moves of the richest position known
HALF = MOST // 2  # two moves fit one word
HOME = (np.uint64(0x000000000000FF00), np.uint64(0x00FF000000000000))
SHORT_PATH, LONG_PATH = np.uint64(0x60), np.uint64(0x0E)  # white's squares that must be empty; black's are 56 higher
DEARNESS = np.array([1, 3, 3, 5, 9, 0])  # 0 for the king, which captures only what is not guarded
CORNER = np.array([0, 56])


@kernel
def legal_moves(state, seat, out, loud):
    """Write the legal moves and return their number; with `loud` only captures and promotions, but in check all."""
    us, them = state.sides[seat], state.sides[1 - seat]
    taken = us | them
    king = lowest(state.pieces[KING] & us)
    goal = them if loud and not state.check else EVERYWHERE
    count = king_moves(state, seat, king, goal & ~us, out)
    if state.check:
        checkers = attackers(state, king, seat, taken)
        if checkers & (checkers - ONE):
            return count  # double check: only the king can move
        goal = checkers | BETWEEN[king * 64 + lowest(checkers)]
    elif not loud:
        count = castlings(state, seat, king, taken, out, count)
    pinned, queens = NOWHERE, state.pieces[QUEEN]
    snipers = them & (
        (STRAIGHT[king] & (state.pieces[ROOK] | queens)) | (SLANTED[king] & (state.pieces[BISHOP] | queens))
    )
    while snipers:
        path = BETWEEN[king * 64 + lowest(snipers)]
        blockers = path & taken
        if blockers & us and blockers & (blockers - ONE) == NOWHERE:
            pinned |= blockers
            line = goal & (path | (snipers & ~(snipers - ONE)))
            count = piece_moves(state, blockers, line & ~us, taken, out, count)
            count = pawn_moves(state, seat, blockers, line, taken, loud, out, count)
        snipers &= snipers - ONE
    count = pawn_moves(state, seat, us & ~pinned, goal, taken, loud, out, count)
    if state.passing >= 0:
        count = captures_in_passing(state, seat, king, taken, out, count)
    return piece_moves(state, us & ~pinned, goal & ~us, taken, out, count)


@kernel
def written(square, goals, out, count):
    """Write a move to each of the goals."""
    while goals:
        out[count] = square | lowest(goals) << 6
        count += 1
        goals &= goals - ONE
    return count


@kernel
def king_moves(state, seat, king, goal, out):
    """The king's steps to squares that are not attacked once it has left its own square."""
    goals = KING_STEPS[king] & goal
    rest = (state.sides[0] | state.sides[1]) & ~BIT[king]
    count = 0
    while goals:
        to = lowest(goals)
        if attackers(state, to, seat, rest) == NOWHERE:
            out[count] = king | to << 6
            count += 1
        goals &= goals - ONE
    return count


@kernel
def castlings(state, seat, king, taken, out, count):
    """Two steps towards a rook that, like the king, never moved: nothing between them, no attack on the king's path."""
    rights = (state.rights >> (2 * seat)) & 3
    if rights:
        row = taken >> np.uint64(CORNER[seat])
        if (
            rights & 1
            and row & SHORT_PATH == NOWHERE
            and unseen(state, king + 1, seat, taken)
            and unseen(state, king + 2, seat, taken)
        ):
            out[count] = king | (king + 2) << 6
            count += 1
        if (
            rights & 2
            and row & LONG_PATH == NOWHERE
            and unseen(state, king - 1, seat, taken)
            and unseen(state, king - 2, seat, taken)
        ):
            out[count] = king | (king - 2) << 6
            count += 1
    return count


@kernel
def unseen(state, square, seat, taken):
    return attackers(state, square, seat, taken) == NOWHERE


@kernel
def piece_moves(state, movers, goal, taken, out, count):
    """The moves of the movers that are neither pawns nor kings."""
    queens = state.pieces[QUEEN]
    group = movers & state.pieces[KNIGHT]
    while group:
        square = lowest(group)
        count = written(square, KNIGHT_STEPS[square] & goal, out, count)
        group &= group - ONE
    group = movers & (state.pieces[BISHOP] | queens)
    while group:
        square = lowest(group)
        count = written(square, slanted(square, taken) & goal, out, count)
        group &= group - ONE
    group = movers & (state.pieces[ROOK] | queens)
    while group:
        square = lowest(group)
        count = written(square, straight(square, taken) & goal, out, count)
        group &= group - ONE
    return count


@kernel
def pawn_moves(state, seat, movers, goal, taken, loud, out, count):
    """The pawn moves of the movers, without en passant captures."""
    pawns = movers & state.pieces[PAWN]
    them = state.sides[1 - seat]
    way = 8 - 16 * seat
    free = ahead(pawns, seat) & ~taken
    twice = ahead(free & ahead(HOME[seat], seat), seat) & ~taken & goal
    once = free & goal
    if loud and not state.check:
        once = free & LAST_RANKS
        twice = NOWHERE
    while pawns:
        square = lowest(pawns)
        count = pawn_written(square, PAWN_STEPS[seat * 64 + square] & them & goal, out, count)
        pawns &= pawns - ONE
    while once:
        to = lowest(once)
        count = pawn_written(to - way, once & ~(once - ONE), out, count)
        once &= once - ONE
    while twice:
        to = lowest(twice)
        out[count] = (to - 2 * way) | to << 6
        count += 1
        twice &= twice - ONE
    return count


@kernel
def pawn_written(square, goals, out, count):
    """Write a pawn's move to each of the goals, on the last rank once for each promotion, the queen first."""
    while goals:
        to = lowest(goals)
        move = square | to << 6
        if LAST_RANKS & BIT[to]:
            for kind in range(QUEEN, PAWN, -1):
                out[count] = move | kind << 12
                count += 1
        else:
            out[count] = move
            count += 1
        goals &= goals - ONE
    return count


@kernel
def captures_in_passing(state, seat, king, taken, out, count):
    """Write the legal en passant captures."""
    pawns = PAWN_STEPS[(1 - seat) * 64 + state.passing] & state.pieces[PAWN] & state.sides[seat]
    while pawns:
        square = lowest(pawns)
        if may_pass(state, seat, king, square, state.passing, taken):
            out[count] = square | state.passing << 6
            count += 1
        pawns &= pawns - ONE
    return count


@kernel
def may_pass(state, seat, king, square, to, taken):
    """Is the king safe after the pawn on `square` captures en passant to `to`?"""
    gone = BIT[to - 8 + 16 * seat]
    after = (taken ^ BIT[square] ^ gone) | BIT[to]
    return attackers(state, king, seat, after) & ~gone == NOWHERE


@kernel
def has_move(state, seat):
    """Is there a legal move? The quick tests first: a pawn that cannot be pinned and can step forward, then the king's
    steps.
    """
    us, taken = state.sides[seat], state.sides[0] | state.sides[1]
    king = lowest(state.pieces[KING] & us)
    if not state.check:
        pawns = state.pieces[PAWN] & us & ~(STRAIGHT[king] | SLANTED[king])
        if ahead(pawns, seat) & ~taken:
            return True
    goals = KING_STEPS[king] & ~us
    while goals:
        if attackers(state, lowest(goals), seat, taken & ~BIT[king]) == NOWHERE:
            return True
        goals &= goals - ONE
    return legal_moves(state, seat, scratch(HALF).view(np.int32), False) > 0


@kernel
def loudest_first(state, seat, out, count):
    """Bring captures to the front, ordered by most valuable victim, then least valuable attacker (MVV-LVA)."""
    them = state.sides[1 - seat]
    front = 0
    for i in range(count):
        move = out[i]
        if them & BIT[(move >> 6) & 63] or move >> 12 == QUEEN:
            out[i] = out[front]
            weight, j = loudness(state, move), front
            while j > 0 and loudness(state, out[j - 1]) < weight:
                out[j] = out[j - 1]
                j -= 1
            out[j] = move
            front += 1
    return count


@kernel
def worthwhile(state, seat, out, count):
    """Keep promotions to a queen, and captures that do not give a more valuable piece for a guarded one; returns how
    many.
    """
    taken, kept = state.sides[0] | state.sides[1], 0
    for i in range(count):
        move = out[i]
        start, to, promotion = move & 63, (move >> 6) & 63, move >> 12
        gain = DEARNESS[kind_at(state, to)] - DEARNESS[kind_at(state, start)]
        if promotion == QUEEN or (
            promotion == 0 and (gain >= 0 or attackers(state, to, seat, taken ^ BIT[start]) == NOWHERE)
        ):
            out[kept] = move
            kept += 1
    return kept


@kernel
def loudness(state, move):
    return (kind_at(state, (move >> 6) & 63) + (move >> 12)) * 8 - kind_at(state, move & 63)
