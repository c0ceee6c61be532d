"""Best Reply Search: after my move only the most harmful reply counts, whoever makes it.

Between two moves of the root seat just one opponent moves, the one with the worst reply for it; the others pass. That
makes a two-player tree, with full alpha-beta and more of the root seat's own turns in reach than any search in true
turn order. The price is that positions are searched which cannot arise in play, so it is for games in which acting out
of turn makes sense.

    M. Schadd, M. Winands. Best Reply Search for Multiplayer Games. IEEE TCIAIG 3(1), 2011.

Differs from the paper: of equal moves the first in order is played. The paper does not say what happens when a seat is
eliminated. Here the search stops with the estimate where the root seat is eliminated, for that seat has nothing more to
decide (Perez and Oommen cut such states too); and where no opponent can reply, all of them pass and the root seat moves
again, which costs no ply.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.game import CHANCE
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.leaf import guess
from kingmaker.search.parts.machinery.needs import acting_out_of_turn
from kingmaker.search.parts.machinery.node import FAULT, depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.switches.bounds import closed, floor_for, full_window, preferred
from kingmaker.search.parts.switches.star import MOST_STAR, star_for


@kernel
def best_reply(game, estimate, switches, work, ply, depth, mine, alpha, beta):
    """Return the root seat's value of work.states[ply], where the root seat moves if `mine` is 1 or no opponent can
    move, and otherwise any one of the opponents.

    The vector is in work.values[ply]. The value is exact inside (alpha, beta), an upper bound at or below alpha and a
    lower bound at or above beta.
    """
    me = work.root
    if settled(game, estimate, switches, work, ply, depth):
        return work.values[ply, me]
    if not game.active(work.states[ply], me):
        guess(game, estimate, work.states[ply], work.values[ply])
        return work.values[ply, me]
    if switches.table.known(game, switches, work, ply, depth, mine, me, alpha, beta):
        return work.values[ply, me]
    chance, count = rolls(game, game.mover(work.states[ply])), 0
    if not chance and not mine:
        count = replies(game, switches, work, ply)
        mine = 1 if count == 0 else 0
    if chance or mine:
        count = listed(game, switches, work, ply, CHANCE if chance else me)
    low, high, best, best_i, best_seat = alpha, beta, 0.0, 0, CHANCE
    rounds = switches.star.rounds(work, ply, chance, mine, count, alpha, beta)
    for j in range(rounds):
        i = switches.star.turn(work, ply, chance, j)
        seat = CHANCE if chance else me if mine else work.repliers[ply, i]
        enter(game, switches, work, ply, seat, i)
        least = floor_for(switches, work, ply, i, best_i, low)
        floor, ceiling = switches.star.window(work, ply, chance, i, least, high)
        if switches.star.memory.knows(work, ply, seat, i, j):
            value = switches.star.memory.value(game, work, ply)
        else:
            value = best_reply(
                game,
                estimate,
                switches,
                work,
                ply + 1,
                depth_below(game, seat, depth),
                mine if chance else 1 - mine,
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
            best, best_i, best_seat = value, i, seat
            keep(game, work, ply, seat, i)
        low, high = closed(switches, mine, low, high, best)
        if switches.cuts and low >= high:
            switches.record.cut(work, ply, rounds - j - 1, alpha, beta)
            break
    best = work.values[ply, me]
    if switches.star.complete(work, ply):
        switches.order.credit(work, ply, best_seat, best_i, depth)
    switches.table.store(game, work, ply, depth, switches.star.told(work, ply, best, alpha, beta))
    return best


@kernel
def replies(game, switches, work, ply):
    """List the moves of every opponent still in the game, note in work.repliers[ply] which seat makes each, and return
    how many there are.
    """
    count = 0
    for seat in range(game.seats):
        if seat != work.root and game.active(work.states[ply], seat):
            found = game.moves(work.states[ply], seat, work.moves[ply, count:])
            if not 0 <= found <= game.max_moves:
                work.fault, work.most, work.stop = found, game.max_moves, FAULT
                return 0
            found = switches.forward_pruning.narrow(game, work, ply, seat, count, found)
            for i in range(count, count + found):
                work.repliers[ply, i] = seat
            count += found
    switches.order.arrange_replies(work, ply, count)
    work.counts[ply] = count
    return count


class Repliers(Constant):
    """The workspace field that says which seat makes each listed reply."""

    def fields(self, game, plies):
        return [("repliers", np.int16, (plies, max(1, game.seats - 1) * game.max_moves))]


@dataclass(frozen=True, kw_only=True)
class BestReply(DepthFirst):
    """Best Reply Search: each own move is answered by the one most harmful reply of any opponent."""

    order: str = "killer"  # given, shuffled, promising, history or killer
    prune: bool = True  # alpha-beta
    star: int = 0  # pruning at chance nodes: 1 for Star1, 2 for Star2

    kernel = best_reply
    any_order = True
    most = DepthFirst.most | {"star": MOST_STAR}

    def check(self, game):
        acting_out_of_turn(self, game)

    def breadth(self, game):
        return max(1, game.seats - 1)

    def arguments(self, game, estimate):
        return (1, *full_window())

    def own_switches(self, game, estimate):
        return {"cuts": bool(self.prune), "star": star_for(self, game, estimate), "repliers": Repliers()}
