"""Cards of Risk: one for a turn with a conquest, three of them are traded for armies, more for every set.

There is a card for each territory, in equal parts infantry, cavalry and artillery, and two wild ones. A set is three of
a kind, one of each, or any three with a wild one. Hands are open, and a card does not name its territory.
"""

import numpy as np

from kingmaker.core.rng import below
from kingmaker.games.parts.risk.orders import KEEP, NONE, TRADE, order

PLACING, ATTACKING, DRAWING = 0, 1, 8  # phases
KINDS_OF_CARDS = 4
WILD = 3
LETTERS = "icaw"
SETS = np.array(
    [
        (1, 1, 1, 0),
        (3, 0, 0, 0),
        (0, 3, 0, 0),
        (0, 0, 3, 0),
        (2, 0, 0, 1),
        (0, 2, 0, 1),
        (0, 0, 2, 1),
        (1, 1, 0, 1),
        (1, 0, 1, 1),
        (0, 1, 1, 1),
        (1, 0, 0, 2),
        (0, 1, 0, 2),
        (0, 0, 1, 2),
    ],
    np.int64,
)
FIRST_SETS = np.array([4, 6, 8, 10, 12, 15], np.int64)  # armies; every further set brings five more
MOST_TRADED = 2_000
MANY = 5  # with so many cards a seat must trade at the beginning of its turn
TOO_MANY = 6  # with so many it must trade in the middle of it


class Cards:
    """The part of Risk's rules that is about cards; the last row of `hand` is the pile."""

    def deck(self, kind):
        """How many cards of a kind there are."""
        return 2 if kind == WILD else (self.size + 2 - kind) // 3

    def cards_of(self, state, seat):
        total = 0
        for kind in range(KINDS_OF_CARDS):
            total += state.hand[seat, kind]
        return total

    def holds(self, state, seat, which):
        """Has the seat the cards of a set?"""
        for kind in range(KINDS_OF_CARDS):
            if state.hand[seat, kind] < SETS[which, kind]:
                return False
        return True

    def may_trade(self, state, seat):
        """Does the seat hold a set?"""
        if self.cards:
            for which in range(len(SETS)):
                if self.holds(state, seat, which):
                    return True
        return False

    def must_trade(self, state, seat):
        """Has the seat too many cards to go on?"""
        return self.cards and self.cards_of(state, seat) >= MANY

    def traded_armies(self, sets):
        """The armies for the next set, when so many have been traded."""
        if sets < len(FIRST_SETS):
            return FIRST_SETS[sets]
        return min(MOST_TRADED, FIRST_SETS[5] + 5 * (sets - 5))

    def list_trades(self, state, seat, out):
        """List the sets that a seat holds, and keeping them where it may; return how many orders these are."""
        count = 0
        for which in range(len(SETS)):
            if self.holds(state, seat, which):
                out[count] = order(TRADE, which, 0, NONE)
                count += 1
        if not self.must_trade(state, seat):
            out[count] = order(KEEP, 0, 0, NONE)
            count += 1
        return count

    def trade(self, state, which):
        """Take a set from the seat's hand and give it armies. In the middle of a turn it trades as long as it must."""
        for kind in range(KINDS_OF_CARDS):
            state.hand[state.seat, kind] -= SETS[which, kind]
        state.reserve += self.traded_armies(state.sets)
        state.sets += 1
        again = self.must_trade(state, state.seat) if state.conquered else self.may_trade(state, state.seat)
        if not again:
            state.phase = PLACING

    def pass_on(self, state, loser, seat):
        """Whoever takes the last territory of a seat gets its cards."""
        for kind in range(KINDS_OF_CARDS):
            state.hand[seat, kind] += state.hand[loser, kind]
            state.hand[loser, kind] = 0

    def draws(self, state):
        """Is the seat to draw a card? The pile is made anew from all cards traded, if it is empty."""
        if not self.cards or not state.conquered:
            return False
        if self.cards_of(state, self.seats) == 0:
            for kind in range(KINDS_OF_CARDS):
                left = self.deck(kind)
                for seat in range(self.seats):
                    left -= state.hand[seat, kind]
                state.hand[self.seats, kind] = left
        return self.cards_of(state, self.seats) > 0

    def take_card(self, state, kind):
        state.hand[self.seats, kind] -= 1
        state.hand[state.seat, kind] += 1

    def list_cards(self, state, out, odds):
        """List the kinds of cards in the pile with their odds."""
        count, total = 0, self.cards_of(state, self.seats)
        for kind in range(KINDS_OF_CARDS):
            if state.hand[self.seats, kind] > 0:
                out[count], odds[count] = kind, state.hand[self.seats, kind] / total
                count += 1
        return count

    def roll_card(self, state, rng):
        """The kind of a card drawn from the pile."""
        left, kind = below(rng, self.cards_of(state, self.seats)), 0
        while left >= state.hand[self.seats, kind]:
            left -= state.hand[self.seats, kind]
            kind += 1
        return kind

    def hand_text(self, state, seat):
        """A hand as letters: `iic` is two infantry and one cavalry, `-` nothing."""
        return "".join(LETTERS[kind] * int(state.hand[seat, kind]) for kind in range(KINDS_OF_CARDS)) or "-"

    def cards_text(self, state):
        """Hands, pile, sets traded and whether the seat has conquered, as they end a position."""
        hands = ",".join(self.hand_text(state, seat) for seat in range(self.seats))
        pile = ".".join(str(count) for count in state.hand[self.seats])
        return f" {hands} {pile} {state.sets} {state.conquered}"

    def read_cards(self, state, words):
        """Read what `cards_text` wrote; raises a ValueError where that cannot be."""
        hands, pile = words[0].split(","), words[1].split(".")
        if len(hands) != self.seats or len(pile) != KINDS_OF_CARDS:
            raise ValueError("expected a hand for every seat and four kinds in the pile")
        for seat, hand in enumerate(hands):
            for letter in hand if hand != "-" else "":
                state.hand[seat, LETTERS.index(letter)] += 1
        state.hand[self.seats] = [int(count) for count in pile]
        state.sets, state.conquered = int(words[2]), int(words[3])

    def admits_cards(self, state, trading):
        """No more cards than there are, none with a seat that is out, and no more in a hand than the phase allows."""
        hands = state.hand.tolist()
        deck = [self.deck(kind) for kind in range(KINDS_OF_CARDS)]
        out = any(any(hands[seat]) for seat in range(self.seats) if not (state.living >> seat) & 1)
        most = [sum(row[kind] for row in hands) <= deck[kind] for kind in range(KINDS_OF_CARDS)]
        if out or not all(most) or min(map(min, hands)) < 0 or state.sets < 0 or state.conquered not in (0, 1):
            return False
        if state.phase == DRAWING:
            return state.conquered == 1 and self.cards_of(state, self.seats) > 0
        if trading and not self.may_trade(state, state.seat):
            return False
        crowded = self.cards_of(state, state.seat) >= (TOO_MANY if state.conquered else MANY)
        return trading or state.phase in (2, 3, 6) or not crowded
