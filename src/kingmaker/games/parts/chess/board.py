"""The chess board as 64-bit words: which squares a piece attacks from where it stands.

Square 0 is a1, 7 is h1, 63 is h8. The attacks of a sliding piece are found one line at a time: one multiplication
gathers the six inner squares of the line into an index, and a table says how far the piece reaches (*kindergarten
bitboards*). All tables together take less than 50 kB.

    G. Pfeiffer, U. Kuehnel. Kindergarten Bitboards. Chess Programming Wiki.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import draw, stream
from kingmaker.games.parts.grid import ONE, popcount

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
GOING, MATE, STALEMATE, MATERIAL, FIFTY, REPETITION = range(6)  # whether and how a game is over
NOWHERE, EVERYWHERE = np.uint64(0), np.uint64(2**64 - 1)
A_FILE, B_FILE, INNER = np.uint64(0x0101010101010101), np.uint64(0x0202020202020202), np.uint64(58)
SLOPE = np.uint64(0x0080402010080400)  # c2 to h7: gathers a file
DARK = np.uint64(0xAA55AA55AA55AA55)
LAST_RANKS, EIGHT = np.uint64(0xFF000000000000FF), np.uint64(8)
NOT_A, NOT_H = ~A_FILE, ~np.uint64(0x8080808080808080)
SEVEN, NINE = np.uint64(7), np.uint64(9)


def word(squares):
    return sum(1 << square for square in squares)


def on_board(square, down, right, most=7):
    """The squares met when walking from a square in one direction."""
    row, column = square // 8 + down, square % 8 + right
    while 0 <= row < 8 and 0 <= column < 8 and most:
        yield row * 8 + column
        row, column, most = row + down, column + right, most - 1


def steps(ways):
    """For every square the squares one step away."""
    return np.array([word(to for way in ways for to in on_board(square, *way, 1)) for square in range(64)], np.uint64)


def both_ways(down, right):
    """For every square the rest of its line."""
    lines = ([*on_board(square, down, right), *on_board(square, -down, -right)] for square in range(64))
    return np.array([word(line) for line in lines], np.uint64)


def seen(place, inner):
    """The places of a line of eight that a sliding piece reaches from one of them; the bits of `inner` are the taken
    ones of the six inner places.
    """
    taken, found = inner << 1, 0
    for step in (1, -1):
        at = place + step
        while 0 <= at < 8:
            found |= 1 << at
            if taken >> at & 1:
                break
            at += step
    return found


def between():
    """For every two squares of a line the squares between them."""
    table = np.zeros(64 * 64, np.uint64)
    for square in range(64):
        for way in STRAIGHT_WAYS + SLANTED_WAYS:
            line = list(on_board(square, *way))
            for i, to in enumerate(line):
                table[square * 64 + to] = word(line[:i])
    return table


def random_words(count):
    rng = stream(0, "chess")
    with np.errstate(over="ignore"):
        return np.array([draw(rng) for _ in range(count)], np.uint64)


STRAIGHT_WAYS, SLANTED_WAYS = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT_STEPS = steps([(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)])
KING_STEPS = steps(STRAIGHT_WAYS + SLANTED_WAYS)
# where a pawn captures; [seat * 64 + square]
PAWN_STEPS = np.concatenate([steps([(1, -1), (1, 1)]), steps([(-1, -1), (-1, 1)])])
RANK, RISING, FALLING = both_ways(0, 1), both_ways(1, 1), both_ways(1, -1)
STRAIGHT, SLANTED = RANK | both_ways(1, 0), RISING | FALLING
ROW_SEEN = np.array([seen(file, inner) * int(A_FILE) for file in range(8) for inner in range(64)], np.uint64)
FILE_SEEN = np.array(
    [
        word(8 * (7 - row) for row in range(8) if seen(7 - rank, inner) >> row & 1)
        for rank in range(8)
        for inner in range(64)
    ],
    np.uint64,
)
BETWEEN = between()
KEYS = random_words(2 * 6 * 64)  # [(seat * 6 + kind) * 64 + square]
RIGHTS_KEYS, FILE_KEYS, SEAT_KEY = (
    random_words(2 * 6 * 64 + 16)[-16:],
    random_words(2 * 6 * 64 + 24)[-8:],
    random_words(800)[-1],
)


@kernel
def lowest(squares):
    """The first square of a set that is not empty."""
    return popcount(~squares & (squares - ONE))


@kernel
def along(line, taken, square):
    """The squares reached on a rank or diagonal, including the first taken one in each direction."""
    return line & ROW_SEEN[(square & 7) * 64 + np.int64(((line & taken) * B_FILE) >> INNER)]


@kernel
def slanted(square, taken):
    """The squares that a bishop attacks."""
    return along(RISING[square], taken, square) | along(FALLING[square], taken, square)


@kernel
def straight(square, taken):
    """The squares that a rook attacks."""
    file = np.uint64(square & 7)
    column = (((taken >> file) & A_FILE) * SLOPE) >> INNER
    return along(RANK[square], taken, square) | (FILE_SEEN[(square >> 3) * 64 + np.int64(column)] << file)


@kernel
def attackers(state, square, seat, taken):
    """The pieces of the other seat that attack a square of `seat`, where `taken` are the squares that block."""
    queens = state.pieces[QUEEN]
    return state.sides[1 - seat] & (
        (KNIGHT_STEPS[square] & state.pieces[KNIGHT])
        | (PAWN_STEPS[seat * 64 + square] & state.pieces[PAWN])
        | (KING_STEPS[square] & state.pieces[KING])
        | (slanted(square, taken) & (state.pieces[BISHOP] | queens))
        | (straight(square, taken) & (state.pieces[ROOK] | queens))
    )


@kernel
def kind_at(state, square):
    """The kind of the piece on a square; 0 (a pawn) if the square is empty."""
    shift, pieces = np.uint64(square), state.pieces
    found = (pieces[KNIGHT] >> shift) & ONE
    for kind in range(BISHOP, KING + 1):
        found |= ((pieces[kind] >> shift) & ONE) * np.uint64(kind)
    return np.int64(found)


@kernel
def ahead(squares, seat):
    """The squares one step forward."""
    return squares << EIGHT if seat == 0 else squares >> EIGHT


@kernel
def pawn_aims(pawns, seat):
    """All squares that a seat's pawns attack."""
    forward = ahead(pawns, seat)
    return ((forward & NOT_A) >> ONE) | ((forward & NOT_H) << ONE)
