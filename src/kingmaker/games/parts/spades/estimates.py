"""Estimates for Spades, in points: that of the source and a stronger one.

Both count the tricks that a seat has taken and guess its share of those that are still to be taken.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.games.parts.cards.cards import SPADES, count_of, highest_of, lowest_of
from kingmaker.games.parts.hearts.estimates import others_of

PARTS = 260


class Tricks(Estimate):
    """What the estimates of Spades share: a trick is worth ten points, or what the bid makes of it; the interval of a
    seat runs from none of the tricks left to all of them.
    """

    has_intervals = True

    def value(self, game, state, out):
        if game.mover(state) == OVER:
            game.payoff(state, out)
            return
        left = game.ranks - state.tricks - (1 if state.laid > 0 else 0)
        self.shares(game, state, out)
        for seat in range(4):
            tricks = state.won[seat] + left * out[seat]
            if state.laid > 0 and game.best(state) == seat:
                tricks += 1.0
            out[seat] = game.bidding.hoped(state, seat, min(float(game.ranks), tricks))

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            game.payoff(state, low)
            game.payoff(state, high)
            return
        for seat in range(4):
            low[seat], high[seat] = game.facts_low, game.facts_high
            if not game.bidding.is_open(state, seat):
                low[seat], high[seat] = game.facts_high, game.facts_low
                for tricks in range(state.won[seat], state.won[seat] + game.ranks - state.tricks + 1):
                    points = float(game.bidding.points(state, seat, tricks))
                    low[seat], high[seat] = min(low[seat], points), max(high[seat], points)


class Holding(Tricks):
    """The estimate of the source: tricks taken, and what the hand is made of.

    A quarter of the tricks left is what a seat expects of an average hand. A card that is higher than all cards of its
    suit in the other hands is worth most of a trick (`take`, in 1/260 of all tricks), and so is a spade more than the
    others hold on average (`trump`). Every rank by which the cards of the hand lie above the middle rank counts 1/260
    (`rank`). The source tells of hand composition without naming features or weights.
    """

    def __init__(self, take=15, trump=15, rank=1):
        self.take, self.trump, self.rank = take, trump, rank
        for weight in (take, trump, rank):
            self.require(abs(weight) <= 260, f"expected weights from -260 to 260, got {weight}")

    def shares(self, game, state, out):
        """Write the share of the tricks left that each seat expects."""
        for seat in range(4):
            out[seat] = self.parts(state, seat) / PARTS

    def parts(self, state, seat):
        """The seat's share of the tricks left, in parts of 260."""
        parts, spades = PARTS // 4, 0
        for each in range(4):
            spades += count_of(state.hands[each, SPADES])
        parts += self.trump * (4 * count_of(state.hands[seat, SPADES]) - spades) // 4
        for suit in range(4):
            own, others = np.int64(state.hands[seat, suit]), others_of(state, seat, suit)
            parts += self.take * count_of(own & ~((2 << highest_of(others)) - 1 if others else 0))
            while own != 0:
                parts += self.rank * (lowest_of(own) - 6)
                own &= own - 1
        return min(PARTS, max(0, parts))


SCALE, MOST = 64, 2048  # scores are in 1/64 of a unit of the logarithm
POWERS = np.exp(np.arange(-MOST, MOST + 1) / SCALE)


class Force(Tricks):
    """Each seat's share of the tricks left grows with the exponential of a score.

    The score counts, in 1/64: spades (`trump`) and how many of the others' spades they beat (`tops`), as a share of
    them; how many cards of the other hands the seat beats in the plain suits (`beats`), cards there that nobody can
    beat (`sure`), void suits while it has spades (`ruff`), and the lead (`lead`). The weights were fitted to hands of
    self-play.
    """

    def __init__(self, trump=21, tops=19, beats=12, sure=11, ruff=25, lead=4):
        self.trump, self.tops, self.beats, self.sure, self.ruff, self.lead = trump, tops, beats, sure, ruff, lead
        for weight in (trump, tops, beats, sure, ruff, lead):
            self.require(abs(weight) <= 1000, f"expected weights from -1000 to 1000, got {weight}")

    def shares(self, game, state, out):
        """Write the share of the tricks left that each seat expects."""
        total = 0.0
        for seat in range(4):
            out[seat] = POWERS[min(2 * MOST, max(0, self.score(state, seat) + MOST))]
            total += out[seat]
        for seat in range(4):
            out[seat] /= total

    def beaten(self, state, seat, suit):
        """How many of the others' cards in a suit the seat's cards beat, as a share of them, in 1/16."""
        own, others, found = np.int64(state.hands[seat, suit]), others_of(state, seat, suit), 0
        while own != 0:
            found += count_of(others & ((own & -own) - 1))
            own &= own - 1
        return 16 * found // max(1, count_of(others))

    def score(self, state, seat):
        score = self.lead if state.laid == 0 and state.leader == seat else 0
        spades = count_of(state.hands[seat, SPADES])
        score += self.trump * spades + self.tops * self.beaten(state, seat, SPADES) // 16
        for suit in range(4):
            if suit == SPADES:
                continue
            own, others = np.int64(state.hands[seat, suit]), others_of(state, seat, suit)
            if own == 0 and spades > 0 and others != 0:
                score += self.ruff
            score += self.beats * self.beaten(state, seat, suit) // 16
            score += self.sure * count_of(own & ~((2 << highest_of(others)) - 1 if others else 0))
        return score
