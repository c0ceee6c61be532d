"""The sets of vectors that Soft-MaxN backs up, kept in the workspace and bounded in size."""

import numpy as np

from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import Constant, kernel


class VectorSets(Constant):
    """Sets of at most `cap` vectors, one a ply."""

    def __init__(self, cap):
        self.cap = cap

    def fields(self, game, plies):
        return [
            ("sets", np.float64, (plies, self.cap, game.seats)),
            ("sizes", np.int32, (plies,)),
            (
                "tops",
                np.float64,
                (plies, self.cap),
            ),  # the mover's best entry in the child's set that a vector came from
            ("floors", np.float64, (plies,)),  # the highest of the mover's worst entries over the children so far
            ("spare", np.float64, (self.cap, game.seats)),
            ("dropped", np.int64, ()),  # vectors left out because a set was full
            ("root_sets", np.float64, (game.max_moves, 3)),  # size, worst and best entry of each root move's set
            (
                "found_sets",
                np.float64,
                (game.max_moves, 3),
            ),  # the same of the last finished iteration, as are the fields below
            ("found", np.float64, (self.cap, game.seats)),
            ("found_size", np.int64, ()),
            ("found_dropped", np.int64, ()),
        ]

    def single(self, game, work, ply):
        work.sizes[ply] = 1
        for each in range(game.seats):
            work.sets[ply, 0, each] = work.values[ply, each]

    def begin(self, game, work, ply, seat):
        """Start with the empty set or, at a chance node, with the zero vector as the mean of no outcomes yet."""
        work.sizes[ply] = 0
        work.floors[ply] = -np.inf
        if seat == CHANCE:
            work.sizes[ply] = 1
            for each in range(game.seats):
                work.sets[ply, 0, each] = 0.0

    def unite(self, game, rounding, work, ply, seat, i):
        """Add the child's set, and leave out every child that is strictly worse for the mover than another; return the
        mover's worst entry in the child's set.
        """
        worst, top = np.inf, -np.inf
        for k in range(work.sizes[ply + 1]):
            worst = min(worst, work.sets[ply + 1, k, seat])
            top = max(top, work.sets[ply + 1, k, seat])
        if ply == 0:
            work.root_sets[i, 0] = work.sizes[1]
            work.root_sets[i, 1] = worst
            work.root_sets[i, 2] = top
        if worst > work.floors[ply]:
            work.floors[ply] = worst
            self.sift(game, rounding, work, ply)
        if rounding.reaches(top, work.floors[ply]):
            for k in range(work.sizes[ply + 1]):
                self.add(game, rounding, work, ply, work.sets[ply + 1, k], top)
        return worst

    def sift(self, game, rounding, work, ply):
        """Drop the vectors of every child whose best entry for the mover is below the floor."""
        kept = 0
        for k in range(work.sizes[ply]):
            if rounding.reaches(work.tops[ply, k], work.floors[ply]):
                work.tops[ply, kept] = work.tops[ply, k]
                for each in range(game.seats):
                    work.sets[ply, kept, each] = work.sets[ply, k, each]
                kept += 1
        work.sizes[ply] = kept

    def add(self, game, rounding, work, ply, vector, top):
        """Add one vector; if several children have it, it stays as long as the best of them does."""
        size = work.sizes[ply]
        k = place_of(game, rounding, work.sets[ply], size, vector)
        if k < size:
            work.tops[ply, k] = max(work.tops[ply, k], top)
        elif size == self.cap:
            work.dropped += 1
        else:
            for each in range(game.seats):
                work.sets[ply, size, each] = vector[each]
            work.tops[ply, size] = top
            work.sizes[ply] = size + 1

    def combine(self, game, rounding, work, ply, share):
        """Combine every mean so far with every vector of a chance outcome, by moving it towards the vector by the
        outcome's share.
        """
        size = 0
        for j in range(work.sizes[ply]):
            for k in range(work.sizes[ply + 1]):
                if size == self.cap:
                    work.dropped += 1
                    continue
                for each in range(game.seats):
                    work.spare[size, each] = work.sets[ply, j, each] + share * (
                        work.sets[ply + 1, k, each] - work.sets[ply, j, each]
                    )
                if place_of(game, rounding, work.spare, size, work.spare[size]) == size:
                    size += 1
        for k in range(size):
            for each in range(game.seats):
                work.sets[ply, k, each] = work.spare[k, each]
        work.sizes[ply] = size

    def average(self, game, work, ply):
        for each in range(game.seats):
            total = 0.0
            for k in range(work.sizes[ply]):
                total += work.sets[ply, k, each]
            work.values[ply, each] = total / work.sizes[ply]

    def finish(self, game, work):
        """Copy the result of the root, so that the next iteration does not overwrite it."""
        work.found_size = work.sizes[0]
        work.found_dropped = work.dropped
        for k in range(work.sizes[0]):
            for each in range(game.seats):
                work.found[k, each] = work.sets[0, k, each]
        for i in range(work.counts[0]):
            for part in range(3):
                work.found_sets[i, part] = work.root_sets[i, part]


@kernel
def place_of(game, rounding, vectors, size, vector):
    """Where a vector is among the first `size`, up to rounding; `size` if it is not there."""
    for k in range(size):
        equal = True
        for each in range(game.seats):
            equal &= abs(vectors[k, each] - vector[each]) <= rounding.margin(vector[each])
        if equal:
            return k
    return size
