"""Kuhn poker for two or three seats: the smallest game with secrets, as a user would write it.

One card each of one more than there are seats, an ante of one, one round of betting: check or bet one; after a bet the
others call or fold. The highest card that has not folded takes the pot.

    N. Abou Risk, D. Szafron. Using Counterfactual Regret Minimization to Create Competitive Multiplayer Poker Agents.
    AAMAS 2010.
"""

import numpy as np

import kingmaker as km

PASS, BET = 0, 1  # pass: check, or fold after a bet; bet: or call


class Kuhn(km.Game):
    """Three seats, four cards; or two seats, three cards."""

    State = np.dtype(
        [
            ("cards", np.int8, (3,)),
            ("stakes", np.int8, (3,)),
            ("folded", np.int8, (3,)),
            ("first", np.int8),
            ("turn", np.int8),
        ]
    )
    facts = km.Facts(seats=(2, 3), hidden=True, low=-2.0, high=4.0, total=0.0, constant_sum=True)
    max_moves = 2

    def __init__(self, seats=3):
        self.seats = seats

    def start(self, state, rng):
        deck = np.array([0, 1, 2, 3])
        km.shuffle(rng, deck, self.seats + 1)
        for seat in range(self.seats):
            state.cards[seat], state.stakes[seat] = deck[seat], 1
        state.first = -1  # the turn in which somebody bet

    def mover(self, state):
        last = self.seats if state.first < 0 else state.first + self.seats
        return state.turn % self.seats if state.turn < last else km.OVER

    def moves(self, state, seat, out):
        out[0], out[1] = PASS, BET
        return 2

    def play(self, state, seat, move):
        if move == BET:
            state.stakes[seat] = 2
            if state.first < 0:
                state.first = state.turn
        elif state.first >= 0:
            state.folded[seat] = 1
        state.turn += 1

    def payoff(self, state, out):
        best, pot = -1, 0
        for seat in range(self.seats):
            pot += state.stakes[seat]
            if not state.folded[seat] and (best < 0 or state.cards[seat] > state.cards[best]):
                best = seat
        for seat in range(self.seats):
            out[seat] = (pot if seat == best else 0) - state.stakes[seat]

    def redeal(self, state, seat, rng):
        """The others hold cards that the seat does not; at the end nobody has secrets any more."""
        if self.mover(state) == km.OVER:
            return
        rest, count = np.array([0, 0, 0]), 0
        for card in range(self.seats + 1):
            if card != state.cards[seat]:
                rest[count] = card
                count += 1
        km.shuffle(rng, rest, self.seats)
        count = 0
        for other in range(self.seats):
            if other != seat:
                state.cards[other] = rest[count]
                count += 1

    def show(self, state, seat=None):
        hands = " ".join("?" if seat not in (None, each) else str(state.cards[each]) for each in range(self.seats))
        return f"cards {hands}, stakes {' '.join(map(str, state.stakes))}"
