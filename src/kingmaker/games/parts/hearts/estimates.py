"""Estimates for Hearts, in points: that of the sources and a stronger one.

Both count the points that a seat has taken and guess its share of the points that are still to be taken, those on the
table apart: they count for the seat whose card is the best so far.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.games.parts.cards.cards import HEARTS, all_of, count_of, over_all, ranks_above, standing_of, under_all
from kingmaker.games.parts.hearts.sketch import sketched

PARTS = 260  # the points that are left are shared out in so many parts


@kernel
def points_in(game, state, seat):
    """The points of a seat, with those of an unfinished trick if its card is the best so far."""
    points = np.int64(state.points[seat])
    if state.laid > 0 and game.best(state) == seat:
        points += points_on_table(game, state)
    return points


@kernel
def points_on_table(game, state):
    points = 0
    for seat in range(4):
        card = state.trick[seat]
        points += 1 if card // 13 == HEARTS else 13 if card == game.odd else 0
    return points


@kernel
def points_left(game, state):
    """The points that are still in the hands."""
    left = game.points - points_on_table(game, state)
    for seat in range(4):
        left -= state.points[seat]
    return left


class Points(Estimate):
    """What the estimates of Hearts share: the interval of a seat runs from all points that are left to none of them.

    A seat that has taken all points so far may still shoot the moon, where the rules have it: then all others may be
    given every point, and the seat itself none.
    """

    has_intervals = True

    @property
    def bounds_equivalents_alike(self):
        return self.values_equivalents_alike or not self.rising

    def value(self, game, state, out):
        if game.mover(state) == OVER:
            game.payoff(state, out)
        else:
            self.guess(game, state, out)

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            game.payoff(state, low)
            game.payoff(state, high)
            return
        if self.rising:
            self.value(game, state, low)
            for seat in range(4):
                high[seat] = 0.0
            return
        taken, shooter = 0, -1
        for seat in range(4):
            taken += state.points[seat]
        for seat in range(4):
            if game.parlour and state.points[seat] == taken:
                shooter = seat if taken > 0 else 4  # 4: everybody may
        for seat in range(4):
            threatened = shooter == 4 or (shooter >= 0 and shooter != seat)
            low[seat] = -float(game.points if threatened else game.points - taken + state.points[seat])
            high[seat] = 0.0 if shooter in (seat, 4) else -float(state.points[seat])


class Composition(Points):
    """The estimate of the sources: points taken, and what the hand is made of.

    A quarter of the points left is what a seat expects of an average hand. A card that is higher than all cards of its
    suit in the other hands will take a trick: a trick holds 1/13 of the points (`take`, in 1/260). A card that is lower
    than all of them ducks under one (`duck`), and a void suit gets rid of points (`void`), each half as much. Every
    rank by which the cards of the hand lie above the middle rank counts 1/260 (`rank`). The sources name these
    features without weights.

    `standing` is another measure of ranks, off by default: it counts for each card by how many more cards of the other
    hands are below it than above it. With `standing` instead of `rank`, equivalent cards are valued alike, and a search
    plays only one of them.

    With `rising=1` the intervals of Max-Prob run from the present value to no points at all, as the source has them,
    although points can only be lost; otherwise over all the points that are left, whatever the hands are made of.
    """

    def __init__(self, take=20, duck=10, void=10, rank=1, standing=0, rising=0):
        self.take, self.duck, self.void, self.rank, self.standing = take, duck, void, rank, standing
        self.rising = rising
        self.require(rising in (0, 1), f"expected 0 or 1 for rising, got {rising}")
        for weight in (take, duck, void, rank, standing):
            self.require(abs(weight) <= 260, f"expected weights from -260 to 260, got {weight}")

    @property
    def values_equivalents_alike(self):
        return self.rank == 0

    def guess(self, game, state, out):
        left = points_left(game, state)
        for seat in range(4):
            out[seat] = -(points_in(game, state, seat) + left * self.parts(state, seat) / PARTS)

    def parts(self, state, seat):
        """The seat's share of the points left, in parts of 260."""
        parts = PARTS // 4
        for suit in range(4):
            own = np.int64(state.hands[seat, suit])
            if own == 0:
                parts -= self.void
                continue
            others = all_of(state.hands, suit) & ~own
            parts += self.take * count_of(over_all(own, others)) - self.duck * count_of(under_all(own, others))
            parts += self.rank * ranks_above(own)
            if self.standing != 0:
                parts += self.standing * standing_of(own, others)
        return min(PARTS, max(0, parts))


class Sketch(Composition):
    """The points of a hand that is played out by a simple rule, mixed with those of `composition`.

    `trust` is the weight of the sketch in percent.
    """

    values_equivalents_alike = False  # the simple rule compares ranks of different suits

    def __init__(self, trust=50, take=20, duck=10, void=10, rank=1, standing=0, rising=0):
        super().__init__(take, duck, void, rank, standing, rising)
        self.trust = trust
        self.require(0 <= trust <= 100, f"expected a trust from 0 to 100 percent, got {trust}")

    def guess(self, game, state, out):
        sketched(game, state, out)
        left = points_left(game, state)
        for seat in range(4):
            plain = points_in(game, state, seat) + left * self.parts(state, seat) / PARTS
            out[seat] = -(self.trust * out[seat] + (100 - self.trust) * plain) / 100
