"""Hearts: avoid tricks with hearts, one point each, and above all the queen of spades, thirteen.

Four seats, thirteen cards each. Whoever holds the two of clubs leads it; all follow suit if they can; the highest card
of the suit that was led takes the trick and leads to the next. The fewest points win, so the payoffs are the points
with a minus.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.
    D. Hashavit, S. Markovitch. Max-Prob: An Unbiased Rational Decision Making Procedure for Multiple-Adversary
    Environments. IJCAI 2011.

The first source plays with hidden hands, the second with open ones. Neither lets a seat shoot the moon, and neither
tells of passing cards or of breaking hearts; `rules="parlour"` has all three.
"""

import numpy as np

from kingmaker.core.game import OVER, Facts
from kingmaker.games.parts.cards.cards import CLUBS, DIAMONDS, HEARTS, QUEEN, SPADES, card_text
from kingmaker.games.parts.cards.position import numbers
from kingmaker.games.parts.cards.tricks import ALL_SUITS, NO_HEARTS, ODD, TrickGame
from kingmaker.games.parts.hearts.estimates import Composition, Sketch
from kingmaker.games.parts.hearts.passing import NoPassing, Passing
from kingmaker.games.parts.hearts.sketch import THE_QUEEN, points_of

QUEEN_POINTS = 13
NO_QUEEN, OPENING = 1 << 4, 1 << 5  # bits of `open_suits`, beside those of the suits


class Hearts(TrickGame):
    """Take no hearts, and not the queen of spades."""

    estimates = (Composition(), Sketch())
    odd = THE_QUEEN
    wants_tricks = False

    def __init__(self, open=False, rules="source", ranks=13):
        self.open, self.rules, self.ranks = open, rules, ranks
        self.require(rules in ("source", "parlour"), f"expected rules 'source' or 'parlour', got '{rules}'")
        self.require_deck(ranks, 4)
        self.parlour = rules == "parlour"
        self.passing = Passing() if self.parlour else NoPassing()
        self.points = ranks + QUEEN_POINTS
        self.opening = 13 * CLUBS + 13 - ranks
        self.own_names = ("points", "broken", *self.passing.names)
        self.facts = Facts(
            seats=(4, 4),
            hidden=not open,
            tricks=True,
            low=-float(self.points),
            high=0.0,
            total=-float(self.points),
            constant_sum=not self.parlour,
        )
        self.State = np.dtype([*self.passing.fields(), *self.fields(), ("points", np.int8, (4,))], align=True)

    def start(self, state, rng):
        self.begin(state, rng)
        self.passing.begin(state)
        self.open_hand(state)

    def open_hand(self, state):
        """Whoever holds the lowest club leads to the first trick, once the cards have been passed."""
        if self.passing.chooser(state) == OVER:
            for seat in range(4):
                if state.hands[seat, CLUBS] >> self.opening & 1:
                    state.leader = seat

    def before(self, state):
        return self.passing.chooser(state)

    def is_secret(self, state, seat):
        return self.passing.chooser(state) != OVER

    def open_suits(self, state, seat):
        """One bit for each suit that the seat may play, NO_QUEEN if not the queen of spades, or OPENING."""
        if state.laid > 0:
            led = self.led(state)
            if state.hands[seat, led] != 0:
                return 1 << led
            if self.parlour and state.tricks == 0 and self.has_harmless(state, seat):
                return NO_HEARTS | NO_QUEEN
            return ALL_SUITS
        if state.tricks == 0:
            return OPENING
        if self.parlour and state.broken == 0 and self.has_other(state, seat):
            return NO_HEARTS
        return ALL_SUITS

    def has_other(self, state, seat):
        """Has the seat anything but hearts?"""
        return state.hands[seat, CLUBS] | state.hands[seat, DIAMONDS] | state.hands[seat, SPADES] != 0

    def has_harmless(self, state, seat):
        """Has the seat a card without points?"""
        spades = state.hands[seat, SPADES] & ~(1 << QUEEN)
        return state.hands[seat, CLUBS] | state.hands[seat, DIAMONDS] | spades != 0

    def word(self, state, seat, suit, open_suits):
        if open_suits & OPENING:
            return 1 << self.opening if suit == CLUBS else 0
        if not open_suits >> suit & 1:
            return 0
        if suit == SPADES and open_suits & NO_QUEEN:
            return state.hands[seat, suit] & ~(1 << QUEEN)
        return state.hands[seat, suit]

    def choices(self, state, seat, out):
        return self.passing.listed(state, seat, out)

    def play(self, state, seat, move):
        if self.passing.chooser(state) != OVER:
            if self.passing.choose(state, seat, move):
                self.open_hand(state)
            return
        if self.parlour:
            self.conclude(state, seat, move)
        self.passing.note(state, seat, move)
        self.lay(state, seat, move)

    def conclude(self, state, seat, card):
        """Note what a card tells of the hand that it came from, by the rules of the parlour."""
        harmless = 1 << CLUBS | 1 << DIAMONDS | 1 << SPADES
        heart = card // 13 == HEARTS
        if state.laid == 0 and heart and state.broken == 0:
            state.lacks[seat] |= harmless | 1 << ODD
        if state.tricks == 0 and (heart or card == THE_QUEEN):
            state.lacks[seat] |= harmless
        if heart or card == THE_QUEEN:
            state.broken = 1

    def taken(self, state, seat):
        """The points of a trick go to the seat that takes it."""
        for each in range(4):
            state.points[seat] += points_of(state.trick[each])

    def payoff(self, state, out):
        for seat in range(4):
            out[seat] = 0.0 - state.points[seat]
        if self.parlour:
            for seat in range(4):
                if state.points[seat] == self.points:
                    for other in range(4):
                        out[other] = 0.0 if other == seat else -float(self.points)

    def fixed(self, state, seat, holder, suit):
        """The cards that the seat itself passed, and the lowest club with whoever is about to lead it."""
        known = self.passing.known(state, seat, holder, suit)
        opens = suit == CLUBS and holder == state.leader and state.tricks == 0 and state.laid == 0
        return known | 1 << self.opening if opens and self.passing.chooser(state) == OVER else known

    def redeal_choices(self, state, seat, rng):
        self.passing.redeal(state, seat, rng)

    def choice_rank(self, state, seat, move):
        """The highest cards are passed."""
        return -1 - move % 13

    def own_breach(self, state, seat, card):
        name = card_text(card)
        if self.passing.chooser(state) != OVER:
            return f"seat {seat} has chosen {name} already"
        if state.tricks == 0 and state.laid == 0:
            return f"seat {seat} must lead {card_text(self.opening)}, so not {name}"
        if state.tricks == 0:
            return f"no points may be laid to the first trick, so not {name}"
        return f"hearts are not broken, so {name} may not be led"

    def worth(self, cards):
        points = sum(points_of(card) for card in cards)
        return f", {points} point{'' if points == 1 else 's'}" if points else ""

    def score(self, state, seat):
        points = int(state.points[seat])
        return f"{points:2d} point{'' if points == 1 else 's'}"

    def title(self, state):
        title = self.passing.title(state)
        if title or self.mover(state) == OVER:
            return title or "the hand is over"
        return f"trick {state.tricks + 1} of {self.ranks}" + (", broken" if state.broken else "")

    def own_words(self, state):
        return [",".join(str(points) for points in state.points), str(state.broken), *self.passing.words(state)]

    def read_own(self, state, words):
        state.points[:] = numbers(self, words[0], self.points, "points")
        state.broken = 1 if words[1] == "1" else 0
        self.passing.read(self, state, words[2:])

    def own_fault(self, state, gone):
        """Why the points, the opening or the gifts cannot be, in words."""
        points = sum(points_of(card) for card in gone)
        if sum(state.points.tolist()) != points or min(state.points.tolist()) < 0:
            return f"the seats have taken {sum(state.points.tolist())} points, but {points} are gone"
        if state.broken not in (0, 1):
            return "hearts are broken or not, 1 or 0"
        opens = self.passing.chooser(state) == OVER and state.tricks == 0
        if opens and state.laid and state.trick[state.leader] != self.opening:
            return f"the first trick begins with {card_text(self.opening)}"
        if opens and state.laid == 0 and not int(state.hands[state.leader, CLUBS]) >> self.opening & 1:
            return f"seat {state.leader} leads without {card_text(self.opening)}"
        return self.passing.fault(self, state)
