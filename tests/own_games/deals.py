"""Rounds of open cards, each newly dealt: the smallest game with a chance event that nobody can list.

A deal is made from the number that `roll` draws, one of two thousand million, so no search looks beyond it. When all
have played, a coin, which can be listed, says whether the highest or the lowest card takes the round.
"""

import numpy as np

from kingmaker import CHANCE, OVER, Estimate, Facts, Game, below, unit

CARDS = 2  # a seat holds in every round
RANKS = 16


class Rounds(Estimate):
    """The rounds taken so far."""

    within_total = True

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = state.taken[seat]


class Deals(Game):
    """One card of two in every round; highest or lowest wins it."""

    facts = Facts(seats=(2, 4), chance=True, out_of_turn=True, low=0.0, high=4.0, total=4.0)
    estimates = (Rounds(),)
    State = np.dtype(
        [
            ("cards", np.int8, (4, CARDS)),
            ("laid", np.int8, (4,)),
            ("taken", np.int8, (4,)),
            ("left", np.int8),  # rounds
            ("dealt", np.int8),
            ("turn", np.int8),
        ],
        align=True,
    )
    max_moves, max_outcomes = CARDS, 2

    def __init__(self, seats=3, rounds=2):
        self.seats, self.rounds = seats, rounds
        self.require(1 <= rounds <= 4, f"expected 1 to 4 rounds, got {rounds}")

    def start(self, state, rng):
        state.left = self.rounds

    def mover(self, state):
        if state.left == 0:
            return OVER
        return state.turn if state.dealt and state.turn < self.seats else CHANCE

    def moves(self, state, seat, out):
        for card in range(CARDS):
            out[card] = card
        return CARDS

    def can_list(self, state):
        return state.dealt == 1

    def outcomes(self, state, out, odds):
        out[0], out[1] = 0, 1
        odds[0], odds[1] = 0.75, 0.25
        return 2

    def roll(self, state, rng):
        if state.dealt:
            return 0 if unit(rng) < 0.75 else 1
        return below(rng, 2**31 - 1)

    def play(self, state, seat, move):
        if seat != CHANCE:
            state.laid[seat] = state.cards[seat, move]
            state.turn += 1
        elif state.dealt:
            self.settle(state, move)
        else:
            word = move
            for each in range(self.seats):
                for card in range(CARDS):
                    word = (word * 1103515245 + 12345) % 2**31
                    state.cards[each, card] = (word >> 16) % RANKS
            state.dealt, state.turn = 1, 0

    def settle(self, state, lowest):
        """Give the round to the highest card, or to the lowest; of equal ones to the first."""
        best = 0
        for seat in range(1, self.seats):
            if state.laid[seat] < state.laid[best] if lowest else state.laid[seat] > state.laid[best]:
                best = seat
        state.taken[best] += 1
        state.left -= 1
        state.dealt, state.turn = 0, 0
        for seat in range(self.seats):
            state.laid[seat] = 0
            for card in range(CARDS):
                state.cards[seat, card] = 0

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = state.taken[seat]

    def admits(self, state):
        return 0 <= state.left <= self.rounds and 0 <= state.turn <= self.seats and 0 <= state.dealt <= 1
