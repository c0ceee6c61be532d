"""Principal-variation search: prove that the first move is best instead of valuing the others.

If moves are well ordered, the first one is mostly the best. So only it is searched with the full window; every other is
searched with a window so narrow that the answer is only "better" or "not better", which takes few nodes. If the answer
is "better", the move is searched again. Value and move are minimax's. The price is those second searches, so it lives
on its order of moves: the move that the transposition table remembers, the killers and the history heuristic.

    T. Marsland, M. Campbell. Parallel Search of Strongly Ordered Game Trees. ACM Computing Surveys 14(4), 1982.

Differs from the paper: returned values are fail-soft, the narrow window is as wide as rounding errors may be, and of
equal moves the first in order is played. With `aspiration` the root's window is narrow, too: from iteration to
iteration it lies around the last value, and is opened where the new value falls outside.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import kernel
from kingmaker.search.minimax import Minimax
from kingmaker.search.parts.machinery.iterative_deepening import Deepening
from kingmaker.search.parts.machinery.node import depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.switches.bounds import closed, floor_for, preferred
from kingmaker.search.parts.switches.star import MOST_STAR, star_for


@kernel
def pvs(game, estimate, switches, work, ply, depth, alpha, beta):
    """Return the root seat's value of work.states[ply], and leave the vector in work.values[ply].

    The value is exact inside (alpha, beta), an upper bound at or below alpha and a lower bound at or above beta.
    """
    me = work.root
    if settled(game, estimate, switches, work, ply, depth):
        return work.values[ply, me]
    if depth > 0 and switches.table.known(game, switches, work, ply, depth, 0, me, alpha, beta):
        return work.values[ply, me]
    seat = game.mover(work.states[ply])
    chance, mine = rolls(game, seat), seat == me
    low, high, best, best_i = alpha, beta, 0.0, 0
    count, below = listed(game, switches, work, ply, seat), depth_below(game, seat, depth)
    rounds = switches.star.rounds(work, ply, chance, mine, count, alpha, beta)
    for j in range(rounds):
        i = switches.star.turn(work, ply, chance, j)
        enter(game, switches, work, ply, seat, i)
        least = floor_for(switches, work, ply, i, best_i, low)
        floor, ceiling = switches.star.window(work, ply, chance, i, least, high)
        if j > 0 and not chance:
            floor, ceiling = narrow(switches, mine, least, high)
        if switches.star.memory.knows(work, ply, seat, i, j):
            value = switches.star.memory.value(game, work, ply)
        else:
            value = pvs(game, estimate, switches, work, ply + 1, below, floor, ceiling)
        if j > 0 and not chance and not work.stop and least < value < high and not floor < value < ceiling:
            switches.record.again(work, ply)
            value = pvs(game, estimate, switches, work, ply + 1, below, least, high)
        if work.stop:
            return 0.0
        leave(game, switches, work, ply, i, least < value < high)
        if chance:
            if switches.star.decides(game, switches, work, ply, j, value, alpha, beta):
                switches.record.cut(work, ply, rounds - j - 1, alpha, beta)
                break
            continue
        if j == 0 or preferred(switches, work, ply, mine, value, best, i, best_i):
            best, best_i = value, i
            keep(game, work, ply, seat, i)
        low, high = closed(switches, mine, low, high, best)
        if low >= high:
            switches.record.cut(work, ply, rounds - j - 1, alpha, beta)
            break
    best = work.values[ply, me]
    if switches.star.complete(work, ply) and (best > alpha if mine else best < beta):
        switches.order.credit(work, ply, seat, best_i, depth)
    if depth > 0:  # quiescence search is quicker than a look into the table
        switches.table.store(game, work, ply, depth, switches.star.told(work, ply, best, alpha, beta))
    return best


@kernel
def narrow(switches, mine, low, high):
    """The window that only tells whether a move is better, by more than rounding, than the best so far."""
    if mine:
        return low, min(high, low + switches.rounding.margin(low))
    return max(low, high - switches.rounding.margin(high)), high


class Aspiration(Deepening):
    """Iterative deepening in which the root's window reaches `width` to both sides of the last value."""

    def __init__(self, ready, work, deepest, width):
        super().__init__(ready, work, deepest)
        self.width = width

    def rounds(self):
        for _ in super().rounds():
            yield self.iteration

    def iteration(self):
        """One search of self.depth; where the value falls outside of the window, that side is opened and the search
        repeated.
        """
        work, seat = self.work, int(self.work.root)
        low, high = -np.inf, np.inf
        if self.depth > 1 and self.width > 0:
            low, high = work.values[0, seat] - self.width, work.values[0, seat] + self.width
        while True:
            work.beyond, work.tried, work.lengths[0] = 0, 0, 0
            self.ready.switches.record.begun(self.ready.game, work)
            self.ready.call(work, 0, self.depth, low, high)
            value = work.values[0, seat]
            if work.stop or ((low == -np.inf or value > low) and (high == np.inf or value < high)):
                return
            low, high = (-np.inf, high) if value <= low else (low, np.inf)


@dataclass(frozen=True, kw_only=True)
class Pvs(Minimax):
    """Minimax for two seats by principal-variation search, with the moves ordered by what was found so far."""

    order: str = "killer"  # given, shuffled, promising, history or killer
    aspiration: float = 0.0  # the root's window reaches so far to both sides of the last value; 0: it is open
    star: int = 0  # pruning at chance nodes: 1 for Star1, 2 for Star2

    kernel = pvs
    trial = (0, 1, -np.inf, np.inf)
    most = Minimax.most | {"star": MOST_STAR}

    def __post_init__(self):
        super().__post_init__()
        if not self.aspiration >= 0:
            raise BadParameter(
                f"expected an aspiration window of at least 0, got {self.aspiration} in {self}; use 0 for an open one"
            )

    def check_threads(self):
        raise BadParameter(
            f"{self.name} narrows its window from root move to root move, so that threads cannot search them side by "
            f"side, in {self}; use alpha_beta or threads=1"
        )

    def arguments(self, game, estimate):
        return ()

    def own_switches(self, game, estimate):
        return {"cuts": True, "star": star_for(self, game, estimate)}

    def run(self, ready, work):
        return Aspiration(ready, work, self.deepest, self.aspiration)
