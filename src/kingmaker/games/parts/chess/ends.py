"""How a game of chess ends: by mate or stalemate, or as a draw that needs no claim."""

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.chess.board import (
    BISHOP,
    DARK,
    FIFTY,
    KEYS,
    KING,
    KNIGHT,
    MATE,
    MATERIAL,
    NOWHERE,
    PAWN,
    QUEEN,
    REPETITION,
    ROOK,
    STALEMATE,
    attackers,
    lowest,
)
from kingmaker.games.parts.chess.moves import has_move
from kingmaker.games.parts.grid import ONE

LONGEST = 100  # plies without capture or pawn move, then it is a draw
SQUARE, KIND = 63, 7 << 12  # the bits of a move of the line: where it began, and the kind of the piece


@kernel
def judge(state, seat):
    """Note whether the seat to move is in check and whether the game is over."""
    king = lowest(state.pieces[KING] & state.sides[seat])
    state.check = attackers(state, king, seat, state.sides[0] | state.sides[1]) != NOWHERE
    if not has_move(state, seat):
        state.over = MATE if state.check else STALEMATE
    elif dead(state):
        state.over = MATERIAL
    elif state.clock >= LONGEST:
        state.over = FIFTY
    elif state.length >= 4 and repeated(state):
        state.over = REPETITION


@kernel
def dead(state):
    """Can neither side mate any more? True for a single minor piece, or bishops that are all on one colour."""
    if state.pieces[PAWN] | state.pieces[ROOK] | state.pieces[QUEEN]:
        return False
    knights, bishops = state.pieces[KNIGHT], state.pieces[BISHOP]
    if knights:
        return bishops == NOWHERE and knights & (knights - ONE) == NOWHERE
    return bishops & DARK == NOWHERE or bishops & ~DARK == NOWHERE


@kernel
def returned(state):
    """Has a piece of the same kind and seat left the square to which the last move went? No position can have occurred
    twice without that, and it is found sooner.
    """
    last = state.line[state.length - 1]
    left = (last >> 6) & SQUARE | last & KIND
    for i in range(state.length - 3, -1, -2):
        if state.line[i] & (SQUARE | KIND) == left:
            return True
    return False


@kernel
def repeated(state):
    """Has the position occurred three times? The line is walked back to find where all pieces stood as they do now."""
    change, seen = NOWHERE, 0
    if not returned(state):
        return False
    for back in range(1, state.length + 1):
        move = state.line[state.length - back]
        at = ((state.seat ^ (back & 1)) * 6 + (move >> 12)) * 64
        change ^= KEYS[at + (move & 63)] ^ KEYS[at + ((move >> 6) & 63)]
        if change == NOWHERE and back & 1 == 0:
            seen += 1
            state.twice = 1
    return seen >= 2
