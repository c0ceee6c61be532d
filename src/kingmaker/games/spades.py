"""Spades, each seat for itself: spades are trumps, and every trick is worth ten points.

Four seats, thirteen cards each; seat 0 leads first. All follow suit if they can; the highest spade, or without one the
highest card of the suit that was led, takes the trick and leads to the next. The most points win.

    D. Hashavit, S. Markovitch. Max-Prob: An Unbiased Rational Decision Making Procedure for Multiple-Adversary
    Environments. IJCAI 2011.

The source plays with open hands and without bids (`open=True`). Bids, nil and bags, and that spades must be broken
before they are led, are options.
"""

import numpy as np

from kingmaker.core.errors import IllegalMove
from kingmaker.core.game import OVER, Facts
from kingmaker.core.notation import meant
from kingmaker.games.parts.cards.cards import CLUBS, DIAMONDS, HEARTS, SPADES, card_text
from kingmaker.games.parts.cards.position import numbers
from kingmaker.games.parts.cards.tricks import ALL_SUITS, TrickGame
from kingmaker.games.parts.spades.bids import NIL, Bids, NoBids
from kingmaker.games.parts.spades.estimates import Holding, Sketch

PLAIN = 1 << CLUBS | 1 << DIAMONDS | 1 << HEARTS


class Spades(TrickGame):
    """Take tricks; spades are trumps."""

    estimates = (Holding(), Sketch())
    trump = SPADES

    def __init__(self, open=False, bids=False, nil=False, bags=False, breaking=False, ranks=13):
        self.open, self.bids, self.nil, self.bags, self.breaking, self.ranks = open, bids, nil, bags, breaking, ranks
        self.require(bids or not (nil or bags), "expected bids=True with nil or bags, got bids=False")
        self.require_deck(ranks, 2)
        self.bidding = Bids(nil, bags) if bids else NoBids()
        self.max_moves = ranks + 1
        self.own_names = ("tricks", "broken", *self.bidding.names)
        self.facts_low = 0.0 if not bids else -200.0 if bags else -float(max(10 * ranks, NIL if nil else 0))
        self.facts_high = float(max(10 * ranks, NIL if nil else 0))
        self.facts = Facts(
            seats=(4, 4),
            hidden=not open,
            tricks=True,
            low=self.facts_low,
            high=self.facts_high,
            total=10.0 * ranks + (3.0 * NIL if nil else 0.0),
            constant_sum=not bids,
        )
        self.State = np.dtype([*self.bidding.fields(), *self.fields(), ("won", np.int8, (4,))], align=True)

    def start(self, state, rng):
        self.begin(state, rng)
        self.bidding.begin(state)

    def before(self, state):
        return self.bidding.bidder(state)

    def choices(self, state, seat, out):
        return self.bidding.listed(state, self.ranks, out)

    def choice_rank(self, state, seat, move):
        """A quarter of the tricks is bid."""
        return abs(4 * move - self.ranks)

    def open_suits(self, state, seat):
        """One bit for each suit that the seat may play."""
        if state.laid > 0:
            led = self.led(state)
            return 1 << led if state.hands[seat, led] != 0 else ALL_SUITS
        plain = state.hands[seat, CLUBS] | state.hands[seat, DIAMONDS] | state.hands[seat, HEARTS]
        return PLAIN if self.breaking and state.broken == 0 and plain != 0 else ALL_SUITS

    def play(self, state, seat, move):
        if self.bidding.bidder(state) != OVER:
            self.bidding.bid(state, seat, move)
            return
        if self.breaking and move // 13 == SPADES:
            if state.laid == 0 and state.broken == 0:
                state.lacks[seat] |= PLAIN
            state.broken = 1
        self.lay(state, seat, move)

    def taken(self, state, seat):
        """Count the trick; after the last one, the points."""
        state.won[seat] += 1
        if state.tricks == self.ranks - 1:
            for each in range(4):
                self.bidding.settle(state, each)

    def payoff(self, state, out):
        for seat in range(4):
            out[seat] = self.bidding.payoff(state, seat)

    def own_breach(self, state, seat, card):
        return f"spades are not broken, so {card_text(card)} may not be led"

    def say(self, state, seat, move):
        if self.bidding.bidder(state) == OVER:
            return TrickGame.say(self, state, seat, move)
        if not 0 <= move <= self.ranks:
            raise IllegalMove(f"{move} is no bid of {self}; ask legal() for the bids")
        return "nil" if move == 0 else str(move)

    def parse(self, state, seat, text):
        if self.bidding.bidder(state) == OVER:
            return TrickGame.parse(self, state, seat, text)
        return meant({self.say(state, seat, bid): bid for bid in self.legal(state, seat)}, text)

    def score(self, state, seat):
        won = int(state.won[seat])
        points = f", {self.bidding.payoff(state, seat):g} points" if self.mover(state) == OVER else ""
        return f"{won:2d} trick{'' if won == 1 else 's'}{self.bidding.told(state, seat)}{points}"

    def title(self, state):
        if self.bidding.bidder(state) != OVER:
            return "bids"
        return "the hand is over" if self.mover(state) == OVER else f"trick {state.tricks + 1} of {self.ranks}"

    def own_words(self, state):
        return [",".join(map(str, state.won.tolist())), str(state.broken), *self.bidding.words(state)]

    def read_own(self, state, words):
        state.won[:] = numbers(self, words[0], self.ranks, "tricks")
        state.broken = 1 if words[1] == "1" else 0
        self.bidding.read(self, state, words[2:])

    def own_fault(self, state, gone):
        """Why the tricks or the bids cannot be, in words."""
        if sum(state.won.tolist()) != state.tricks or min(state.won.tolist()) < 0:
            return f"the seats have taken {sum(state.won.tolist())} tricks, but {state.tricks} are gone"
        if state.broken not in (0, 1):
            return "spades are broken or not, 1 or 0"
        return self.bidding.fault(self, state)
