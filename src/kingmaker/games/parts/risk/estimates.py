"""Estimates for Risk: who stands how, in shares of the win; armies and income; and the bids of the source's players.

The named features are *force* (armies), *growth* (land, continents held or nearly held) and *exposure* (territories
next to a larger foreign stack).
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.shares import GRAIN

SEATS = 6
ALL = 100.0  # points of a match
PLANNED = 5  # the phase of a tree of plans in which the battles of a plan are to come


@kernel
def threat(game, state, t):
    """The largest foreign stack beside a territory; 0 if there is none."""
    largest, owner = 0, state.owner[t]
    for i in range(game.degree[t]):
        other = game.near[t, i]
        if state.owner[other] != owner and state.armies[other] > largest:
            largest = state.armies[other]
    return largest


@kernel
def measure_features(game, state, estimate, force, growth):
    """Write the force and the growth of every seat."""
    land, troops, exposed = scratch_floats(SEATS), scratch_floats(SEATS), scratch_floats(SEATS)
    living = 0
    for seat in range(game.seats):
        force[seat] = growth[seat] = exposed[seat] = 0.0
        living += (state.living >> seat) & 1
    for home in range(game.lands):
        size, safe, there = game.first[home + 1] - game.first[home], 1.0, 0.0
        for seat in range(game.seats):
            land[seat] = troops[seat] = 0.0
        for t in range(game.first[home], game.first[home + 1]):
            owner, armies, danger = state.owner[t], state.armies[t], threat(game, state, t)
            land[owner] += 1.0
            troops[owner] += armies
            there += armies
            if danger == 0:
                force[owner] -= estimate.idle * (armies - 1)
            else:
                safe = min(safe, armies / (armies + 0.5 * danger))
                exposed[owner] += min(1.0, max(0.0, (danger - armies) / (1.0 + armies)))
        bonus = game.bonus[home]
        for seat in range(game.seats):
            if land[seat] > 0.0:
                force[seat] += troops[seat]
                growth[seat] += land[seat] / 3.0
                if land[seat] == size:
                    growth[seat] += estimate.held * bonus * safe
                else:
                    near = 0.5 * (land[seat] / size + troops[seat] / there)
                    growth[seat] += estimate.nearly * bonus * near * near * near * near * near
    force[state.seat] += state.reserve
    weight = estimate.exposure * (living - 1.0) / (game.seats - 1.0)
    for seat in range(game.seats):
        growth[seat] = max(0.2, growth[seat] - weight * exposed[seat]) if (state.living >> seat) & 1 else 0.0


class Rating(Estimate):
    """An estimate of Risk: where a plan is under way, whose battles are to come, the mean over its outcomes."""

    def value(self, game, state, out):
        if state.phase == PLANNED:
            game.expect(self, state, out)
        else:
            self.rate(game, state, out)


class Standing(Rating):
    """A seat's share of 100 points: half by its share of all force, half by its share of all growth.

    *Force* is armies; those that stand idle behind the front count `idle` less. *Growth* is a third of an army for each
    territory, `held` times the bonus of a continent held, as far as its weakest border is safe, `nearly` times the
    bonus of others by the fifth power of the part held, less `exposure` for each territory that a neighbour outnumbers
    by far; that weighs less the fewer seats are left. Shares keep it free of scale: growing stacks alone are no gain.

    An interval has the share s in its middle and reaches s (100 - s) / 100 to either side: who has nothing or all has
    no more to lose or to win, and in between most is open.
    """

    within_total = True
    has_intervals = True
    tuned = (21.0, 14.0)  # docs/tuning.md has the run

    def __init__(self, idle=0.3, held=4.0, nearly=0.3, exposure=1.0):
        self.idle, self.held, self.nearly, self.exposure = idle, held, nearly, exposure
        self.require(0 <= idle <= 1, f"expected idle armies to count 0 to 1 less, got {idle}")
        for weight in (held, nearly, exposure):
            self.require(0 <= weight <= 1000, f"expected weights of continents and exposure of 0 to 1000, got {weight}")

    def rate(self, game, state, out):
        force, growth = scratch_floats(SEATS), scratch_floats(SEATS)
        measure_features(game, state, self, force, growth)
        all_force, all_growth = 0.0, 0.0
        for seat in range(game.seats):
            all_force += force[seat]
            all_growth += growth[seat]
        for seat in range(game.seats):
            out[seat] = np.floor(50.0 * (force[seat] / all_force + growth[seat] / all_growth) / GRAIN) * GRAIN

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            self.final(game, state, low)
            self.final(game, state, high)
            return
        self.value(game, state, low)
        for seat in range(game.seats):
            open_part = low[seat] * (ALL - low[seat]) / ALL
            high[seat] = low[seat] + open_part
            low[seat] -= open_part


class Worth(Rating):
    """Armies and three times the next income, as they are and not as shares: what a seat has does not change when
    others fight each other, which is what a measure of opponent impact needs.
    """

    unit = "troop"
    within_bounds = False

    def rate(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 3.0 * game.income(state, seat) if game.active(state, seat) else 0.0
        for t in range(game.size):
            out[state.owner[t]] += state.armies[t]
        out[state.seat] += state.reserve


class Mars(Rating):
    """The sum of the values of a seat's territories, with the weights that Johansson and Olsson tuned for their player
    MARS; the meaning of their terms is our reading, for the formula was seen only in quotations.

        F. Olsson. A Multi-Agent System for Playing the Board Game Risk. Blekinge 2005.
    """

    unit = "bid"
    within_bounds = False

    def rate(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 0.0
        for home in range(game.lands):
            first, end = game.first[home], game.first[home + 1]
            holder = state.owner[first]
            borders = 0
            for t in range(first, end):
                if state.owner[t] != holder:
                    holder = -1
                if game.is_border[t]:
                    borders += 1
            static = 70.0 * game.bonus[home] / ((end - first) * max(1, borders))
            for t in range(first, end):
                out[state.owner[t]] += static + self.surroundings(game, state, t)
                # a share of the continent for each territory, and much for all of it
                out[state.owner[t]] += game.bonus[home] * (1.0 / (end - first) + (20.0 if holder >= 0 else 0.0))

    def surroundings(self, game, state, t):
        """The part of a territory's value that its neighbours make: friends, foes, other continents."""
        value = 0.0
        for i in range(game.degree[t]):
            other = game.near[t, i]
            if state.owner[other] == state.owner[t]:
                value += 1.2 + 0.05 * state.armies[other]
            else:
                value -= 0.3 + 0.03 * state.armies[other]
            if game.home[other] != game.home[t]:
                value += 0.5
        return value
