"""PrOM search: the opponent is one of several known types, and I know how probable each is.

Each type has an evaluation function of its own and plays minimax by it; at every move the opponent is taken to draw its
type anew. At its nodes each type picks its best child, uniformly among equals; the node is worth to me the mean of my
values of those children, weighed by the probabilities. At my own nodes I take my best. So weak spots of an opponent's
evaluation are exploited as far as I believe in them: certain of one foreign type it is OM search, certain of my own
type it is minimax, and it never promises less than minimax.

    H. Donkers, J. Uiterwijk, H. J. van den Herik. Probabilistic Opponent-Model Search. Information Sciences 135, 2001.

Pruning (`beta`): below an opponent's node I need not search on where every type of positive probability has already
found a strictly better move for itself. An equal move is not enough, for each of several equal moves may be played.
With one type the bound holds all the way down; with several only for the next move, because a node that one type avoids
another may enter.

Differs from the paper: more than two seats, each a mixture of types of its own (ours); a type may look ahead by MaxN,
and then nothing is pruned, for the vectors of MaxN give no beta bound; chance nodes are averaged in every look-ahead;
beliefs can be learned from the moves seen.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import Mismatch
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.machinery.line import word
from kingmaker.search.parts.machinery.node import blend, depth_below, enter, keep, leave, listed, settled
from kingmaker.search.parts.opponents.opponent_beliefs import Learner, Modeller, as_tuple
from kingmaker.search.parts.opponents.opponent_mixture import BETTER, Mixture, average, compared, gather
from kingmaker.search.parts.opponents.opponent_types import OWN, Types, split


@kernel
def prom(game, estimate, switches, work, ply, depth):
    """Leave in work.values[ply] the vector that the root seat expects of work.states[ply], and in work.looks[ply] the
    vector of each type.

    Both are exact unless the node was pruned, because every type of positive probability avoids it. Then the root
    seat's entry in the vector of each such type is a lower bound above work.bounds[ply], and work.values[ply] is
    undefined.
    """
    if settled(game, estimate, switches, work, ply, depth):
        guessed(game, switches, work, ply)
        return
    me, seat, best = work.root, game.mover(work.states[ply]), 0
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        switches.beta.hand_down(work, ply, seat, i)
        prom(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
        if work.stop:
            return
        leave(game, switches, work, ply, i, True)
        foreseen(game, switches, work, ply, seat, i)
        if seat == CHANCE:
            blend(game, work, ply, i)
            continue
        if seat == me and (i == 0 or switches.rounding.above(work.values[ply + 1, me], work.values[ply, me])):
            keep(game, work, ply, seat, i)
        if work.lines[ply, 0] == word(seat, work.moves[ply, i]):  # the i-th move is the one kept
            best = i
        if seat == me and i + 1 < work.counts[ply] and switches.beta.avoided(switches.rounding, work, ply):
            work.cuts += 1
            switches.record.pruned(work, ply, 1, switches.beta.told(work, ply))
            break
    if seat >= 0 and seat != me:
        average(game, switches, work, ply, seat)
    switches.order.credit(work, ply, seat, best, depth)


@kernel
def guessed(game, switches, work, ply):
    """Leave in work.looks[ply] every type's estimate of a leaf."""
    if not work.stop:
        state = work.states[ply]
        switches.types.chain.look(game, state, game.mover(state) == OVER, work.values[ply], work.looks[ply])
        work.evaluations += switches.types.asked


@kernel
def foreseen(game, switches, work, ply, seat, i):
    """Back up the i-th child for every type by that type's rule; at an opponent's node, what the type picks also counts
    for the value that the root seat expects.
    """
    me = work.root
    for kind in range(switches.mixture.kinds):
        if seat == CHANCE:
            for each in range(game.seats):
                before = 0.0 if i == 0 else work.looks[ply, kind, each]
                work.looks[ply, kind, each] = before + work.odds[ply, i] * (work.looks[ply + 1, kind, each] - before)
            continue
        liking = work.looks[ply + 1, kind, me if switches.types.paranoid[kind] else seat]
        verdict = compared(
            switches, work, ply, i, kind, -liking if switches.types.paranoid[kind] and seat != me else liking
        )
        if seat != me:
            gather(game, work, ply, seat, i, kind, verdict)
        if verdict == BETTER:
            for each in range(game.seats):
                work.looks[ply, kind, each] = work.looks[ply + 1, kind, each]


class NoBeta(Constant):
    """No beta pruning: every node is searched."""

    def hand_down(self, work, ply, seat, i):
        return

    def avoided(self, rounding, work, ply):
        return False

    def told(self, work, ply):
        """The bound that pruned a node; not a number where there are several."""
        return np.nan


class Beta(Constant):
    """Beta pruning: a paranoid type avoids a node that is better for the root seat than a move it has already found."""

    def __init__(self, kinds):
        self.kinds = kinds

    def hand_down(self, work, ply, seat, i):
        """Set the bounds of the child about to be searched."""
        for kind in range(self.kinds):
            bound = work.bounds[ply, kind] if self.kinds == 1 and ply > 0 and seat != CHANCE else np.inf
            if seat >= 0 and seat != work.root and i > 0:
                bound = min(bound, work.looks[ply, kind, work.root])
            work.bounds[ply + 1, kind] = bound

    def avoided(self, rounding, work, ply):
        """Has every type of positive probability found a better move at a node above, by more than rounding?"""
        if ply == 0:
            return False
        for kind in range(self.kinds):
            if work.live[kind] and not rounding.above(work.looks[ply, kind, work.root], work.bounds[ply, kind]):
                return False
        return True

    def told(self, work, ply):
        return work.bounds[ply, 0] if self.kinds == 1 else np.nan


@dataclass(frozen=True, kw_only=True)
class Typed(Modeller):
    """What OM and PrOM search share: types, and pruning where it is sound."""

    prune: bool = True  # beta pruning; nothing is pruned where a type looks ahead by maxn

    kernel = prom

    def check(self, game):
        super().check(game)
        if self.table:
            raise Mismatch(f"a table holds no values of types, which {self.name} needs; use table=0")

    def prunes(self, game):
        """Is pruning asked for and sound?"""
        return self.prune and all(split(kind, game, self)[0] == "paranoid" for kind in self.kinds)

    def own_switches(self, game, estimate):
        kinds = len(self.kinds)
        beta = Beta(kinds) if self.prunes(game) else NoBeta()
        types = Types(game, estimate, self.kinds, self)
        return {"types": types, "mixture": Mixture(kinds), "beta": beta, "rounding": types.rounding}

    def notes(self, game, work, found):
        return super().notes(game, work, found) | {
            "pruning": "beta" if self.prunes(game) else "none",
            "cuts": int(work.cuts),
        }


@dataclass(frozen=True, kw_only=True)
class Prom(Typed, Learner):
    """PrOM search: each opponent is one of several known types."""

    types: tuple[str, ...] = (OWN,)  # each 'estimate' or 'rule:estimate'; the rules are paranoid and maxn

    @property
    def kinds(self):
        return self.types

    def __post_init__(self):
        object.__setattr__(self, "types", as_tuple(self.types))
        super().__post_init__()
