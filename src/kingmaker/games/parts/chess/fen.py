"""Forsyth-Edwards Notation: a chess position as one line of text, written and read; an impossible position is refused.

    S. Edwards. Portable Game Notation Specification and Implementation Guide, section 16. 1994.

A draw by repetition depends on earlier positions, so the moves since the last irreversible one may follow the six
fields after the word `after`, in coordinates: `… w - - 4 31 after g1f3 g8f6 f3g1 f6g8`.
"""

import re

from kingmaker.core.errors import BadPosition
from kingmaker.games.parts.chess.board import KING, KNIGHT, LAST_RANKS, PAWN, ROOK, attackers, lowest
from kingmaker.games.parts.grid import BIT, popcount

LETTERS = "pnbrqk"
NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
SEATS = ("white", "black")
RIGHTS = "KQkq"
MOST_MOVES = 10_000
BEGUN = (1, 2, 2, 2, 1, 1)  # how many of each kind a seat begins with; the entry for pawns is not used


def square_name(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def square_from(text):
    return ord(text[0]) - ord("a") + 8 * (int(text[1]) - 1)


def move_name(move: int) -> str:
    """A move in coordinates, as UCI writes it: e2e4, e7e8q."""
    return square_name(move & 63) + square_name((move >> 6) & 63) + (LETTERS[move >> 12] if move >> 12 else "")


def move_from(text):
    """The move behind coordinates like g1f3, without promotion."""
    if not re.fullmatch("([a-h][1-8]){2}", text):
        raise BadPosition(f"expected a move in coordinates like g1f3 after the position, got '{text}'")
    return square_from(text) | square_from(text[2:]) << 6


def board_rows(state):
    """Eight texts of eight letters, the eighth rank first; white's pieces in capitals, empty squares as dots."""
    cells = ["."] * 64
    white = int(state.sides[0])
    for letter, word in zip(LETTERS, state.pieces.tolist()):
        for square in range(64):
            if word >> square & 1:
                cells[square] = letter.upper() if white >> square & 1 else letter
    return ["".join(cells[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1)]


def fen(state):
    """The six fields of FEN."""
    rows = "/".join(re.sub(r"\.+", lambda dots: str(len(dots.group())), row) for row in board_rows(state))
    rights = "".join(letter for i, letter in enumerate(RIGHTS) if state.rights >> i & 1) or "-"
    passing = square_name(state.passing) if state.passing >= 0 else "-"
    return f"{rows} {'wb'[state.seat]} {rights} {passing} {state.clock} {state.ply // 2 + 1}"


def line_of(state):
    """The moves since the last irreversible one."""
    return [int(move) & 4095 for move in state.line[: state.length]]


def read_fen(state, text):
    """Fill an empty state from six fields, or four: board, seat, castling, en passant square, clock and move number.

    The key, the check and the end of the game are left to the caller; the en passant square is kept even if no pawn can
    capture there.
    """
    parts = text.split()
    if len(parts) not in (4, 6):
        raise BadPosition(
            f"expected 4 or 6 fields (board, side to move, castling, en passant, clock, move number), got '{text}'"
        )
    read_board(state, parts[0])
    if parts[1] not in ("w", "b"):
        raise BadPosition(f"expected w or b as the side to move, got '{parts[1]}' in '{text}'")
    state.seat = "wb".index(parts[1])
    check_pieces(state)
    read_rights(state, parts[2])
    read_passing(state, parts[3])
    clock, number = parts[4:] or ("0", "1")
    if not (re.fullmatch("[0-9]{1,3}", clock) and int(clock) <= 100):
        raise BadPosition(f"expected a clock of 0 to 100 plies without capture or pawn move, got '{clock}' in '{text}'")
    if not (re.fullmatch("[0-9]{1,5}", number) and 1 <= int(number) <= MOST_MOVES):
        raise BadPosition(f"expected a move number of 1 to {MOST_MOVES}, got '{number}' in '{text}'")
    state.clock, state.ply = int(clock), 2 * (int(number) - 1) + state.seat
    check_kings(state)


def read_board(state, text):
    rows = text.split("/")
    if len(rows) != 8:
        raise BadPosition(f"expected 8 ranks divided by /, got {len(rows)} in '{text}'")
    for rank, row in zip(range(7, -1, -1), rows):
        cells = re.sub("[1-8]", lambda digit: "." * int(digit.group()), row)
        if len(cells) != 8 or set(cells.lower()) - set(LETTERS + "."):
            raise BadPosition(f"expected 8 squares of pieces {LETTERS} or numbers on rank {rank + 1}, got '{row}'")
        for file, letter in enumerate(cells):
            if letter != ".":
                square = 8 * rank + file
                state.pieces[LETTERS.index(letter.lower())] |= BIT[square]
                state.sides[0 if letter.isupper() else 1] |= BIT[square]


def check_pieces(state):
    """Refuse sets of pieces that no game can lead to."""
    pieces, sides = state.pieces.tolist(), state.sides.tolist()
    for seat, side in enumerate(SEATS):
        counts = [(word & sides[seat]).bit_count() for word in pieces]
        if counts[KING] != 1:
            raise BadPosition(f"{side} has {counts[KING]} kings, expected 1")
        if counts[PAWN] > 8:
            raise BadPosition(f"{side} has {counts[PAWN]} pawns, expected at most 8")
        promoted = sum(max(0, counts[kind] - BEGUN[kind]) for kind in range(KNIGHT, KING))
        if promoted > 8 - counts[PAWN]:
            raise BadPosition(
                f"{side} has {promoted} promoted pieces, but only {8 - counts[PAWN]} of its pawns are gone"
            )
    edge = pieces[PAWN] & int(LAST_RANKS)
    if edge:
        raise BadPosition(
            f"a pawn stands on {square_name((edge & -edge).bit_length() - 1)}; "
            "pawns cannot be on the first or last rank"
        )


def read_rights(state, text):
    letters = "" if text == "-" else text
    if not text or set(letters) - set(RIGHTS) or len(set(letters)) != len(letters):
        raise BadPosition(f"expected castling rights from {RIGHTS} or -, got '{text}'")
    for letter in letters:
        i = RIGHTS.index(letter)
        king, rook = 4 + 56 * (i // 2), (7, 0)[i % 2] + 56 * (i // 2)
        own = state.sides[i // 2]
        if not (own & state.pieces[KING] & BIT[king] and own & state.pieces[ROOK] & BIT[rook]):
            where = f"king on {square_name(king)} and rook on {square_name(rook)}"
            raise BadPosition(f"castling right {letter} needs {SEATS[i // 2]}'s {where}")
        state.rights |= 1 << i


def read_passing(state, text):
    """Read the en passant square, which a pawn of the other seat has just passed."""
    state.passing = -1
    if text == "-":
        return
    if not re.fullmatch("[a-h][1-8]", text):
        raise BadPosition(f"expected an en passant square like e3 or -, got '{text}'")
    square, seat = square_from(text), state.seat
    way = 8 - 16 * seat
    taken = state.sides[0] | state.sides[1]
    passed = square >> 3 == (5, 2)[seat] and state.pieces[PAWN] & state.sides[1 - seat] & BIT[square - way]
    if not passed or taken & (BIT[square] | BIT[square + way]):
        raise BadPosition(f"no pawn of {SEATS[1 - seat]} can just have passed over {text}")
    state.passing = square


def check_kings(state):
    taken = state.sides[0] | state.sides[1]
    for seat in (0, 1):
        king = lowest(state.pieces[KING] & state.sides[seat])
        checks = popcount(attackers(state, king, seat, taken))
        if checks and seat != state.seat:
            raise BadPosition(f"{SEATS[seat]} is in check, but it is {SEATS[state.seat]}'s move")
        if checks > 2:
            raise BadPosition(f"{checks} pieces give check to {SEATS[seat]} at once, expected at most 2")
