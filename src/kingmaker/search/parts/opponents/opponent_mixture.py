"""Opponents of several possible kinds: a back-up that weighs what each kind would play.

A kind is a preference among the children of a node, and `work.beliefs[seat, kind]` says how probable it is that this
seat is of that kind. At an opponent's node every kind picks its best child, of equals each with the same chance, and
the node is worth the mean over the kinds. Children need not be kept for that: a child that is liked better discards
what was averaged before it. Means are taken step by step, so that the mean of equal numbers is that number; a child
counts as equal to the best one if their values are equal up to rounding.
"""

import numpy as np

from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.machinery.node import keep

WORSE, EQUAL, BETTER = 0, 1, 2


class Mixture(Constant):
    """The workspace fields for a mixture of `kinds` kinds."""

    def __init__(self, kinds):
        self.kinds = kinds

    def fields(self, game, plies):
        width = max(game.max_moves, game.max_outcomes)
        return [
            ("evaluations", np.int64, ()),  # how often an estimate was asked
            (
                "beliefs",
                np.float64,
                (game.seats, self.kinds),
            ),  # the probability of each kind; a seat's row has the sum 1
            ("likeliest", np.int32, (game.seats,)),  # the most probable kind of each seat
            ("live", np.int8, (self.kinds,)),  # 1: some opponent may be of this kind
            ("liked", np.float64, (plies, self.kinds)),  # what each kind's best child is worth to it
            ("equals", np.int32, (plies, self.kinds)),  # how many children are that good
            ("means", np.float64, (plies, self.kinds, game.seats)),  # their mean vector
            ("root_likings", np.float64, (width, self.kinds)),  # how much each kind likes each root move
        ]


@kernel
def compared(switches, work, ply, i, kind, liking):
    """Note how much a kind likes the i-th child; is that better than all before, equal to the best of them or worse?"""
    if ply == 0:
        work.root_likings[i, kind] = liking
    if i == 0 or switches.rounding.above(liking, work.liked[ply, kind]):
        work.liked[ply, kind] = liking
        return BETTER
    return EQUAL if switches.rounding.reaches(liking, work.liked[ply, kind]) else WORSE


@kernel
def gather(game, work, ply, seat, i, kind, verdict):
    """Add the child's vector to the mean of this kind's best children; the line follows the most probable kind."""
    if verdict == BETTER:
        work.equals[ply, kind] = 1
        for each in range(game.seats):
            work.means[ply, kind, each] = work.values[ply + 1, each]
        if kind == work.likeliest[seat]:
            keep(game, work, ply, seat, i)
    elif verdict == EQUAL:
        work.equals[ply, kind] += 1
        for each in range(game.seats):
            work.means[ply, kind, each] += (work.values[ply + 1, each] - work.means[ply, kind, each]) / work.equals[
                ply, kind
            ]


@kernel
def average(game, switches, work, ply, seat):
    """Leave in work.values[ply] the mean over the kinds that the mover may be of."""
    weight = 0.0
    for each in range(game.seats):
        work.values[ply, each] = 0.0
    for kind in range(switches.mixture.kinds):
        belief = work.beliefs[seat, kind]
        if belief > 0.0:
            weight += belief
            share = belief / weight  # 1 for the first
            for each in range(game.seats):
                work.values[ply, each] += (work.means[ply, kind, each] - work.values[ply, each]) * share
