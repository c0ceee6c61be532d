"""Passing cards before the first trick, or not: three cards each, to the left, the right or across, or none at all.

Who has given which cards is part of the state as long as the hand lasts: a seat knows which three cards it gave, and to
whom, and it cannot know what the others gave each other.
"""

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below
from kingmaker.games.parts.cards.cards import card_text, cards_of, count_of, lowest_of
from kingmaker.games.parts.cards.position import hand_text, number, read_words

GIFTS = 3  # cards that each seat passes
STEPS = np.array([1, 3, 2, 0])  # left, right, across, hold: how many seats on the receiver sits
WAYS = ("left", "right", "across", "hold")


class NoPassing(Constant):
    """Nobody passes cards."""

    names = ()

    def fields(self):
        return []

    def begin(self, state):
        return

    def chooser(self, state):
        return OVER

    def listed(self, state, seat, out):
        return 0

    def choose(self, state, seat, card):
        return False

    def known(self, state, seat, holder, suit):
        return 0

    def note(self, state, seat, card):
        return

    def redeal(self, state, seat, rng):
        return

    def title(self, state):
        return ""

    def words(self, state):
        return []

    def read(self, game, state, words):
        return

    def fault(self, game, state):
        return ""


class Passing(Constant):
    """Three cards go to the left in the first hand of a match, to the right in the second, across in the third; in the
    fourth all hold their cards, and so on. The seats choose one after the other and do not see what the others choose.
    """

    names = ("hand number", "gifts", "cards played by each seat")

    def fields(self):
        return [
            ("kept", np.int32, (1,)),  # the number of this hand in the match, from 1; a series keeps it
            ("chosen", np.int32),  # how many cards were chosen; 12: the cards have changed hands
            ("given", np.uint16, (4, 4)),  # the cards that each seat has passed, [seat, suit]
            ("played", np.uint16, (4, 4)),  # the cards that each seat has played
        ]

    def step(self, state):
        return STEPS[(state.kept[0] - 1) % 4]

    def begin(self, state):
        state.kept[0] += 1
        if self.step(state) == 0:
            state.chosen = 4 * GIFTS

    def chooser(self, state):
        return state.chosen // GIFTS if state.chosen < 4 * GIFTS else OVER

    def listed(self, state, seat, out):
        """Write the cards that the seat may still pass."""
        count = 0
        for suit in range(4):
            word = np.int64(state.hands[seat, suit]) & ~np.int64(state.given[seat, suit])
            while word != 0:
                out[count] = 13 * suit + lowest_of(word)
                word &= word - 1
                count += 1
        return count

    def choose(self, state, seat, card):
        """Choose a card to pass; True if it was the last one and all cards have changed hands."""
        state.given[seat, card // 13] |= 1 << card % 13
        state.chosen += 1
        if state.chosen < 4 * GIFTS:
            return False
        step = self.step(state)
        for giver in range(4):
            for suit in range(4):
                state.hands[giver, suit] &= ~np.int64(state.given[giver, suit])
        for giver in range(4):
            for suit in range(4):
                state.hands[(giver + step) % 4, suit] |= state.given[giver, suit]
        return True

    def known(self, state, seat, holder, suit):
        """The cards of a suit that the seat itself gave to the holder."""
        gave = state.chosen == 4 * GIFTS and self.step(state) > 0 and (seat + self.step(state)) % 4 == holder
        return np.int64(state.given[seat, suit]) if gave else 0

    def note(self, state, seat, card):
        state.played[seat, card // 13] |= 1 << card % 13

    def redeal(self, state, seat, rng):
        """Draw anew what the others gave: three of the cards that they or, later, their receivers held. Every choice is
        as likely as any other, and there are equally many for all deals, so that the deals stay uniform too.
        """
        step = self.step(state)
        if step == 0:
            return
        for giver in range(4):
            done = state.chosen == 4 * GIFTS
            receiver = (giver + step) % 4 if done else giver
            if giver == seat or (done and receiver == seat):
                continue
            count = max(0, min(GIFTS, state.chosen - GIFTS * giver))
            self.draw(state, giver, receiver, count, rng)

    def draw(self, state, giver, holder, count, rng):
        """Let the giver have given so many cards, drawn from all that the holder had when the tricks began."""
        for suit in range(4):
            state.given[giver, suit] = 0
        for _ in range(count):
            left = 0
            for suit in range(4):
                left += count_of(self.may_be_given(state, giver, holder, suit))
            pick = below(rng, left)
            for suit in range(4):
                word = self.may_be_given(state, giver, holder, suit)
                size = count_of(word)
                if 0 <= pick < size:
                    for _ in range(pick):
                        word &= word - 1
                    state.given[giver, suit] |= word & -word
                pick -= size

    def may_be_given(self, state, giver, holder, suit):
        return np.int64(state.hands[holder, suit] | state.played[holder, suit]) & ~np.int64(state.given[giver, suit])

    def title(self, state):
        way = WAYS[(state.kept[0] - 1) % 4]
        return f"pass 3 cards: {way}" if state.chosen < 4 * GIFTS else ""

    def words(self, state):
        return [str(state.kept[0]), *("/".join(hand_text(row) for row in rows) for rows in (state.given, state.played))]

    def read(self, game, state, words):
        state.kept[0] = number(game, words[0], 9999, "hand number")
        for rows, text, what in ((state.given, words[1], "gift"), (state.played, words[2], "played hand")):
            hands = text.split("/")[:4]
            for seat in range(4):
                rows[seat] = read_words(game, hands[seat] if seat < len(hands) else "", what)
        state.chosen = sum(len(cards_of(row)) for row in state.given) if self.step(state) else 4 * GIFTS

    def fault(self, game, state):
        """Why the gifts cannot be, in words."""
        step, done = int(self.step(state)), state.chosen == 4 * GIFTS
        if not 0 <= state.chosen <= 4 * GIFTS or state.kept[0] < 1:
            return f"{state.chosen} cards were chosen to be passed in hand {state.kept[0]}"
        if not done and (state.tricks or state.laid):
            return "cards lie on the table before all have passed theirs"
        for seat in range(4):
            gifts, played = cards_of(state.given[seat]), cards_of(state.played[seat])
            if len(played) != state.tricks + (state.trick[seat] >= 0):
                return f"seat {seat} has played {len(played)} cards in {state.tricks} tricks"
            wanted = max(0, min(GIFTS, state.chosen - GIFTS * seat)) if step else 0
            if len(gifts) != wanted:
                return f"seat {seat} has passed {len(gifts)} cards instead of {wanted}"
            holder = (seat + step) % 4 if done else seat
            owned = [*cards_of(state.hands[holder]), *cards_of(state.played[holder])]
            for card in gifts:
                if card not in owned:
                    return f"seat {seat} has passed {card_text(card)}, which seat {holder} never had"
        return ""
