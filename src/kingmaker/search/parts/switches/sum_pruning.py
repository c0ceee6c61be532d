"""Pruning MaxN by bounds on the values and on their sum.

A mover that holds the highest possible value may stop (*immediate*). For the rest, walk up from a node: it and the
nodes above it hold, each for its own mover, the best found so far. If these movers differ and together hold all that
the sum allows, then whatever the node still finds, one of them will turn it down:

- *shallow*, the node and its parent: the parent turns it down.
- *last branch*, a longer way up: safe when every node in between is at its last move and what it holds already is
  turned down by its own parent, for then nothing that the node could change reaches the shallowest of these nodes.
- *speculative*, the same without that condition: the node is passed over, and when a node in between turns out to have
  something for its parent, it is searched again without speculation.

Deeper pruning as in two-player alpha-beta is not sound. All of it needs ties to go to the first move.

    R. Korf. Multi-Player Alpha-Beta Pruning. Artificial Intelligence 48, 1991.
    N. Sturtevant, R. Korf. On Pruning Techniques for Multi-Player Games. AAAI 2000.
    N. Sturtevant. Last-Branch and Speculative Pruning Algorithms for Max^n. IJCAI 2003.

The condition for the last branch and the bookkeeping of speculation are our own derivation, proved in the tests on
random trees.
"""

import numpy as np

from kingmaker.core.errors import Mismatch, unknown
from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import Constant

KINDS = ("immediate", "shallow", "last_branch", "speculative")
NOBODY = -1
FAR = 2**30  # in work.tops: nothing was cut


class NoPruning(Constant):
    """Every move is searched."""

    def opened(self, work, ply, seat):
        return

    def closed(self, work, ply):
        return

    def entering(self, work, ply, i):
        return

    def doubtful(self, rounding, work, ply, seat, i):
        return False

    def again(self, work):
        return

    def settled(self, work):
        return

    def exact(self, work, ply):
        return True

    def skipped(self, work, ply):
        return False

    def stops(self, game, work, ply, seat):
        return False

    def storable(self, work, ply):
        return True


class SumPruning(Constant):
    """Immediate pruning at `high`; `total` and `low` bound the sum and each entry; `reach` is the largest number of
    movers whose values are added up.
    """

    def __init__(self, high, total, low, reach, speculative):
        self.high, self.total, self.low, self.reach, self.speculative = high, total, low, reach, speculative

    def fields(self, game, plies):
        return [
            ("movers", np.int16, (plies,)),
            ("held", np.int16, (plies,)),  # 1: the mover of this ply has a best move so far
            ("last", np.int16, (plies,)),  # 1: this ply is at its last move
            (
                "tops",
                np.int32,
                (plies,),
            ),  # the shallowest ply whose held value caused a cut at or below this ply, or FAR
            ("passed", np.int16, (plies,)),  # 1: cut by speculation, the parent must ignore its value
            ("careful", np.int64, ()),  # above 0: no speculation
            ("cuts", np.int64, (5,)),  # by kind, and how often something was searched again
        ]

    def opened(self, work, ply, seat):
        work.movers[ply] = seat
        work.held[ply] = 0
        self.closed(work, ply)

    def closed(self, work, ply):
        """Note that nothing was cut here yet."""
        work.tops[ply] = FAR
        work.passed[ply] = 0

    def entering(self, work, ply, i):
        work.held[ply] = i > 0 and work.movers[ply] != CHANCE
        work.last[ply] = i + 1 == work.counts[ply]

    def doubtful(self, rounding, work, ply, seat, i):
        """Was something below passed over by speculation, and does the child now look better than what is held?"""
        return (
            self.speculative
            and i > 0
            and seat != CHANCE
            and work.tops[ply + 1] <= ply
            and work.passed[ply + 1] == 0
            and rounding.above(work.values[ply + 1, seat], work.values[ply, seat])
        )

    def again(self, work):
        work.careful += 1
        work.cuts[4] += 1

    def settled(self, work):
        work.careful -= 1

    def exact(self, work, ply):
        """Is the child's vector exact? If it was cut by a value held above this node, this node's vector is not exact
        either.
        """
        top = work.tops[ply + 1]
        if top < ply and top < work.tops[ply]:
            work.tops[ply] = top
        return top > ply

    def skipped(self, work, ply):
        return work.passed[ply + 1] == 1

    def storable(self, work, ply):
        return work.tops[ply] == FAR

    def stops(self, game, work, ply, seat):
        """May the rest of the moves of work.states[ply] be left out?"""
        if work.values[ply, seat] >= self.high:
            work.cuts[0] += 1
            return True
        sum_held, movers, among, safe = work.values[ply, seat], 1, 1 << seat, True
        for above in range(ply - 1, -1, -1):
            mover = work.movers[above]
            if movers == self.reach or mover == CHANCE or (among >> mover) & 1 == 1 or work.held[above] == 0:
                return False
            sum_held += work.values[above, mover]
            movers += 1
            among |= 1 << mover
            if sum_held >= self.total - (game.seats - movers) * self.low:
                self.note(work, ply, above, movers, safe)
                return True
            if above > 0:
                over = work.movers[above - 1]
                turned_down = (
                    over != CHANCE
                    and work.held[above - 1] == 1
                    and work.values[above, over] <= work.values[above - 1, over]
                )
                safe = safe and work.last[above] == 1 and turned_down
                if not safe and (not self.speculative or work.careful > 0):
                    return False
        return False

    def note(self, work, ply, above, movers, safe):
        work.cuts[1 if movers == 2 else 2 if safe else 3] += 1
        work.tops[ply] = above
        work.passed[ply] = 0 if safe else 1


def pruning_for(agent, game, estimate):
    """The pruning that an agent asks for, or a refusal where it could change the result."""
    kinds = set(str(agent.prune).split("+")) - {"none"}
    for kind in kinds - set(KINDS):
        raise unknown("pruning", kind, ("none", *KINDS), str(agent))
    if not kinds:
        return NoPruning()
    facts = game.facts
    if agent.ties != "first":
        raise Mismatch(
            f"pruning cannot see all ties, which ties='{agent.ties}' needs; use ties='first' or prune='none'"
        )
    if "immediate" in kinds and not (facts.high < np.inf and estimate.within_bounds):
        raise Mismatch(
            f"immediate pruning needs a highest payoff, which {game} with {estimate} does not state; use prune='none'"
        )
    sums = kinds - {"immediate"}
    if sums and not (facts.total < np.inf and facts.low > -np.inf and estimate.within_total and estimate.within_bounds):
        raise Mismatch(
            f"{min(sums)} pruning needs a bounded sum of values, which {game} "
            f"with {estimate} does not state; use prune='none'"
        )
    if sums - {"shallow"} and agent.table:
        raise Mismatch(
            f"a table cannot hold what {min(sums - {'shallow'})} pruning leaves open; use table=0 or prune='shallow'"
        )
    high = facts.high if "immediate" in kinds else np.inf
    reach = 1 if not sums else 2 if sums == {"shallow"} else game.seats
    return SumPruning(high, facts.total if sums else np.inf, facts.low if sums else 0.0, reach, "speculative" in kinds)
