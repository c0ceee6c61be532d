"""Estimates for Hearts, in points: that of the sources and a stronger one.

Both count the points that a seat has taken and guess its share of the points that are still to be taken, those on the
table apart: they count for the seat whose card is the best so far.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.games.parts.cards.cards import ACE, HEARTS, KING, QUEEN, SPADES, count_of, highest_of, lowest_of

PARTS = 260  # the points that are left are shared out in so many parts


@kernel
def others_of(state, seat, suit):
    """The cards of a suit in all other hands."""
    found = 0
    for other in range(4):
        if other != seat:
            found |= state.hands[other, suit]
    return found


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
    """

    def __init__(self, take=20, duck=10, void=10, rank=1):
        self.take, self.duck, self.void, self.rank = take, duck, void, rank
        for weight in (take, duck, void, rank):
            self.require(abs(weight) <= 260, f"expected weights from -260 to 260, got {weight}")

    def guess(self, game, state, out):
        left = points_left(game, state)
        for seat in range(4):
            out[seat] = -(points_in(game, state, seat) + left * self.parts(state, seat) / PARTS)

    def parts(self, state, seat):
        """The seat's share of the points left, in parts of 260."""
        parts = PARTS // 4
        for suit in range(4):
            own, others = np.int64(state.hands[seat, suit]), others_of(state, seat, suit)
            if own == 0:
                parts -= self.void
                continue
            parts += self.take * count_of(own & ~((2 << highest_of(others)) - 1 if others else 0))
            parts -= self.duck * count_of(own & ((others & -others) - 1 if others else 0))
            while own != 0:
                parts += self.rank * (lowest_of(own) - 6)
                own &= own - 1
        return min(PARTS, max(0, parts))


SCALE, MOST = 64, 2048  # scores are in 1/64 of a unit of the logarithm
POWERS = np.exp(np.arange(-MOST, MOST + 1) / SCALE)


class Danger(Points):
    """The queen and the hearts apart: each seat's shares of them grow with the exponential of a score.

    The scores count, in 1/64: how many cards of the other hands a seat's cards can beat, as a share of them, in hearts
    (`hearts`) and in the other suits (`beats`); cards that are lower than all others (`duck`), void suits (`void`), and
    the lead (`lead`). For the queen: to hold it (`queen`) and each spade beside it (`guard`), the ace and king of
    spades against it (`tops`), lower spades against it (`low`), cards that the seat can beat in the suits other than
    spades (`press`), and the lead (`turn`). The weights were fitted to hands of self-play.
    """

    def __init__(
        self, hearts=35, beats=22, duck=-4, void=-32, lead=21, queen=115, guard=-43, tops=32, low=-9, press=25, turn=19
    ):
        self.hearts, self.beats, self.duck, self.void, self.lead = hearts, beats, duck, void, lead
        self.queen, self.guard, self.tops, self.low, self.press, self.turn = queen, guard, tops, low, press, turn
        for weight in (hearts, beats, duck, void, lead, queen, guard, tops, low, press, turn):
            self.require(abs(weight) <= 1000, f"expected weights from -1000 to 1000, got {weight}")

    def guess(self, game, state, out):
        left = points_left(game, state)
        holder = self.holder(state)
        all_hearts, all_queen = 0.0, 0.0
        for seat in range(4):
            all_hearts += self.share(game, state, seat, holder, False)
            all_queen += self.share(game, state, seat, holder, True)
        thirteen = 13 if holder >= 0 else 0
        for seat in range(4):
            expected = (left - thirteen) * (self.share(game, state, seat, holder, False) / all_hearts)
            expected += thirteen * (self.share(game, state, seat, holder, True) / all_queen)
            out[seat] = -min(float(game.points), points_in(game, state, seat) + expected)

    def holder(self, state):
        """The seat that holds the queen of spades; -1: it has been played."""
        for seat in range(4):
            if state.hands[seat, SPADES] >> QUEEN & 1:
                return seat
        return -1

    def share(self, game, state, seat, holder, queen):
        """The seat's weight for the hearts, or for the queen."""
        score = self.queen_score(state, seat, holder) if queen else self.hearts_score(state, seat)
        return POWERS[min(2 * MOST, max(0, score + MOST))]

    def beaten(self, state, seat, suit):
        """How many of the others' cards in a suit the seat's cards beat, each counted with a share in 16."""
        own, others, found = np.int64(state.hands[seat, suit]), others_of(state, seat, suit), 0
        while own != 0:
            found += count_of(others & ((own & -own) - 1))
            own &= own - 1
        return 16 * found // max(1, count_of(others))

    def hearts_score(self, state, seat):
        score = self.lead if state.laid == 0 and state.leader == seat else 0
        for suit in range(4):
            own, others = np.int64(state.hands[seat, suit]), others_of(state, seat, suit)
            if own == 0:
                score += self.void
            score += (self.hearts if suit == HEARTS else self.beats) * self.beaten(state, seat, suit) // 16
            score += self.duck * count_of(own & ((others & -others) - 1 if others else 0))
        return score

    def queen_score(self, state, seat, holder):
        if holder < 0:
            return 0
        spades = np.int64(state.hands[seat, SPADES])
        score = self.turn if state.laid == 0 and state.leader == seat else 0
        for suit in range(4):
            if suit != SPADES:
                score += self.press * self.beaten(state, seat, suit) // 16
        if holder == seat:
            return score + self.queen + self.guard * (count_of(spades) - 1)
        score += self.tops * ((spades >> KING & 1) + (spades >> ACE & 1))
        return score + self.low * count_of(spades & ((1 << QUEEN) - 1))
