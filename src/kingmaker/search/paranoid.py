"""Paranoid: everyone else has made a pact against me.

The pact folds the n-player game into a two-player one: my seat maximises its own value, every other seat minimises that
same value. Only one number decides, so alpha-beta prunes as in chess, though never between two members of the pact. The
price is the pact itself, which nobody made: paranoid is timid when the others are busy with each other. With two seats
it is minimax, and chance nodes are averaged, which makes it expectiminimax.

    N. Sturtevant, R. Korf. On Pruning Techniques for Multi-Player Games. AAAI 2000.

Differs from the paper: of equal moves the one that the game lists first is played, and beside the one number the whole
vector of the leaf that it came from is backed up.
"""

from dataclasses import dataclass

from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.node import depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.switches.bounds import closed, floor_for, full_window, preferred
from kingmaker.search.parts.switches.star import MOST_STAR, star_for


@kernel
def pact(game, estimate, switches, work, ply, depth, alpha, beta):
    """Return the root seat's value of work.states[ply], and leave the vector in work.values[ply].

    The value is exact inside (alpha, beta), an upper bound at or below alpha and a lower bound at or above beta.
    """
    me = work.root
    if settled(game, estimate, switches, work, ply, depth):
        return work.values[ply, me]
    if switches.table.known(game, switches, work, ply, depth, 0, me, alpha, beta):
        return work.values[ply, me]
    seat = game.mover(work.states[ply])
    chance, mine = rolls(game, seat), seat == me
    low, high, best, best_i = alpha, beta, 0.0, 0
    count = listed(game, switches, work, ply, seat)
    rounds = switches.star.rounds(work, ply, chance, mine, count, alpha, beta)
    for j in range(rounds):
        i = switches.star.turn(work, ply, chance, j)
        enter(game, switches, work, ply, seat, i)
        least = floor_for(switches, work, ply, i, best_i, low)
        floor, ceiling = switches.star.window(work, ply, chance, i, least, high)
        if switches.star.memory.knows(work, ply, seat, i, j):
            value = switches.star.memory.value(game, work, ply)
        else:
            value = pact(
                game,
                estimate,
                switches,
                work,
                ply + 1,
                depth_below(game, seat, depth),
                floor,
                ceiling,
            )
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
        if switches.cuts and low >= high:
            switches.record.cut(work, ply, rounds - j - 1, alpha, beta)
            break
    best = work.values[ply, me]
    if switches.star.complete(work, ply):
        switches.order.credit(work, ply, seat, best_i, depth)
    switches.table.store(game, work, ply, depth, switches.star.told(work, ply, best, alpha, beta))
    return best


def divisible(search):
    """May threads divide the moves of nodes below the root? A table would keep the value of one move for that of the
    node, and forward pruning has to know the moves before.
    """
    return not search.table and search.forward_pruning == "none"


@dataclass(frozen=True, kw_only=True)
class Paranoid(DepthFirst):
    """My best against a pact of all others."""

    order: str = "killer"  # given, shuffled, promising, history or killer
    prune: bool = True  # alpha-beta
    star: int = 0  # pruning at chance nodes: 1 for Star1, 2 for Star2

    kernel = pact
    any_order = True
    most = DepthFirst.most | {"star": MOST_STAR}

    @property
    def divides_below(self):
        return divisible(self)

    def arguments(self, game, estimate):
        return full_window()

    @property
    def takes_one_for_all(self):
        return True

    def own_switches(self, game, estimate):
        return {"cuts": bool(self.prune), "star": star_for(self, game, estimate)}
