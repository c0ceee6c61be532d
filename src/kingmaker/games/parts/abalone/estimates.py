"""Estimates for Abalone: that of the source and a stronger one.

Both count the marbles pushed off and how the seat's own marbles lie: near the middle they cannot be pushed off, and
side by side they push and are hard to push.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.abalone.arrangement import arranged_after, centre, cohesion, front_of
from kingmaker.games.parts.abalone.best_moves import best_moves
from kingmaker.games.parts.grid import BIT, popcount
from kingmaker.games.parts.hexes import DISCS, NOTHING, ahead
from kingmaker.games.parts.present_to_ceiling import Rising
from kingmaker.games.parts.shares import GRAIN, share_out

OWN = 3  # index of the mover's arrangement in `room`, after the values of the seats


@kernel
def sideways(game, own, move):
    """A seat's marbles after a move sideways, or a pass."""
    kind = move >> 9
    if kind == 7:
        return own
    group = game.group(BIT[move & 63], kind)
    return own & ~group | ahead(group, move >> 6 & 7)


class Pushed(Rising):
    """The estimate of the source: marbles pushed off, and the arrangement on the board.

    A marble pushed off is worth 1/8, a step towards the middle or a pair that touches 1/1024, so that the best
    arrangement is worth about half a marble. The intervals run from the present value to 7/8, which no seat exceeds
    before the end. It measures in marbles: one pushed off is 1, a step or a pair 1/128.
    """

    unit = "marble"
    tuned = (4.0, 1.0)  # docs/tuning.md has the run
    best_is_likeliest = False  # a push changes the intervals of others too
    ceiling = 0.875

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = self.parts(state, seat) / 1024

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = self.parts(state, seat) / 128

    def parts(self, state, seat):
        """The value of a seat in units of 1/128 of a marble pushed off."""
        cells = state.marbles[seat]
        return 128 * state.pushed[seat] + centre(cells) + cohesion(cells)

    def begin(self, game, state, seat, room):
        self.value(game, state, room)
        room[OWN] = 1024 * room[seat] - 128 * state.pushed[seat]
        return state.age + 1 < game.longest

    def after(self, game, state, seat, move, room, out):
        mine = self.own_after(game, state, seat, move, room)
        for each in range(game.seats):
            out[each] = mine if each == seat else room[each]
        return not np.isnan(mine)

    def own_after(self, game, state, seat, move, room):
        arranged = arranged_after(game, state, seat, move, np.int64(room[OWN]))
        return np.nan if arranged < 0 else (128 * state.pushed[seat] + arranged) / 1024

    def best_after(self, game, state, seat, room, out):
        return best_moves(game, state, seat, out)

    def grain(self, game):
        return 1 / 1024

    def widest_edge(self, game):
        """Five marbles, because the sixth ends the match, plus the best arrangement against the worst."""
        nearest = sum(min(game.marbles, int(disc).bit_count()) for disc in DISCS)
        return 5 + (nearest + game.touching) / 128


WEIGHTS = 2.0 ** (np.arange(-1024, 1025) / 128)


class Standing(Rising):
    """The seat's share of the point, by points for marbles pushed off, marbles lost and arrangement; 128 points more
    double its weight.
    """

    unit = "share"
    within_total = True

    def __init__(self, pushed=96, lost=96, middle=8, touching=3):
        self.pushed, self.lost, self.middle, self.touching = pushed, lost, middle, touching
        for weight in (pushed, lost, middle, touching):
            self.require(abs(weight) <= 10_000, f"expected weights from -10000 to 10000, got {weight}")

    def value(self, game, state, out):
        self.weigh(game, state, out)
        share_out(game, out)

    def weigh(self, game, state, out):
        """Write the weight of each seat."""
        for seat in range(game.seats):
            out[seat] = self.weight(game, state, seat, state.marbles[seat])

    def weight(self, game, state, seat, cells):
        """The weight of a seat if its marbles lay on these cells."""
        points = self.pushed * state.pushed[seat] - self.lost * (game.marbles - popcount(cells))
        points += self.middle * centre(cells) + self.touching * cohesion(cells)
        return WEIGHTS[min(2048, max(0, points + 1024))]

    def begin(self, game, state, seat, room):
        self.weigh(game, state, room)
        return state.age + 1 < game.longest

    def after(self, game, state, seat, move, room, out):
        mine = self.weight_after(game, state, seat, move)
        for each in range(game.seats):
            out[each] = mine if each == seat else room[each]
        share_out(game, out)
        return not np.isnan(mine)

    def own_after(self, game, state, seat, move, room):
        mine, total = self.weight_after(game, state, seat, move), 0.0
        for each in range(game.seats):
            total += mine if each == seat else room[each]
        return np.floor(mine / total / GRAIN) * GRAIN

    def weight_after(self, game, state, seat, move):
        """The weight of a seat after its move, nan if that pushes somebody."""
        own, cell = state.marbles[seat], move & 63
        if move >> 9 != 0:
            return self.weight(game, state, seat, sideways(game, own, move))
        front = front_of(own, cell, move >> 6)
        if game.others(state, seat) & BIT[front] != NOTHING:
            return np.nan
        return self.weight(game, state, seat, own & ~BIT[cell] | BIT[front])
