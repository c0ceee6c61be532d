"""MaxN: everyone plays for itself.

Each position has a vector with one number for each seat. The seat to move takes the child whose vector is best for
itself, and that whole vector is backed up. With two seats and constant sum it is minimax. It assumes that the others
see what I see, want what the payoffs say and break ties as I do; the last is the weak point, so the tie rule is a
parameter. Its price is that little can be pruned, and only by bounds on values and their sum; see
`search/parts/switches/sum_pruning.py`.

    C. Luckhardt, K. Irani. An Algorithmic Solution of N-Person Games. AAAI 1986.

Differs from the paper: pruning is refused where the game's facts or the tie rule would let it change the result.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch, unknown
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.node import blend, depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.switches.last_ply import EveryPly, LastBest, LastMove
from kingmaker.search.parts.switches.last_ply_by_vectors import LastBestByVectors, LastMoveByVectors
from kingmaker.search.parts.switches.order_at_random import AT_RANDOM
from kingmaker.search.parts.switches.sum_pruning import NoPruning, pruning_for
from kingmaker.search.parts.switches.ties import TIES, First, tie_rule
from kingmaker.search.parts.switches.transposition_table import EXACT, UNKNOWN


@kernel
def maxn(game, estimate, switches, work, ply, depth):
    """Leave in work.values[ply] the MaxN vector of work.states[ply].

    The vector is exact unless the node was pruned; then some ancestor is certain not to choose it, whatever the moves
    left out would bring.
    """
    if settled(game, estimate, switches, work, ply, depth):
        switches.pruning.closed(work, ply)
        return
    seat = game.mover(work.states[ply])
    if switches.table.known(game, switches, work, ply, depth, 0, seat, -np.inf, np.inf):
        return
    switches.pruning.opened(work, ply, seat)
    if switches.last.decides(game, estimate, switches, work, ply, depth, seat):
        return
    best, ties = 0, 0
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        switches.pruning.entering(work, ply, i)
        maxn(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
        if switches.pruning.doubtful(switches.rounding, work, ply, seat, i) and not work.stop:
            switches.pruning.again(work)
            switches.record.again(work, ply)
            maxn(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
            switches.pruning.settled(work)
        if work.stop:
            return
        leave(game, switches, work, ply, i, switches.pruning.exact(work, ply))
        if rolls(game, seat):
            blend(game, work, ply, i)
            continue
        switches.ties.noted(game, work, ply, i)
        if i > 0 and switches.pruning.skipped(work, ply):
            continue
        order = switches.taste.compare(switches, work, ply, seat) if i > 0 else 1
        if order > 0:
            best, ties = i, 1
            keep(game, work, ply, seat, i)
        elif order == 0:
            ties += 1
            if switches.ties.tied(game, switches, work, ply, seat, i, ties):
                best = i
        if i + 1 < work.counts[ply] and switches.pruning.stops(game, work, ply, seat):
            switches.record.pruned(work, ply, work.counts[ply] - i - 1, np.nan)
            break
    if not rolls(game, seat):
        switches.ties.settled(game, switches, work, ply, seat)
    switches.order.credit(work, ply, seat, best, depth)
    switches.table.store(game, work, ply, depth, EXACT if switches.pruning.storable(work, ply) else UNKNOWN)


@kernel
def own_gain(switches, work, ply, seat):
    """Is the child's entry for `seat` better (1), as good up to rounding (0) or worse (-1) than that of the best so
    far?
    """
    mine, best = work.values[ply + 1, seat], work.values[ply, seat]
    return 1 if switches.rounding.above(mine, best) else 0 if switches.rounding.reaches(mine, best) else -1


class OwnTaste(Constant):
    """Every seat prefers the child with the higher value for itself."""

    def is_selfish(self, work, seat):
        """Does the seat choose by its own value alone?"""
        return True

    def compare(self, switches, work, ply, seat):
        """Is the child's vector better (1), as good (0) or worse (-1) than the best so far?"""
        return own_gain(switches, work, ply, seat)


@dataclass(frozen=True, kw_only=True)
class Maxn(DepthFirst):
    """MaxN with a tie rule and, where the facts allow it, pruning."""

    ties: str = "first"  # first, random, least_others or average
    prune: str = "none"  # none, or any of immediate, shallow, last_branch, speculative joined by +

    kernel = maxn

    def check_threads(self):
        super().check_threads()
        if self.ties == "random":
            raise BadParameter(f"threads would draw other random tie-breaks in {self}; use ties='first' or threads=1")

    @property
    def takes_one_for_all(self):
        return tie_rule(self.ties, self.order) in ("first", "least_others")

    def own_switches(self, game, estimate):
        if self.ties not in TIES:
            raise unknown("tie rule", str(self.ties), TIES, str(self))
        if self.ties == "random" and self.table:
            raise Mismatch(f"a table would repeat the same random tie-breaks in {self}; use table=0 or ties='first'")
        return {
            "ties": TIES[tie_rule(self.ties, self.order)],
            "pruning": pruning_for(self, game, estimate),
            "taste": OwnTaste(),
        }

    def last_ply(self, game, estimate, own):
        return last_move(self, estimate, own)

    def notes(self, game, work, found):
        return {"cuts": work_cuts(work)} if self.prune != "none" else {}


def last_move(search, estimate, own):
    """How the last ply of this kernel is searched with an estimate and the search's own switches."""
    plain = isinstance(own["pruning"], NoPruning) and not own["ties"].needs_vectors
    if not (plain and estimate.has_foresight):
        return EveryPly()
    first = search.order in AT_RANDOM or (search.order == "given" and type(own["ties"]) is First)
    finds_best = first and estimate.foresees_best
    if isinstance(own["taste"], OwnTaste):
        return LastBest() if finds_best else LastMove()
    return LastBestByVectors() if finds_best else LastMoveByVectors()


def work_cuts(work):
    """How often each kind of pruning cut."""
    names = ("immediate", "shallow", "last_branch", "speculative", "searched_again")
    return {name: int(count) for name, count in zip(names, work.cuts, strict=True)}


__all__ = ["Maxn", "NoPruning", "OwnTaste", "last_move", "maxn", "own_gain"]
