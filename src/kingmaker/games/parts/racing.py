"""How far a seat of Chinese Checkers has come: the source's estimate and a stronger one."""

import numpy as np

from kingmaker.games.parts.grid import ONE
from kingmaker.games.parts.hexes import NOTHING, lowest
from kingmaker.games.parts.riding import share_out
from kingmaker.games.parts.rising import Rising


def journeys(star, goals):
    """[seat, cell]: what it takes to bring a pawn from a cell to the tip of the destination camp.

    Steps count more the more of them are left, so that nobody is left behind; being off the straight way, where there is less to hop over,
    counts too.
    """
    return np.array([[toil(star, cell, goal) for cell in range(len(star.cells))] for goal in goals], np.int16)


def toil(star, cell, goal):
    steps = star.steps(cell, star.tips[goal])
    aside = star.steps(cell, star.tips[goal]) + star.steps(cell, star.tips[(goal + 3) % 6]) - 4 * star.radius
    return 16 * steps + steps * steps // 2 + 4 * aside


class Distance(Rising):
    """The source's: the sum of the distances to the destination camp, turned round so that more is better.

    One step is worth 1/128 on the board of radius 4, 1/64 on that of 3, 1/32 on that of 2; 1 would be to have arrived. The intervals
    run from the present value to 1.
    """

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = (game.scale - state.far[seat]) / game.scale


HALVES = 2.0 ** (-np.arange(4096) / 64)


class Journey(Rising):
    """The share of the point by all that the pawns have still to go, stragglers and strays more than others."""

    within_total = True

    def value(self, game, state, out):
        for seat in range(game.seats):
            toil = 0
            for word in range(2):
                left = state.pawns[seat, word]
                while left != NOTHING:
                    toil += game.toil[seat, word << 6 | lowest(left)]
                    left &= left - ONE
            out[seat] = HALVES[toil]
        share_out(game, out)
