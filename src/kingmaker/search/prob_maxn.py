"""Prob-MaxN: everyone plays for something, and I am not sure for what.

MaxN assumes that all want as much as possible for themselves. Here each opponent has a weighted set of models, each of
which prefers other outcomes; at its node each model picks the child it likes best, uniformly among equals, and the node
is worth the mean of the picks. The searching seat plays for its own entry. With the one model `own` it is MaxN that
averages ties. With `learn` the weights are learned from the moves that the opponents make.

    N. Sturtevant, M. Zinkevich, M. Bowling. Prob-Max^n: Playing N-Player Games with Opponent Models. AAAI 2006.

Differs from the paper, of which only the abstract was at hand: the four models, the average over equals and the floor
in learning are ours.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kingmaker.core.errors import unknown
from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.machinery.line import word
from kingmaker.search.parts.machinery.node import blend, depth_below, enter, keep, leave, listed, settled
from kingmaker.search.parts.opponents.opponent_beliefs import Learner, as_tuple
from kingmaker.search.parts.opponents.opponent_mixture import Mixture, average, compared, gather
from kingmaker.search.parts.switches.transposition_table import EXACT

MODELS = ("own", "lead", "spite", "hunt")
OWN, LEAD, SPITE, HUNT = range(4)


@kernel
def prob_maxn(game, estimate, switches, work, ply, depth):
    """Leave in work.values[ply] the expected vector of work.states[ply]."""
    if settled(game, estimate, switches, work, ply, depth):
        if not work.stop:
            work.evaluations += 1
        return
    me, seat, best = work.root, game.mover(work.states[ply]), 0
    if switches.table.known(game, switches, work, ply, depth, 0, me, -np.inf, np.inf):
        return
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        prob_maxn(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
        if work.stop:
            return
        leave(game, switches, work, ply, i, True)
        if seat == CHANCE:
            blend(game, work, ply, i)
            continue
        if seat != me:
            for kind in range(switches.mixture.kinds):
                verdict = compared(switches, work, ply, i, kind, switches.models.liking(game, work, ply, seat, kind))
                gather(game, work, ply, seat, i, kind, verdict)
        elif i == 0 or switches.rounding.above(work.values[ply + 1, me], work.values[ply, me]):
            keep(game, work, ply, seat, i)
        if work.lines[ply, 0] == word(seat, work.moves[ply, i]):  # the i-th move is the one kept
            best = i
    if seat >= 0 and seat != me:
        average(game, switches, work, ply, seat)
    switches.order.credit(work, ply, seat, best, depth)
    switches.table.store(game, work, ply, depth, EXACT)


class Models(Constant):
    """The opponent models: which outcomes each of them prefers."""

    def __init__(self, codes):
        self.codes = np.array(codes)

    def liking(self, game, work, ply, seat, kind):
        """How much a model of `seat` likes the vector of the child at ply + 1."""
        code, mine = self.codes[kind], work.values[ply + 1, seat]
        if code == OWN:
            return mine
        if code == HUNT:
            return -work.values[ply + 1, work.root]
        most, total = -np.inf, 0.0
        for other in range(game.seats):
            if other != seat:
                most = max(most, work.values[ply + 1, other])
                total += work.values[ply + 1, other]
        return mine - most if code == LEAD else -total


@dataclass(frozen=True, kw_only=True)
class ProbMaxn(Learner):
    """MaxN against opponents who may be after different things."""

    models: tuple[str, ...] = ("own",)  # own, lead (over the best other), spite (least for others), hunt (least for me)

    kernel = prob_maxn
    kind_word: ClassVar[str] = "model"

    @property
    def kinds(self):
        return self.models

    def __post_init__(self):
        object.__setattr__(self, "models", as_tuple(self.models))
        super().__post_init__()
        for model in self.models:
            if model not in MODELS:
                raise unknown("model", model, MODELS, str(self))

    def own_switches(self, game, estimate):
        return {"mixture": Mixture(len(self.models)), "models": Models([MODELS.index(model) for model in self.models])}
