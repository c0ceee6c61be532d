"""Goofspiel for two seats: a prize is turned up, both bid a card at once, and the higher card takes it."""

import numpy as np

import kingmaker as km


class Goofspiel(km.Game):
    """Each seat holds the cards 1 to `cards`, the prizes are the same numbers in random order; who gets more points
    wins.
    """

    State = np.dtype(
        [
            ("held", np.int16, (2,)),  # one bit for each card
            ("prizes", np.int16),  # one bit for each prize that is still face down
            ("prize", np.int8),  # the one that is turned up; 0: none
            ("points", np.int8, (2,)),
            ("bid", np.int8),  # the first bid of a turn that is played in the tree; 0: none
            ("seat", np.int8),
        ],
        align=True,
    )
    seats = 2

    def __init__(self, cards=3):
        self.cards = self.max_moves = self.max_outcomes = cards
        self.facts = km.Facts(
            seats=(2, 2), simultaneous=True, chance=True, low=0.0, high=1.0, total=1.0, constant_sum=True
        )
        self.require(2 <= cards <= 8, f"expected 2 to 8 cards, got {cards}")

    def start(self, state, rng):
        state.held[0] = state.held[1] = state.prizes = 2**self.cards - 1

    def mover(self, state):
        if state.prize > 0:
            return state.seat
        return km.CHANCE if state.prizes > 0 else km.OVER

    def moves(self, state, seat, out):
        count = 0
        for card in range(self.cards):
            if (state.held[seat] >> card) & 1:
                out[count] = card + 1
                count += 1
        return count

    def outcomes(self, state, out, odds):
        count = 0
        for card in range(self.cards):
            if (state.prizes >> card) & 1:
                out[count] = card + 1
                count += 1
        for i in range(count):
            odds[i] = 1.0 / count
        return count

    def play(self, state, seat, move):
        if seat == km.CHANCE:
            state.prize = move
            state.prizes ^= 1 << (move - 1)
            return
        if state.bid == 0:
            state.bid, state.seat = move, 1 - seat
        elif seat == 0:
            self.settle(state, move, state.bid)
        else:
            self.settle(state, state.bid, move)

    def settle(self, state, first, second):
        """Both bids are known: give the prize away."""
        state.held[0] ^= 1 << (first - 1)
        state.held[1] ^= 1 << (second - 1)
        if first > second:
            state.points[0] += state.prize
        if second > first:
            state.points[1] += state.prize
        state.prize = state.bid = state.seat = 0

    def turn_to(self, state, seat):
        state.seat = seat

    def step(self, state, joint):
        self.settle(state, joint[0], joint[1])

    def acting(self, state):
        return [0, 1] if state.prize > 0 else []

    def payoff(self, state, out):
        out[0] = 1.0 if state.points[0] > state.points[1] else 0.5 if state.points[0] == state.points[1] else 0.0
        out[1] = 1.0 - out[0]
