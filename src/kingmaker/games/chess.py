"""Chess: mate the other king.

Full rules: castling, en passant capture, promotion, check, mate and stalemate, and draws, which here need no claim: the
third repetition of a position, fifty moves of each side without capture or pawn move, and material with which neither
side can mate.

The board is eight machine words, one for each kind of piece and one for each seat. For the rule of repetition a state
holds no list of positions but the moves since the last irreversible one, at most a hundred of two bytes, so that a
state of 288 bytes is copied at every ply.

    FIDE. Laws of Chess. 2023.
"""

import numpy as np

from kingmaker.core.errors import BadPosition, IllegalMove
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import GAMMA, below, mix
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chess.board import (
    FILE_KEYS,
    GOING,
    KEYS,
    KING,
    MATE,
    NOWHERE,
    PAWN,
    PAWN_STEPS,
    QUEEN,
    RIGHTS_KEYS,
    ROOK,
    SEAT_KEY,
    kind_at,
    lowest,
)
from kingmaker.games.parts.chess.ends import LONGEST, judge
from kingmaker.games.parts.chess.estimates import MaterialAndSquares, Positional, score_text
from kingmaker.games.parts.chess.fen import (
    SEATS,
    board_rows,
    check_kings,
    check_pieces,
    fen,
    line_of,
    move_from,
    move_name,
    read_fen,
)
from kingmaker.games.parts.chess.moves import HALF, MOST, legal_moves, loudest_first, may_pass, worthwhile
from kingmaker.games.parts.chess.random_move import random_move
from kingmaker.games.parts.chess.san import read_move, san
from kingmaker.games.parts.grid import BIT, ONE

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LATE = 80  # from this clock on it is part of the key, because the draw by fifty moves is near
ENDS = (
    "",
    "checkmate",
    "stalemate",
    "neither side can mate",
    "fifty moves without capture or pawn move",
    "third repetition",
)
KEEPS = np.full(64, 15)  # the castling rights left when a piece leaves or enters a square
KEEPS[[0, 4, 7, 56, 60, 63]] = 13, 12, 14, 7, 3, 11


class Chess(Game):
    """Mate the other king; `opening` random plies come first, so that matches differ."""

    State = np.dtype(
        [
            ("pieces", np.uint64, (6,)),  # one word for each kind, both seats
            ("sides", np.uint64, (2,)),  # one word for each seat, all kinds
            ("key", np.uint64),
            ("line", np.uint16, (LONGEST,)),  # moves since the last irreversible one: from | to << 6 | kind << 12
            ("ply", np.int16),
            ("length", np.int8),  # of the line
            ("clock", np.int8),  # plies since the last capture or pawn move
            ("rights", np.int8),  # castling: white short 1 and long 2, black short 4 and long 8
            ("passing", np.int8),  # the square of a legal en passant capture, or -1
            ("seat", np.int8),
            ("check", np.int8),
            ("twice", np.int8),  # some position of the line has occurred twice
            ("over", np.int8),
        ],
        align=True,
    )
    seats = 2
    max_moves = MOST
    facts = Facts(seats=(2, 2), low=0.0, high=1.0, total=1.0, constant_sum=True)
    estimates = (MaterialAndSquares(), Positional())

    def __init__(self, opening=0):
        self.opening = opening
        self.require(
            isinstance(opening, int) and 0 <= opening <= 40,
            f"expected 0 to 40 random plies as opening, got {opening!r}",
        )

    def start(self, state, rng):
        out = np.zeros(MOST, np.int64)
        while True:
            begun = self.position(START)
            for name in self.State.names:
                state[name] = begun[name]
            for _ in range(self.opening):
                if state.over == GOING:
                    count = self.moves(state, state.seat, out)
                    self.play(state, state.seat, int(out[below(rng, count)]))
            if state.over == GOING:
                return

    def mover(self, state):
        return state.seat if state.over == GOING else OVER

    def moves(self, state, seat, out):
        return loudest_first(state, seat, out, legal_moves(state, seat, out, False))

    def any_move(self, state, seat, rng, out):
        """Each move is as likely as any other; they need not be listed for that."""
        return random_move(state, seat, rng, out)

    def noisy(self, state, seat, out):
        """Captures that do not lose material at once, and promotions to a queen."""
        return loudest_first(state, seat, out, worthwhile(state, seat, out, legal_moves(state, seat, out, True)))

    def forced(self, state):
        """Is the seat in check? Then quiescence search must look at all moves."""
        return state.check != 0

    def quiet(self, state):
        """No check, no capture and no promotion is pending."""
        if state.check:
            return False
        out = scratch(HALF).view(np.int32)
        return worthwhile(state, state.seat, out, legal_moves(state, state.seat, out, True)) == 0

    def play(self, state, seat, move):
        start, to, promotion = move & 63, (move >> 6) & 63, move >> 12
        kind = kind_at(state, start)
        lasting = kind == PAWN or state.passing >= 0
        state.clock = 0 if kind == PAWN else state.clock + 1
        if state.sides[1 - seat] & BIT[to]:
            lift(state, 1 - seat, kind_at(state, to), to)
            state.clock = 0
            lasting = True
        elif kind == PAWN and to == state.passing:
            lift(state, 1 - seat, PAWN, to - 8 + 16 * seat)
        elif kind == KING and abs(to - start) == 2:
            lift(state, seat, ROOK, to + 1 if to > start else to - 2)
            lift(state, seat, ROOK, (start + to) >> 1)
            lasting = True
        lift(state, seat, kind, start)
        lift(state, seat, promotion if promotion else kind, to)
        if state.passing >= 0:
            state.key ^= FILE_KEYS[state.passing & 7]
            state.passing = -1
        rights = state.rights & KEEPS[start] & KEEPS[to]
        if rights != state.rights:
            state.key ^= RIGHTS_KEYS[state.rights] ^ RIGHTS_KEYS[rights]
            state.rights = rights
            lasting = True
        state.key ^= SEAT_KEY
        state.seat = 1 - seat
        state.ply += 1
        if lasting:
            forget(state)
        else:
            state.line[state.length] = start | to << 6 | kind << 12
            state.length += 1
        if kind == PAWN and abs(to - start) == 16:
            open_passing(state, 1 - seat, (start + to) >> 1)
        judge(state, 1 - seat)

    def payoff(self, state, out):
        """A mated seat gets nothing, a draw is half a point each."""
        out[0] = out[1] = 0.5
        if state.over == MATE:
            out[state.seat] = 0.0
            out[1 - state.seat] = 1.0

    def admits(self, state):
        """The pieces are possible, no two are on one square, no king can be captured, and all fields are in the range
        of the tables.
        """
        pieces, sides = state.pieces.tolist(), state.sides.tolist()
        if (
            sides[0] & sides[1]
            or sum(pieces) != sides[0] | sides[1]
            or not 0 <= state.length <= LONGEST
            or not 0 <= state.seat <= 1
        ):
            return False
        try:
            check_pieces(state)
            with np.errstate(over="ignore"):
                check_kings(state)
        except BadPosition:
            return False
        kinds = [move >> 12 for move in state.line[: state.length].tolist()]
        return (
            0 <= state.rights < 16
            and -1 <= state.passing < 64
            and 0 <= state.clock <= LONGEST
            and 0 <= state.over < len(ENDS)
            and max(kinds, default=0) <= KING
        )

    def key(self, state):
        """The key of the position and its ply; near a draw by clock or repetition also of the clock and the line."""
        word = state.key + np.uint64(state.ply) * GAMMA
        if state.clock >= LATE:
            word = mix(word + np.uint64(state.clock))
        if state.twice:
            for i in range(state.length):
                word = mix(word + np.uint64(state.line[i]))
        return word

    def say(self, state, seat, move):
        """In algebraic notation."""
        start, to, kings = BIT[move & 63], BIT[(move >> 6) & 63], state.pieces[KING]
        if not 0 <= move >> 12 <= QUEEN or not state.sides[seat] & start or (state.sides[seat] | kings) & to:
            raise IllegalMove(f"{move} is no move of {SEATS[seat]} at {fen(state)}; ask legal() for the moves")
        with np.errstate(over="ignore"):
            return san(self, state, move)

    def parse(self, state, seat, text):
        """From algebraic notation or coordinates."""
        with np.errstate(over="ignore"):
            return read_move(self, state, text)

    def show(self, state):
        """The board with white at the bottom, white's pieces in capitals."""
        rows = [f"{8 - i} {' '.join(row)}" for i, row in enumerate(board_rows(state))]
        turn = f"{SEATS[state.seat]} to move" if state.over == GOING else ENDS[state.over]
        return "\n".join(
            [*rows, "  a b c d e f g h", turn + (", in check" if state.check and state.over == GOING else "")]
        )

    def notation(self, state):
        """FEN, and after it the moves on which a draw by repetition may depend."""
        moves = [move_name(move) for move in line_of(state)]
        return fen(state) + (f" after {' '.join(moves)}" if moves else "")

    def uci_position(self, state):
        """The position for chess engines: FEN before those moves, and the moves."""
        moves = [move_name(move) for move in line_of(state)]
        before = self.copy(state)
        with np.errstate(over="ignore"):
            for name in reversed(moves):
                self.take_back(before, name)
        return f"fen {fen(before)}" + (f" moves {' '.join(moves)}" if moves else "")

    def uci_move(self, move):
        """A move as chess engines write it: e2e4, e7e8q."""
        return move_name(move)

    def uci_score(self, state, value):
        """The mover's value as chess engines write it."""
        return score_text(value, int(state.ply))

    def position(self, text):
        """From FEN, with or without the moves that led there."""
        state = self.blank()
        six, _, moves = text.partition(" after ")
        with np.errstate(over="ignore"):
            read_fen(state, six)
            if moves:
                return self.replayed(state, six, moves.split())
            self.settle(state)
        return state

    def settle(self, state):
        """Compute what follows from the board: the key, whether there is a check, and whether the game is over."""
        passing, state.passing = state.passing, -1
        state.key = RIGHTS_KEYS[state.rights] ^ (SEAT_KEY if state.seat else NOWHERE)
        for seat in (0, 1):
            for square in range(64):
                if state.sides[seat] & BIT[square]:
                    state.key ^= KEYS[(seat * 6 + kind_at(state, square)) * 64 + square]
        if passing >= 0:
            open_passing(state, state.seat, passing)
        judge(state, state.seat)

    def replayed(self, state, text, names):
        """The state after moves that end in the given position: they are taken back, then played again."""
        if len(names) > state.clock:
            raise BadPosition(
                f"expected at most {state.clock} moves after the position, as many as "
                f"its clock counts, got {len(names)}"
            )
        for name in reversed(names):
            self.take_back(state, name)
        self.settle(state)
        try:
            for name in names:
                state = self.after(state, self.parse(state, state.seat, name))
        except IllegalMove as fault:
            raise BadPosition(f"{fault}, so it cannot have led to '{text}'") from None
        if fen(state) != text or state.length != len(names):
            raise BadPosition(f"the moves {' '.join(names)} do not lead to '{text}'")
        return state

    def take_back(self, state, name):
        """Take a move back: put its piece on the square where it came from."""
        move = move_from(name)
        start, to = move & 63, (move >> 6) & 63
        state.seat = 1 - state.seat
        if not state.sides[state.seat] & BIT[to] or (state.sides[0] | state.sides[1]) & BIT[start]:
            raise BadPosition(f"the move {name} cannot have led to this position")
        kind = kind_at(state, to)
        lift(state, state.seat, kind, to)
        lift(state, state.seat, kind, start)
        state.clock, state.ply = state.clock - 1, state.ply - 1


@kernel
def lift(state, seat, kind, square):
    """Take a piece off a square, or put it there."""
    state.pieces[kind] ^= BIT[square]
    state.sides[seat] ^= BIT[square]
    state.key ^= KEYS[(seat * 6 + kind) * 64 + square]


@kernel
def forget(state):
    """Empty the line after an irreversible move: no earlier position can occur again."""
    for i in range(state.length):
        state.line[i] = 0
    state.length = 0
    state.twice = 0


@kernel
def open_passing(state, seat, square):
    """A pawn has passed over `square`: note it if `seat` has a pawn that may legally capture it there."""
    pawns = PAWN_STEPS[(1 - seat) * 64 + square] & state.pieces[PAWN] & state.sides[seat]
    king = lowest(state.pieces[KING] & state.sides[seat])
    while pawns:
        if may_pass(state, seat, king, lowest(pawns), square, state.sides[0] | state.sides[1]):
            state.passing = square
            state.key ^= FILE_KEYS[square & 7]
            return
        pawns &= pawns - ONE
