"""Estimates for Chinese Checkers: that of the source and a stronger one."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.chinese_checkers.hopping import furthest, unoccupied
from kingmaker.games.parts.grid import ONE, popcount
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


@kernel
def foreseeable(game, state, room):
    """Write to room[1 + seat] whether the next move may fill the seat's camp, and their number to room[0]; returns
    False if the next move ends the match by the limit.

    A move can fill a camp only if exactly one of its cells is free.
    """
    room[0] = 0.0
    low, high = unoccupied(game, state)
    for seat in range(game.seats):
        free = popcount(low & game.goals[seat, 0]) + popcount(high & game.goals[seat, 1])
        room[1 + seat] = 1.0 if free == 1 else 0.0
        room[0] += room[1 + seat]
    return state.age + 1 < game.longest


@kernel
def ends(game, move, room):
    """May a move end the match, according to `room`?"""
    if room[0] == 0.0:
        return False
    owner = game.owner[move & 127]
    return owner >= 0 and room[1 + owner] > 0.0


class Distance(Rising):
    """The estimate of the source: 1 minus the sum of the distances to the destination camp, scaled.

    One step is worth 1/128 on the board of radius 4, 1/64 on that of 3, 1/32 on that of 2; 1 means that all pawns have
    arrived. The intervals run from the present value to 1. It measures the steps that the pawns have come.
    """

    unit = "step"
    changes_own_alone = True

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = (game.scale - state.far[seat]) / game.scale

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = game.way - state.far[seat]

    def begin(self, game, state, seat, room):
        return foreseeable(game, state, room)

    def after(self, game, state, seat, move, room, out):
        if ends(game, move, room):
            return False
        for each in range(game.seats):
            out[each] = (game.scale - state.far[each]) / game.scale
        out[seat] = self.own_after(game, state, seat, move, room)
        return True

    def own_after(self, game, state, seat, move, room):
        if ends(game, move, room):
            return np.nan
        cell, goal = move >> 7, move & 127
        return (game.scale - (state.far[seat] + game.away[seat, goal] - game.away[seat, cell])) / game.scale

    def best_after(self, game, state, seat, room, out):
        if room[0] > 0.0:
            return 0, 0
        return furthest(game, state, seat, out)

    def grain(self, game):
        return 1.0 / game.scale

    def widest_edge(self, game):
        """No cell is farther from the destination than home, and a seat that has come all the way has won."""
        return game.way - 1.0


SEATS = 6
TOILS = 7  # index in `room` of the first seat's effort
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
        toils = scratch_floats(SEATS)
        for seat in range(game.seats):
            toils[seat] = self.toil(game, state, seat)
        for seat in range(game.seats):
            out[seat] = self.share(game, toils, seat)

    def share(self, game, toils, seat):
        """The share of a seat, given the effort that each seat still needs."""
        weights = ways = 0.0
        for each in range(game.seats):
            toil = np.int64(toils[each])
            weights += HALVES[toil]
            ways += LONGEST - toil
        mine = np.int64(toils[seat])
        return np.floor((SHARED * HALVES[mine] / weights + (1.0 - SHARED) * (LONGEST - mine) / ways) / GRAIN) * GRAIN

    def begin(self, game, state, seat, room):
        for each in range(game.seats):
            room[TOILS + each] = self.toil(game, state, each)
        return foreseeable(game, state, room)

    def after(self, game, state, seat, move, room, out):
        if ends(game, move, room):
            return False
        for each in range(game.seats):
            out[each] = self.share_after(game, seat, move, room, each)
        return True

    def own_after(self, game, state, seat, move, room):
        return np.nan if ends(game, move, room) else self.share_after(game, seat, move, room, seat)

    def share_after(self, game, seat, move, room, whose):
        """The share of `whose` once `seat` has moved."""
        before = room[TOILS + seat]
        room[TOILS + seat] = before + game.toil[seat, move & 127] - game.toil[seat, move >> 7]
        share = self.share(game, room[TOILS:], whose)
        room[TOILS + seat] = before
        return share

    def toil(self, game, state, seat):
        """The effort of bringing all pawns of a seat to their destination."""
        toil = 0
        for word in range(2):
            left = state.pawns[seat, word]
            while left != NOTHING:
                toil += game.toil[seat, word << 6 | lowest(left)]
                left &= left - ONE
        return toil
