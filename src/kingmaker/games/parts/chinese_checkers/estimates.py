"""Estimates for Chinese Checkers: that of the source and a stronger one."""

import numpy as np

from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.grid import ONE
from kingmaker.games.parts.hexes import NOTHING, lowest
from kingmaker.games.parts.present_to_ceiling import Rising
from kingmaker.games.parts.shares import GRAIN


def journeys(star, goals):
    """[seat, cell]: the effort of bringing a pawn from a cell to the tip of the destination camp.

    The effort grows faster than the number of steps, so that no pawn is left behind; a pawn off the straight line,
    where there is less to hop over, needs more effort.
    """
    return np.array([[toil(star, cell, goal) for cell in range(len(star.cells))] for goal in goals], np.int16)


def toil(star, cell, goal):
    steps = star.steps(cell, star.tips[goal])
    aside = star.steps(cell, star.tips[goal]) + star.steps(cell, star.tips[(goal + 3) % 6]) - 4 * star.radius
    return 16 * steps + steps * steps // 2 + 4 * aside


class Distance(Rising):
    """The estimate of the source: 1 minus the sum of the distances to the destination camp, scaled.

    One step is worth 1/128 on the board of radius 4, 1/64 on that of 3, 1/32 on that of 2; 1 means that all pawns have
    arrived. The intervals run from the present value to 1. It measures the steps that the pawns have come.
    """

    unit = "step"

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = (game.scale - state.far[seat]) / game.scale

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = game.way - state.far[seat]

    def widest_edge(self, game):
        """No cell is farther from the destination than home, and a seat that has come all the way has won."""
        return game.way - 1.0


SEATS = 6
LONGEST = 4095  # more than any seat's pawns have to go
HALVES = 2.0 ** (-np.arange(LONGEST + 1) / 64)
# of the rest, a step is always worth at least two grains, for any number of seats and any lead
SHARED = 15 / 16


class Journey(Rising):
    """The seat's share of the point, by the effort that all its pawns still need (`journeys`).

    15/16 of the point are divided in this way. If one seat is far ahead, this part is close to 0 or 1 whatever is
    played; so the rest is divided by the way that each seat has already come, and of two moves the one that leads
    further is always worth more.
    """

    unit = "share"
    within_total = True

    def value(self, game, state, out):
        behind = scratch_floats(SEATS)
        weights = ways = 0.0
        for seat in range(game.seats):
            toil = self.toil(game, state, seat)
            out[seat], behind[seat] = HALVES[toil], LONGEST - toil
            weights += out[seat]
            ways += behind[seat]
        for seat in range(game.seats):
            out[seat] = np.floor((SHARED * out[seat] / weights + (1.0 - SHARED) * behind[seat] / ways) / GRAIN) * GRAIN

    def toil(self, game, state, seat):
        """The effort of bringing all pawns of a seat to their destination."""
        toil = 0
        for word in range(2):
            left = state.pawns[seat, word]
            while left != NOTHING:
                toil += game.toil[seat, word << 6 | lowest(left)]
                left &= left - ONE
        return toil
