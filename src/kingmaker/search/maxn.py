"""MaxN: everyone plays for itself.

Each position has a vector, one number a seat. Who is to move takes the child whose vector is best for itself, and that whole vector is
handed up. With two seats and constant sum it is minimax. It assumes that the others see what I see, want what the payoffs say and break
ties as I do; the last is the weak point, so the tie rule is a parameter. Its price is that little can be pruned: a mover that
holds the highest possible value may stop (*immediate*), and so may one that holds so much that, of a bounded sum, too little
is left for its parent to choose it (*shallow*). Nothing deeper is sound.

    C. Luckhardt, K. Irani. An Algorithmic Solution of N-Person Games. AAAI 1986.
    R. Korf. Multi-Player Alpha-Beta Pruning. Artificial Intelligence 48, 1991.

Differs from the papers: pruning is refused where the game's facts or the tie rule would let it change the result.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import Mismatch, unknown
from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.node import blend, enter, keep, leave, listed, settled
from kingmaker.search.parts.shell import SearchAgent
from kingmaker.search.parts.table import AT_LEAST, EXACT
from kingmaker.search.parts.ties import TIES


@kernel
def maxn(game, estimate, policy, work, ply, depth, ceiling):
    """Leave in work.values[ply] the MaxN vector of work.states[ply].

    Exact unless the mover reaches `ceiling`: then its entry is a lower bound, large enough that the parent will not choose it.
    """
    if settled(game, estimate, policy, work, ply, depth):
        return
    seat = game.mover(work.states[ply])
    if policy.table.known(game, work, ply, depth, seat, -np.inf, ceiling):
        return
    best, ties, kind = 0, 0, EXACT
    for i in range(listed(game, policy, work, ply, seat)):
        enter(game, policy, work, ply, seat, i)
        allowed = policy.pruning.allowed(game, work, ply, seat, i)
        maxn(game, estimate, policy, work, ply + 1, depth - 1, allowed)
        if work.stop:
            return
        leave(game, policy, work, ply, i, policy.pruning.exact(game, work, ply, allowed))
        if seat == CHANCE:
            blend(game, work, ply, i)
            continue
        mine = work.values[ply + 1, seat]
        if i == 0 or mine > work.values[ply, seat]:
            best, ties = i, 1
            keep(game, work, ply, i)
        elif mine == work.values[ply, seat]:
            ties += 1
            if policy.ties.prefer(game, work, ply, seat, ties):
                best = i
                keep(game, work, ply, i)
        if work.values[ply, seat] >= min(ceiling, policy.pruning.high) and i + 1 < work.counts[ply]:
            if work.values[ply, seat] < policy.pruning.high:
                kind = AT_LEAST
            policy.record.cut(work, ply)
            break
    policy.order.credit(work, ply, seat, best, depth)
    policy.table.store(game, work, ply, depth, kind)


class NoPruning(Constant):
    """Every move is searched."""

    high = np.inf

    def allowed(self, game, work, ply, seat, i):
        return np.inf

    def exact(self, game, work, ply, allowed):
        return True


class Pruning(Constant):
    """Immediate pruning at `high`; shallow pruning once two seats hold `rest`, what the others must have at least taken off the total."""

    def __init__(self, high, rest):
        self.high, self.rest = high, rest

    def allowed(self, game, work, ply, seat, i):
        """How much the next mover may hold before work.states[ply + 1] can no longer interest `seat`."""
        if i == 0 or seat == CHANCE or game.mover(work.states[ply + 1]) == seat:
            return np.inf
        return self.rest - work.values[ply, seat]

    def exact(self, game, work, ply, allowed):
        mover = game.mover(work.states[ply + 1])
        return mover < 0 or work.values[ply + 1, mover] < allowed


@dataclass(frozen=True, kw_only=True)
class Maxn(SearchAgent):
    """MaxN with a tie rule and, where the facts allow it, pruning."""

    ties: str = "first"  # first, random or least_others
    prune: str = "none"  # none, immediate, shallow or immediate+shallow

    kernel = maxn

    def window(self, game, estimate):
        return (np.inf,)

    def own_policy(self, game, estimate):
        if self.ties not in TIES:
            raise unknown("tie rule", self.ties, TIES, str(self))
        if self.ties == "random" and self.table:
            raise Mismatch(f"a table would repeat the same random tie-breaks in {self}; use table=0 or ties='first'")
        return {"ties": TIES[self.ties], "pruning": self.pruning(game, estimate)}

    def pruning(self, game, estimate):
        """The pruning asked for, or a refusal where it could change the result."""
        kinds = set(self.prune.split("+")) - {"none"}
        for kind in kinds - {"immediate", "shallow"}:
            raise unknown("pruning", kind, ("none", "immediate", "shallow", "immediate+shallow"), str(self))
        if not kinds:
            return NoPruning()
        facts = game.facts
        if self.ties != "first":
            raise Mismatch(f"pruning cannot see all ties, which ties='{self.ties}' needs; use ties='first' or prune='none'")
        if "immediate" in kinds and not (facts.high < np.inf and estimate.within_bounds):
            raise Mismatch(f"immediate pruning needs a highest payoff, which {game} with {estimate} does not state; use prune='none'")
        if "shallow" in kinds and not (facts.total < np.inf and facts.low > -np.inf and estimate.within_total and estimate.within_bounds):
            raise Mismatch(f"shallow pruning needs a bounded sum of values, which {game} with {estimate} does not state; use prune='none'")
        rest = facts.total - (game.seats - 2) * facts.low if "shallow" in kinds else np.inf
        return Pruning(facts.high if "immediate" in kinds else np.inf, rest)
