"""How far a seat of Chinese Checkers has come: the source's estimate and a stronger one."""

import numpy as np

from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.grid import ONE
from kingmaker.games.parts.hexes import NOTHING, lowest
from kingmaker.games.parts.present_to_ceiling import Rising
from kingmaker.games.parts.shares import GRAIN


def journeys(star, goals):
    """[seat, cell]: what it takes to bring a pawn from a cell to the tip of the destination camp.

    Steps count more the more of them are left, so that nobody is left behind; being off the straight way, where there
    is less to hop over, counts too.
    """
    return np.array([[toil(star, cell, goal) for cell in range(len(star.cells))] for goal in goals], np.int16)


def toil(star, cell, goal):
    steps = star.steps(cell, star.tips[goal])
    aside = star.steps(cell, star.tips[goal]) + star.steps(cell, star.tips[(goal + 3) % 6]) - 4 * star.radius
    return 16 * steps + steps * steps // 2 + 4 * aside


class Distance(Rising):
    """The source's: the sum of the distances to the destination camp, turned round so that more is better.

    One step is worth 1/128 on the board of radius 4, 1/64 on that of 3, 1/32 on that of 2; 1 would be to have arrived.
    The intervals run from the present value to 1. It measures the steps that the pawns have come.
    """

    unit = "step"

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = (game.scale - state.far[seat]) / game.scale

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = game.way - state.far[seat]

    def widest_edge(self, game):
        """Nowhere is farther from the destination than home, and who has come all the way has won."""
        return game.way - 1.0


SEATS = 6
LONGEST = 4095  # more than any seat's pawns have to go
HALVES = 2.0 ** (-np.arange(LONGEST + 1) / 64)
SHARED = (
    15 / 16
)  # the rest is worth two grains a step or more, however many seats there are and however far one is ahead


class Journey(Rising):
    """The share of the point by all that the pawns have still to go, stragglers and strays more than others.

    15/16 of the point are shared out so. Where one seat is far ahead that share is as good as all or nothing, whatever
    it plays; so the rest is shared out by the way that each seat has behind it, and of two moves the one that leads
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
        """What it takes to bring all pawns of a seat home."""
        toil = 0
        for word in range(2):
            left = state.pawns[seat, word]
            while left != NOTHING:
                toil += game.toil[seat, word << 6 | lowest(left)]
                left &= left - ONE
        return toil
