"""Estimates for Abalone: that of the source and a stronger one.

Both count the marbles pushed off and how the seat's own marbles lie: near the middle they cannot be pushed off, and
side by side they push and are hard to push.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.grid import popcount
from kingmaker.games.parts.hexes import DISCS, ahead
from kingmaker.games.parts.present_to_ceiling import Rising
from kingmaker.games.parts.shares import share_out


@kernel
def centre(cells):
    """The sum of all marbles' distances from the rim, in steps."""
    return (
        popcount(cells & DISCS[0])
        + popcount(cells & DISCS[1])
        + popcount(cells & DISCS[2])
        + popcount(cells & DISCS[3])
    )


@kernel
def cohesion(cells):
    """How many pairs of marbles touch."""
    return popcount(cells & ahead(cells, 0)) + popcount(cells & ahead(cells, 1)) + popcount(cells & ahead(cells, 2))


class Pushed(Rising):
    """The estimate of the source: marbles pushed off, and the arrangement on the board.

    A marble pushed off is worth 1/8, a step towards the middle or a pair that touches 1/1024, so that the best
    arrangement is worth about half a marble. The intervals run from the present value to 7/8, which no seat exceeds
    before the end. It measures in marbles: one pushed off is 1, a step or a pair 1/128.
    """

    unit = "marble"
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
        for seat in range(game.seats):
            cells = state.marbles[seat]
            points = self.pushed * state.pushed[seat] - self.lost * (game.marbles - popcount(cells))
            points += self.middle * centre(cells) + self.touching * cohesion(cells)
            out[seat] = WEIGHTS[min(2048, max(0, points + 1024))]
        share_out(game, out)
