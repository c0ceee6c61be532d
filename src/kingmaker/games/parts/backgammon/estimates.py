"""Estimates for backgammon: pips and blots, and one whose weights were learnt from matches.

Both measure in pips what a seat has, by its own checkers and by what threatens them; the value of a seat is its lead.
Once the seats have passed each other, a seat's measure depends on its own checkers alone.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.backgammon.turns import BAR, HOME

MOST = 375.0  # pips, with all checkers on the bar


class Lead(Estimate):
    """An estimate that measures in pips; its intervals run from the present value to the highest payoff."""

    unit = "pip"
    has_intervals = True

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            self.final(game, state, low)
            self.final(game, state, high)
            return
        self.value(game, state, low)
        for seat in range(2):
            high[seat] = game.most

    def value(self, game, state, out):
        self.measure(game, state, out)
        out[0] = self.on_scale(game, state, out[0] - out[1])
        out[1] = -out[0]

    def on_scale(self, game, state, lead):
        """The payoff that a lead of so many pips is worth."""
        return lead / MOST


class Pips(Lead):
    """The pips that all checkers still have to go, and for every blot that can be hit a part of what it would lose.

    `blot` is that part: 0 counts pips alone, 1 counts every blot in reach as lost.
    """

    def __init__(self, blot: float = 0.25):
        self.blot = blot
        self.require(0.0 <= blot <= 1.0, f"expected a part from 0 to 1 for blot, got {blot}")

    def measure(self, game, state, out):
        for seat in range(2):
            out[seat] = 0.0
            behind = BAR - game.rearmost(state, 1 - seat)  # the other seat's last checker, as this one counts
            for point in range(1, BAR + 1):
                count = state.checkers[seat, point]
                out[seat] -= count * point
                if count == 1 and behind < point < BAR:
                    out[seat] -= self.blot * (BAR - point)

    def widest_edge(self, game):
        """One seat has all checkers on the bar, the other has borne off nearly all."""
        return MOST


# of 36 rolls, how many hit a blot at a distance of so many pips, by one checker and with nothing in between
SHOTS = np.array([0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0]) / 36
FEATURES, ON_ROLL = 15, 15
# in pips, for contact and for the race: what `read_features` counts, then being the one to roll
WEIGHTS = np.array(
    [
        [-1.0, -15.1, -0.9, 6.7, 0.3, -0.5, -3.0, 2.5, -5.6, -2.4, 4.5, 1.1, 13.1, -7.0, -0.8, 10.1],
        [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.8, 0.0, 0.0, -0.7, -0.3, 0.0, 2.9, 0.0, -0.3, 6.2],
    ]
)
COUNTS = np.array(
    [375.0, 15.0, 255.0, 6.0, 6.0, 7.0, 12.0, 6.0, 15.0, 15.0, 6.0, 36.0, 15.0, 6.0, 15.0, 1.0]
)  # at most
EDGE = float((np.abs(WEIGHTS) @ COUNTS).max())
SCALE = np.array([126.0, 16.0])  # a lead of so many pips is worth 1 / sqrt(2) of a point


class Prospects(Lead):
    """Pips, and in pips what else matters: checkers on the bar, blots by the rolls that hit them, points made, primes,
    anchors and gaps; in a race, checkers borne off and pips wasted on low points.

    The weights are those of a logistic regression on the results of 20 000 matches that an earlier version of this
    estimate played against itself, one move in twenty by chance.
    """

    def measure(self, game, state, out):
        race = 1 if game.is_race(state) else 0
        features = scratch_floats(FEATURES)
        for seat in range(2):
            read_features(state, seat, features)
            out[seat] = WEIGHTS[race, ON_ROLL] if state.seat == seat else 0.0
            for each in range(FEATURES):
                out[seat] += WEIGHTS[race, each] * features[each]

    def on_scale(self, game, state, lead):
        share = lead / SCALE[1 if game.is_race(state) else 0]
        return share / np.sqrt(1.0 + share * share)

    def widest_edge(self, game):
        """Far beyond what a match can reach: every count at its most for one seat, at its least for the other."""
        return EDGE


@kernel
def read_features(state, seat, features):
    """Write what the weights of `Prospects` are for."""
    for each in range(FEATURES):
        features[each] = 0.0
    row, theirs = state.checkers[seat], state.checkers[1 - seat]
    run = longest = 0
    for point in range(1, BAR + 1):
        count = row[point]
        features[0] += count * point  # pips
        run = run + 1 if count >= 2 and point <= 12 else 0
        longest = max(longest, run)
        if count == 0:
            features[10] += 1.0 if point <= HOME else 0.0  # gaps at home
            continue
        features[6] += max(count - 3, 0)  # heaps
        if point == BAR:
            features[1] = count
        elif point > BAR - 1 - HOME:
            features[8] += count  # behind, in the other seat's home
            features[4 if count >= 2 else 7] += 1.0  # anchors, blots there
        elif point > HOME:
            features[5] += 1.0 if count >= 2 else 0.0  # points made outside
        else:
            features[3] += 1.0 if count >= 2 else 0.0  # points made at home
        if point <= 2:
            features[9] += count  # of little use any more
        if point > HOME:
            features[14] += count  # not yet at home
        if count == 1 and point < BAR:
            features[2] += hit_chance(theirs, point) * (BAR - point)
    features[11] = longest * longest  # the longest prime
    features[12] = row[0]  # borne off
    features[13] = blocked(row, theirs)


@kernel
def hit_chance(theirs, point):
    """The chance that a blot on a point is hit in one roll, as if every checker behind it hit independently."""
    safe = 1.0
    for distance in range(1, point + 1):
        if theirs[BAR - point + distance] > 0:
            safe *= 1.0 - SHOTS[distance]
    return 1.0 - safe


@kernel
def blocked(row, theirs):
    """How many of the six points in front of the seat's last checker the other seat has made."""
    last = BAR
    while last > 0 and row[last] == 0:
        last -= 1
    count = 0.0
    for point in range(max(last - 6, 1), last):
        count += 1.0 if theirs[BAR - point] >= 2 else 0.0
    return count
