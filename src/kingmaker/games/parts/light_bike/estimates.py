"""Estimates for Light Bike: that of the source and two better ones.

All three stay between 0 (out) and 1 (the only rider left), the scale of the payoffs. Room and Territory give the payoff
at the end of a match, and they have intervals: a rider who is alive may keep its share or take everything. These two
measure in cells, including the cell on which the rider stands.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.grid import BIT, NOTHING, ONE, popcount, spread
from kingmaker.games.parts.shares import share_out

ROWS = 64  # of the tallest board
EDGES = 8 * ROWS


class Survival(Estimate):
    """The estimate of the source: 1 for the only rider who can still move, else how long the match has lasted.

    A search goes no deeper where its own rider is out or stuck, so a longer ride is worth more.
    """

    def value(self, game, state, out):
        free = -1
        for seat in range(game.seats):
            if game.lives(state, seat) and not game.stuck(state, seat):
                free = seat if free == -1 else -2
        for seat in range(game.seats):
            out[seat] = state.age / game.longest
        if free >= 0:
            out[free] = 1.0

    def against(self, game, state, seat, opponent, out):
        """In a duel, 1 for the only one of the two riders who can still move."""
        for each in range(game.seats):
            out[each] = state.age / game.longest
        mine = game.lives(state, seat) and not game.stuck(state, seat)
        theirs = opponent >= 0 and game.lives(state, opponent) and not game.stuck(state, opponent)
        if mine and not theirs:
            out[seat] = 1.0
        if theirs and not mine:
            out[opponent] = 1.0

    def final(self, game, state, out):
        self.value(game, state, out)
        for seat in range(game.seats):
            if state.left == 1 and game.lives(state, seat):
                out[seat] = 1.0

    def enough(self, game, state, seat):
        return not game.lives(state, seat) or game.stuck(state, seat)


class ShareOfCells(Estimate):
    """What Room and Territory have in common: they measure cells, and a seat's value is its share of them."""

    unit = "cell"
    within_total = True
    has_intervals = True

    def value(self, game, state, out):
        self.measure(game, state, out)
        share_out(game, out)

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        reach_for_all(game, state, low, high)

    def widest_edge(self, game):
        """One seat has the whole board, another nothing."""
        return float(game.width * game.height)


class Room(ShareOfCells):
    """The share of all room: a rider's room is the number of cells it could reach if the others stood still."""

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 1.0 if in_play(state, seat) else 0.0
            if out[seat] > 0.0 and state.left > 1:
                out[seat] += self.reach(game, state, seat)

    def reach(self, game, state, seat):
        """How many free cells are connected to the rider's head: whole rows grow until nothing changes."""
        reached = scratch(ROWS)
        for row in range(game.height + 2):
            reached[row] = NOTHING
        head = state.rows[seat]
        reached[head] = BIT[state.columns[seat]]
        changed = True
        while changed:
            changed = False
            for row in range(1, game.height + 1):
                grown = reached[row] | spread(reached, row) & ~np.uint64(state.walls[row])
                if grown != reached[row]:
                    reached[row] = grown
                    changed = True
        cells = -1  # the head itself
        for row in range(1, game.height + 1):
            cells += popcount(reached[row])
        return cells


class Territory(ShareOfCells):
    """The share of cells that each rider reaches before any other, by flood fill from all heads at once.

    A cell that several riders reach in the same number of moves belongs to none of them.
    """

    tuned = (48.0, 32.0)  # docs/tuning.md has the run

    def measure(self, game, state, out):
        edge, once, twice, free = scratch(EDGES), scratch(ROWS), scratch(ROWS), scratch(ROWS)
        for row in range(game.height + 2):
            free[row] = ~np.uint64(state.walls[row])
            for seat in range(game.seats):
                edge[seat * ROWS + row] = NOTHING
        for seat in range(game.seats):
            out[seat] = 1.0 if in_play(state, seat) else 0.0
            if out[seat] > 0.0 and state.left > 1:
                edge[seat * ROWS + state.rows[seat]] = BIT[state.columns[seat]]
        while self.grow(game, edge, once, twice, free, out):
            pass

    def grow(self, game, edge, once, twice, free, out):
        """Let every rider's edge advance by one cell; returns whether any edge did."""
        for row in range(1, game.height + 1):
            once[row] = twice[row] = NOTHING
        for seat in range(game.seats):
            self.advance(game, edge[seat * ROWS : seat * ROWS + ROWS], once, twice, free)
        grown = False
        for seat in range(game.seats):
            for row in range(1, game.height + 1):
                reached = edge[seat * ROWS + row]
                out[seat] += popcount(reached & ~twice[row])
                grown |= reached != NOTHING
        for row in range(1, game.height + 1):
            free[row] &= ~once[row]
        return grown

    def advance(self, game, edge, once, twice, free):
        """Replace one rider's edge by the free cells next to it, noting what is reached once and what twice."""
        above = NOTHING
        for row in range(1, game.height + 1):
            here = edge[row]
            reached = ((here << ONE) | (here >> ONE) | above | edge[row + 1]) & free[row]
            above = here
            edge[row] = reached
            twice[row] |= once[row] & reached
            once[row] |= reached


@kernel
def in_play(state, seat):
    """Is the rider alive, or, if nobody is, was it among those who fell last?"""
    return (state.last >> seat) & 1 == 1


@kernel
def reach_for_all(game, state, low, high):
    """High ends for the shares in `low`: a rider who is out stays out, every other may take everything while the match
    goes on.
    """
    for seat in range(game.seats):
        high[seat] = 1.0 if low[seat] > 0.0 and state.left > 1 else low[seat]
