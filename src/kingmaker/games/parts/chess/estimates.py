"""Estimates for chess: material with piece-square tables, and a stronger one.

Both count in hundredths of a pawn and map the count c to the scale of the payoffs as ½ + ½ c / (600 + |c|), in whole
grains, so that the values of the two seats always sum to 1 and compiled and interpreted code agree to the last bit. A
mate is worth one grain less for every ply it takes, so that the fastest mate is played. They measure in pawns.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.kernel import kernel
from kingmaker.games.parts.chess.board import (
    A_FILE,
    BISHOP,
    EIGHT,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    NOT_A,
    NOT_H,
    NOWHERE,
    PAWN,
    ROOK,
    ahead,
    lowest,
    pawn_aims,
    slanted,
    straight,
)
from kingmaker.games.parts.chess.weights import AFTER, BEFORE, PASSED_AFTER, PASSED_BEFORE, SIMPLE
from kingmaker.games.parts.grid import BIT, ONE, popcount

GRAIN = 2.0**-20  # values are whole multiples of this, so that sums of them are exact
HALFWAY = 600.0  # a lead of so many hundredths of a pawn is halfway between a draw and a win
MOST_LEAD = 0.96  # more than any material can give, less than a mate
WORTH = np.array([100, 320, 330, 500, 900, 0])
PHASE = np.array([0, 1, 1, 2, 4, 0])  # weight of a piece in the game phase; the sum is 24 at the start
SIXTEEN, THIRTY_TWO = np.uint64(16), np.uint64(32)
MOBILITY_BEFORE, MOBILITY_AFTER = np.array([0, 4, 4, 2, 1, 0]), np.array([0, 4, 5, 4, 5, 0])
USUAL = np.array([0, 4, 6, 7, 13, 0])  # number of squares that counts as average mobility
SIEGE = np.array([0, 2, 2, 3, 5, 0])  # weight of an attack on the squares around the king
PAIR_BEFORE, PAIR_AFTER = 28, 48
DOUBLED_BEFORE, DOUBLED_AFTER, ISOLATED_BEFORE, ISOLATED_AFTER = 8, 18, 12, 14
OPEN, HALF_OPEN, SHIELD, TEMPO = 24, 12, 9, 12


@kernel
def write_share(count, out):
    """Turn hundredths of a pawn, seen from white, into shares of 1."""
    grains = np.floor(abs(count) / (HALFWAY + abs(count)) * 0.5 / GRAIN) * GRAIN
    out[0] = 0.5 + grains if count > 0 else 0.5 - grains
    out[1] = 1.0 - out[0]


def score_text(value: float, ply: int) -> str:
    """A value as chess engines write it: `cp 35`, or `mate 3` if the search has found a mate."""
    lead = 2.0 * value - 1.0
    plies = round(min(value, 1.0 - value) / GRAIN) - ply
    if abs(lead) > MOST_LEAD and plies >= 0:
        return f"mate {(plies + 1) // 2 if lead > 0 else -(plies // 2)}"
    return f"cp {round(HALFWAY * lead / (1.0 - min(abs(lead), MOST_LEAD)))}"


@kernel
def material(state, seat):
    """The value of a seat's pieces."""
    total = 0
    for kind in range(PAWN, KING):
        total += WORTH[kind] * popcount(state.pieces[kind] & state.sides[seat])
    return total


@kernel
def can_mate(state, seat):
    """Has the seat more than a single minor piece?"""
    return (
        material(state, seat) > WORTH[BISHOP]
        or (state.pieces[PAWN] | state.pieces[ROOK]) & state.sides[seat] != NOWHERE
    )


class MaterialAndSquares(Estimate):
    """The value of the pieces, and a little for the squares on which they stand (piece-square tables)."""

    unit = "pawn"
    within_total = True
    has_intervals = True

    def value(self, game, state, out):
        write_share(self.lead(state), out)

    def measure(self, game, state, out):
        """Plus and minus half of the lead, so that the difference of the two seats is the lead."""
        lead = self.lead(state)
        out[0], out[1] = lead / 200, -lead / 200

    def widest_edge(self, game):
        """MOST_LEAD in pawns, more than any material can give."""
        return round(HALFWAY * MOST_LEAD / (1.0 - MOST_LEAD)) / 100

    def lead(self, state):
        """Hundredths of a pawn by which white is ahead."""
        return self.count(state, 0) - self.count(state, 1)

    def count(self, state, seat):
        turn = 56 * seat  # for black the board is mirrored
        total = material(state, seat)
        for kind in range(6):
            group = state.pieces[kind] & state.sides[seat]
            while group:
                total += SIMPLE[kind * 64 + (lowest(group) ^ turn)]
                group &= group - ONE
        return total

    def final(self, game, state, out):
        """The payoff; a faster mate is better for the winner, a slower one for the loser."""
        game.payoff(state, out)
        for seat in range(2):
            if out[seat] != 0.5:
                out[seat] = state.ply * GRAIN if out[seat] == 0.0 else 1.0 - state.ply * GRAIN

    def interval(self, game, state, low, high):
        """From the loss of all own pieces to the loss of all pieces of the other seat; a seat that cannot mate any more
        gets at most half a point.
        """
        if state.over:
            self.final(game, state, low)
            self.final(game, state, high)
            return
        self.value(game, state, low)
        mine = low[0]
        most = material(state, 0) if can_mate(state, 0) else 0
        least = material(state, 1) if can_mate(state, 1) else 0
        write_share(-least, low)
        write_share(most, high)
        low[0], high[0] = min(low[0], mine), max(high[0], mine)
        low[1], high[1] = 1.0 - high[0], 1.0 - low[0]


class Positional(MaterialAndSquares):
    """Piece-square tables, mobility, pawn structure, open files and king safety.

    Every part has one value for the middle game (`before`) and one for the endgame (`after`), which are blended by the
    pieces left on the board (tapered evaluation). A seat that cannot mate is never ahead.
    """

    def lead(self, state):
        before = self.pawns(state, 0, PASSED_BEFORE, DOUBLED_BEFORE, ISOLATED_BEFORE)
        before -= self.pawns(state, 1, PASSED_BEFORE, DOUBLED_BEFORE, ISOLATED_BEFORE)
        after = self.pawns(state, 0, PASSED_AFTER, DOUBLED_AFTER, ISOLATED_AFTER)
        after -= self.pawns(state, 1, PASSED_AFTER, DOUBLED_AFTER, ISOLATED_AFTER)
        phase = 0
        for seat in range(2):
            sign = 1 - 2 * seat
            first, last, weight = self.pieces(state, seat)
            before += sign * (first + self.shelter(state, seat))
            after += sign * last
            phase += weight
        phase = min(phase, 24)
        count = (before * phase + after * (24 - phase)) // 24 + (TEMPO if state.seat == 0 else -TEMPO)
        if not can_mate(state, 0 if count > 0 else 1):
            count = 0
        return count

    def pieces(self, state, seat):
        """Squares, mobility and attack of a seat's pieces: their value in the middle game, in the endgame, and their
        weight in the game phase.
        """
        us, them = state.sides[seat], state.sides[1 - seat]
        taken, turn = us | them, 56 * seat
        open_to = ~(us | pawn_aims(state.pieces[PAWN] & them, 1 - seat))
        zone = KING_STEPS[lowest(state.pieces[KING] & them)]
        before, after, phase, siege, besiegers = 0, 0, 0, 0, 0
        for kind in range(6):
            group = state.pieces[kind] & us
            while group:
                square = lowest(group)
                group &= group - ONE
                before += BEFORE[kind * 64 + (square ^ turn)]
                after += AFTER[kind * 64 + (square ^ turn)]
                if PAWN < kind < KING:
                    seen = self.seen(state, kind, square, taken)
                    free = popcount(seen & open_to) - USUAL[kind]
                    before += MOBILITY_BEFORE[kind] * free
                    after += MOBILITY_AFTER[kind] * free
                    phase += PHASE[kind]
                    if seen & zone:
                        besiegers += 1
                        siege += SIEGE[kind] * popcount(seen & zone)
                    if kind == ROOK:
                        before += self.openness(state, us, square)
        if besiegers > 1:
            before += min(siege * besiegers, 300)
        if popcount(state.pieces[BISHOP] & us) > 1:
            before += PAIR_BEFORE
            after += PAIR_AFTER
        return before, after, phase

    def seen(self, state, kind, square, taken):
        if kind == KNIGHT:
            return KNIGHT_STEPS[square]
        if kind == BISHOP:
            return slanted(square, taken)
        if kind == ROOK:
            return straight(square, taken)
        return slanted(square, taken) | straight(square, taken)

    def openness(self, state, us, square):
        """The value of a rook's file: open, half-open or closed."""
        pawns = state.pieces[PAWN] & (A_FILE << np.uint64(square & 7))
        return OPEN if pawns == NOWHERE else HALF_OPEN if pawns & us == NOWHERE else 0

    def pawns(self, state, seat, passed_worth, doubled, isolated):
        """Passed, doubled and isolated pawns."""
        mine, theirs = state.pieces[PAWN] & state.sides[seat], state.pieces[PAWN] & state.sides[1 - seat]
        fronts = filled(ahead(theirs, 1 - seat), 1 - seat)
        fronts |= sideways(fronts)
        files = filled(filled(mine, 0), 1)
        total = -doubled * popcount(mine & filled(ahead(mine, seat), seat)) - isolated * popcount(
            mine & ~sideways(files)
        )
        passed = mine & ~fronts & ~filled(ahead(mine, 1 - seat), 1 - seat)
        while passed:
            total += passed_worth[(lowest(passed) ^ (56 * seat)) >> 3]
            passed &= passed - ONE
        return total

    def shelter(self, state, seat):
        """Own pawns in the two rows before the king."""
        near = BIT[lowest(state.pieces[KING] & state.sides[seat])]
        near |= sideways(near)
        near = ahead(near, seat)
        return SHIELD * popcount((near | ahead(near, seat)) & state.pieces[PAWN] & state.sides[seat])


@kernel
def sideways(squares):
    """The squares to the left and right of these."""
    return ((squares & NOT_A) >> ONE) | ((squares & NOT_H) << ONE)


@kernel
def filled(squares, seat):
    """The squares and all squares ahead of them."""
    if seat == 0:
        squares |= squares << EIGHT
        squares |= squares << SIXTEEN
        return squares | squares << THIRTY_TWO
    squares |= squares >> EIGHT
    squares |= squares >> SIXTEEN
    return squares | squares >> THIRTY_TWO
