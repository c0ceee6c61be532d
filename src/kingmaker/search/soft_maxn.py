"""Soft-MaxN: everyone plays for itself, and nobody knows how the others break ties.

MaxN backs up one vector and so bets on one tie-break; if an opponent breaks a tie the other way, the whole line is
worth something else. Soft-MaxN backs up the *set* of vectors that may result from a position. The seat to move drops a
child only if every vector in the child's set is strictly worse for the mover than every vector in another child's set;
the sets of the other children are united. Whatever the tie rules of the players, the vector that MaxN finds with them
is in the set. The price is that sets grow, so `cap` bounds them, and vectors left out because a set was full are
counted in the notes of the decision.

    N. Sturtevant, M. Bowling. Robust Game Play Against Unknown Opponents. AAMAS 2006.

Ours: the root plays the move whose worst entry for itself is highest, of those the one with the highest mean, of those
the first; a node is shown as the mean of its set; dice combine one vector of each outcome in every possible way.
Opponent models other than "any tie-break" are not built in.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.node import depth_below, enter, keep, leave, listed, settled
from kingmaker.search.parts.opponents.vector_sets import VectorSets

MOST = 4096  # vectors in a set, the largest cap


@kernel
def soft_maxn(game, estimate, switches, work, ply, depth):
    """Leave in work.sets[ply] the set of vectors that may result from work.states[ply], and its mean in
    work.values[ply].
    """
    sets = switches.sets
    if ply == 0:
        work.dropped = 0
    if settled(game, estimate, switches, work, ply, depth):
        sets.single(game, work, ply)
        return
    seat = game.mover(work.states[ply])
    sets.begin(game, work, ply, seat)
    best, worst_of_best, mean_of_best = 0, -np.inf, -np.inf
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        soft_maxn(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
        if work.stop:
            return
        leave(game, switches, work, ply, i, True)
        if seat == CHANCE:
            sets.combine(game, switches.rounding, work, ply, work.odds[ply, i])
            continue
        worst = sets.unite(game, switches.rounding, work, ply, seat, i)
        mean = work.values[ply + 1, seat]
        safer = i == 0 or switches.rounding.above(worst, worst_of_best)
        if safer or (switches.rounding.reaches(worst, worst_of_best) and switches.rounding.above(mean, mean_of_best)):
            best, worst_of_best, mean_of_best = i, worst, mean
            keep(game, work, ply, seat, i)
    if ply == 0:
        sets.finish(game, work)
    else:
        sets.average(game, work, ply)
    switches.order.credit(work, ply, seat, best, depth)


@dataclass(frozen=True, kw_only=True)
class SoftMaxn(DepthFirst):
    """The safest move against players whose tie-breaks are unknown."""

    cap: int = 64  # at most so many vectors in a set

    kernel = soft_maxn

    def __post_init__(self):
        super().__post_init__()
        if not 1 <= self.cap <= MOST:
            raise BadParameter(f"expected a cap of 1 to {MOST} vectors, got {self.cap!r} in {self}")

    def check_threads(self):
        raise BadParameter(f"threads pass on one vector a move, but {self.name} needs sets, in {self}; use threads=1")

    def check(self, game):
        if self.table:
            raise Mismatch(
                f"a table holds one vector a position, but {self.name} needs sets of them, in {self}; use table=0"
            )

    def own_switches(self, game, estimate):
        return {"sets": VectorSets(self.cap)}

    def notes(self, game, work, found):
        if not found.depth:
            return {}
        sets = {
            int(move): {
                "size": int(work.found_sets[i, 0]),
                "worst": float(work.found_sets[i, 1]),
                "best": float(work.found_sets[i, 2]),
            }
            for i, move in enumerate(found.moves)
        }
        vectors = [tuple(float(value) for value in work.found[k]) for k in range(int(work.found_size))]
        return {"sets": sets, "vectors": vectors, "capped": int(work.found_dropped)}
