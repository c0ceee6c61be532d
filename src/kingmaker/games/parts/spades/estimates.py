"""Estimates for Spades, in points: that of the source and a stronger one.

Both count the tricks that a seat has taken and guess its share of those that are still to be taken.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.games.parts.cards.cards import SPADES, all_of, count_of, over_all, ranks_above, standing_of
from kingmaker.games.parts.spades.sketch import sketched

PARTS = 260


class Tricks(Estimate):
    """What the estimates of Spades share: a trick is worth ten points, or what the bid makes of it; the interval of a
    seat runs from none of the tricks left to all of them.
    """

    has_intervals = True

    @property
    def bounds_equivalents_alike(self):
        return self.values_equivalents_alike or not self.rising

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
            out[seat] = game.bidding.hoped(state, seat, max(0.0, min(float(game.ranks), tricks)))

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            game.payoff(state, low)
            game.payoff(state, high)
            return
        if self.rising:
            self.value(game, state, low)
            for seat in range(4):
                high[seat] = game.facts_high
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

    `standing` is another measure of ranks, off by default: it counts for each card by how many more cards of the other
    hands are below it than above it. With `standing` instead of `rank`, equivalent cards are valued alike, and a search
    plays only one of them.

    With `rising=1` the intervals of Max-Prob run from the present value to the best payoff, as the source has them;
    otherwise over all the tricks that are left, whatever the hands are made of.
    """

    def __init__(self, take=15, trump=15, rank=1, standing=0, rising=0):
        self.take, self.trump, self.rank, self.standing, self.rising = take, trump, rank, standing, rising
        self.require(rising in (0, 1), f"expected 0 or 1 for rising, got {rising}")
        for weight in (take, trump, rank, standing):
            self.require(abs(weight) <= 260, f"expected weights from -260 to 260, got {weight}")

    @property
    def values_equivalents_alike(self):
        return self.rank == 0

    def shares(self, game, state, out):
        """Write the share of the tricks left that each seat expects."""
        for seat in range(4):
            out[seat] = self.parts(state, seat) / PARTS

    def parts(self, state, seat):
        """The seat's share of the tricks left, in parts of 260."""
        spades = count_of(all_of(state.hands, SPADES))
        parts = PARTS // 4 + self.trump * (4 * count_of(state.hands[seat, SPADES]) - spades) // 4
        for suit in range(4):
            own = np.int64(state.hands[seat, suit])
            others = all_of(state.hands, suit) & ~own
            parts += self.take * count_of(over_all(own, others)) + self.rank * ranks_above(own)
            if self.standing != 0:
                parts += self.standing * standing_of(own, others)
        return min(PARTS, max(0, parts))


class Sketch(Holding):
    """The tricks of a hand that is played out by a simple rule, mixed with those of `holding`.

    `trust` is the weight of the sketch in percent.
    """

    values_equivalents_alike = False  # the simple rule compares ranks of different suits

    def __init__(self, trust=50, take=15, trump=15, rank=1, standing=0, rising=0):
        super().__init__(take, trump, rank, standing, rising)
        self.trust = trust
        self.require(0 <= trust <= 100, f"expected a trust from 0 to 100 percent, got {trust}")

    def shares(self, game, state, out):
        """Of a trick that is not finished its best card counts at once, so a share may be less than nothing."""
        sketched(game, state, out)
        left = max(1, game.ranks - state.tricks - (1 if state.laid > 0 else 0))
        for seat in range(4):
            won = state.won[seat] + (1 if state.laid > 0 and game.best(state) == seat else 0)
            plain = self.parts(state, seat) / PARTS
            out[seat] = (self.trust * (out[seat] - won) / left + (100 - self.trust) * plain) / 100
