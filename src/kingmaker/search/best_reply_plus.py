"""BRS+: one opponent tries all its moves, the others make only their first, and everybody keeps the turn order.

Between two moves of the root seat one opponent, whichever hurts most, tries all its moves (*regular*); every other
opponent makes one *special* move, the first in the order of moves. Positions stay legal, and the tree stays narrow. The
last opponent before the root seat must be regular if nobody was.

    M. Esser, M. Gras, M. Winands, M. Schadd, M. Lanctot. Improving Best-Reply Search. Computers and Games 2013.

The special move is the first of the chosen order (`order="history"` learns it while searching). How many regular moves
were used since the root seat's last turn is part of the key of the transposition table. The algorithm is stated from
memory of the paper; see the docs page.
"""

from dataclasses import dataclass

from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.node import depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.switches.bounds import better, closed, full_window
from kingmaker.search.parts.switches.star import MOST_STAR, star_for


@kernel
def best_reply_plus(game, estimate, switches, work, ply, depth, used, alpha, beta):
    """Return the root seat's value of work.states[ply] after `used` regular replies (0 or 1) since its last turn.

    The vector is in work.values[ply]. The value is exact inside (alpha, beta), an upper bound at or below alpha and a
    lower bound at or above beta.
    """
    me = work.root
    if settled(game, estimate, switches, work, ply, depth):
        return work.values[ply, me]
    if switches.table.known(game, switches, work, ply, depth, used, me, alpha, beta):
        return work.values[ply, me]
    seat = game.mover(work.states[ply])
    chance, mine = rolls(game, seat), seat == me
    count = listed(game, switches, work, ply, seat)
    low, high, best, best_i = alpha, beta, 0.0, 0
    regular = count if chance or mine or used == 0 else 1  # all moves, but only the first after a regular reply
    special = not chance and not mine and used == 0  # is the first move also tried as the special move?
    count = regular + (1 if special else 0)
    rounds = switches.star.rounds(work, ply, chance, mine, count, alpha, beta)
    for k in range(rounds):
        j = switches.star.turn(work, ply, chance, k)
        thinks = j < regular
        i = j if thinks else 0
        if not thinks and returns_to_root(game, work, ply, seat):
            break
        enter(game, switches, work, ply, seat, i)
        after = used if chance else 0 if mine or not thinks else 1
        floor, ceiling = switches.star.window(work, ply, chance, i, low, high)
        if switches.star.memory.knows(work, ply, seat, i, k):
            value = switches.star.memory.value(game, work, ply)
        else:
            value = best_reply_plus(
                game,
                estimate,
                switches,
                work,
                ply + 1,
                depth_below(game, seat, depth),
                after,
                floor,
                ceiling,
            )
        if work.stop:
            return 0.0
        leave(game, switches, work, ply, i, low < value < high)
        if chance:
            if switches.star.decides(game, switches, work, ply, k, value, alpha, beta):
                switches.record.cut(work, ply, rounds - k - 1, alpha, beta)
                break
            continue
        if j == 0 or better(switches, mine, value, best):
            best, best_i = value, i
            keep(game, work, ply, seat, i)
        low, high = closed(switches, mine, low, high, best)
        if switches.cuts and low >= high:
            switches.record.cut(work, ply, rounds - k - 1, alpha, beta)
            break
    best = work.values[ply, me]
    if switches.star.complete(work, ply):
        switches.order.credit(work, ply, seat, best_i, depth)
    switches.table.store(game, work, ply, depth, switches.star.told(work, ply, best, alpha, beta))
    return best


@kernel
def returns_to_root(game, work, ply, seat):
    """Does the first move end the match or pass the turn to the root seat, so that no opponent is left to make a
    regular move?
    """
    work.states[ply + 1] = work.states[ply]
    game.play(work.states[ply + 1], seat, work.moves[ply, 0])
    mover = game.mover(work.states[ply + 1])
    return mover in (work.root, OVER)


@dataclass(frozen=True, kw_only=True)
class BestReplyPlus(DepthFirst):
    """BRS+: one opponent tries all its moves, every other only its first."""

    prune: bool = True  # alpha-beta
    star: int = 0  # pruning at chance nodes: 1 for Star1, 2 for Star2

    kernel = best_reply_plus
    most = DepthFirst.most | {"star": MOST_STAR}

    def arguments(self, game, estimate):
        return (0, *full_window())

    def own_switches(self, game, estimate):
        return {"cuts": bool(self.prune), "star": star_for(self, game, estimate)}
