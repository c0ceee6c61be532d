"""A small trick game with secrets, as a user would write it: three seats, two suits of six cards, four cards each.

Whoever leads plays any card; the others follow suit if they can. The highest card of the suit that was led takes the
trick and leads to the next. A trick is worth a point. Who once did not follow a suit has none of it left, and everybody
knows: `redeal` gives nobody a card of a suit that it is known to lack.
"""

import numpy as np

import kingmaker as km

SEATS, SUITS, RANKS, CARDS = 3, 2, 6, 12


class Tricks(km.Game):
    """Four tricks, all hands hidden."""

    State = np.dtype(
        [
            ("hands", np.int16, (SEATS,)),  # one bit a card
            ("gone", np.int16),  # cards that were played
            ("lacks", np.int8, (SEATS,)),  # one bit a suit
            ("table", np.int8, (SEATS,)),  # cards of this trick, -1: not yet played
            ("won", np.int8, (SEATS,)),
            ("leader", np.int8),
            ("played", np.int8),  # cards of this trick
        ]
    )
    facts = km.Facts(seats=(3, 3), hidden=True, low=0.0, high=4.0, total=4.0, constant_sum=True)
    seats = SEATS
    max_moves = 4

    def start(self, state, rng):
        deck = np.arange(CARDS)
        km.shuffle(rng, deck, CARDS)
        for place in range(CARDS):
            state.hands[place % SEATS] |= 1 << deck[place]
        self.clear(state)

    def clear(self, state):
        for seat in range(SEATS):
            state.table[seat] = -1
        state.played = 0

    def mover(self, state):
        return (state.leader + state.played) % SEATS if state.gone != (1 << CARDS) - 1 else km.OVER

    def moves(self, state, seat, out):
        hand, count = state.hands[seat], 0
        if state.played > 0:
            led = state.table[state.leader] // RANKS
            same = hand & ((1 << RANKS) - 1) << led * RANKS
            hand = same if same else hand
        for card in range(CARDS):
            if hand >> card & 1:
                out[count] = card
                count += 1
        return count

    def play(self, state, seat, move):
        state.hands[seat] &= ~(1 << move)
        state.gone |= 1 << move
        state.table[seat] = move
        led = state.table[state.leader] // RANKS
        if move // RANKS != led:
            state.lacks[seat] |= 1 << led
        state.played += 1
        if state.played == SEATS:
            best = state.leader
            for each in range(SEATS):
                if state.table[each] // RANKS == led and state.table[each] > state.table[best]:
                    best = each
            state.won[best] += 1
            state.leader = best
            self.clear(state)

    def payoff(self, state, out):
        for seat in range(SEATS):
            out[seat] = state.won[seat]

    def size(self, state, seat):
        """How many cards a seat holds."""
        count = 0
        for card in range(CARDS):
            count += state.hands[seat] >> card & 1
        return count

    def redeal(self, state, seat, rng):
        """Shuffle the unseen cards and deal them until nobody gets a card of a suit that it lacks."""
        unseen, count = np.zeros(CARDS, np.int64), 0
        for card in range(CARDS):
            if not (state.gone | state.hands[seat]) >> card & 1:
                unseen[count] = card
                count += 1
        sizes = np.zeros(SEATS, np.int64)
        for other in range(SEATS):
            sizes[other] = self.size(state, other)
        while True:
            km.shuffle(rng, unseen, count)
            place, fits = 0, True
            for other in range(SEATS):
                if other != seat:
                    state.hands[other] = 0
                    for _ in range(sizes[other]):
                        card = unseen[place]
                        place += 1
                        fits = fits and not state.lacks[other] >> card // RANKS & 1
                        state.hands[other] |= 1 << card
            if fits:
                return
            unseen[:count] = np.sort(unseen[:count])

    def show(self, state, seat=None):
        lines = [f"seat {each}: {self.hand(state, each, seat)}, {state.won[each]} tricks" for each in range(SEATS)]
        trick = " ".join(self.say(state, each, state.table[each]) for each in range(SEATS) if state.table[each] >= 0)
        return "\n".join([*lines, f"on the table: {trick or 'nothing'}"])

    def hand(self, state, seat, eyes):
        if eyes not in (None, seat):
            return " ".join("?" * self.size(state, seat))
        return " ".join(self.say(state, seat, card) for card in range(CARDS) if state.hands[seat] >> card & 1)

    def say(self, state, seat, move):
        return f"{'ab'[move // RANKS]}{move % RANKS + 1}"
