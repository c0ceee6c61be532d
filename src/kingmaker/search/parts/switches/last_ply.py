"""The last ply without playing its moves: the estimate foresees the mover's value, and only the best children are
evaluated in full.

At the last ply every child is a leaf, and of every leaf but the best ones only the mover's entry is used. An estimate
with foresight gives that entry without the move being played (`core/foresight.py`). Nodes, values, lines and random
tie-breaks are those of a search that plays every move; where anything else looks at the leaves (a record, a table,
pruning, a horizon that may be passed, dice), every move is played.
"""

import numpy as np

from kingmaker.core.foresight import ROOM
from kingmaker.core.game import OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.scratch import scratch_floats
from kingmaker.search.parts.machinery.leaf import cleared, end, guess
from kingmaker.search.parts.machinery.line import word
from kingmaker.search.parts.machinery.node import FULL, keep, listed
from kingmaker.search.parts.opponents.win_chance import WIDE


class EveryPly(Constant):
    """The last ply is searched like every other."""

    def decides(self, game, estimate, switches, work, ply, depth, seat):
        """Was work.states[ply] searched completely by this call? It is made at every node before listing its moves."""
        return False


class LastMove(EveryPly):
    """The last ply keeps the child that is best for the mover, by the tie rule of MaxN."""

    def decides(self, game, estimate, switches, work, ply, depth, seat):
        if depth != 1 or ply == 0 or seat < 0:
            return False
        room = scratch_floats(ROOM)
        if not estimate.begin(game, work.states[ply], seat, room):
            return False
        if self.known(game, estimate, switches, work, ply, depth, seat, room):
            return True
        many = counted(game, switches, work, ply, seat)
        best, ties, most, played = 0, 0, 0.0, 0
        for i in range(many):
            mine = estimate.own_after(game, work.states[ply], seat, work.moves[ply, i], room)
            if np.isnan(mine):
                play_child(game, estimate, work, ply, seat, i)
                mine = work.values[ply + 1, seat]
                played += 1
            if i == 0 or switches.rounding.above(mine, most):
                best, ties, most = i, 1, mine
            elif switches.rounding.reaches(mine, most):
                ties += 1
                if switches.ties.takes(work, ties):
                    best, most = i, mine
        if played < many:
            work.beyond = 1
        if many > 0:
            look_at(game, estimate, work, ply, seat, best, room)
            keep(game, work, ply, seat, best)
            switches.order.credit(work, ply, seat, best, depth)
        return True

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        """Was the best move found without the mover's value for every move?"""
        return False


class LastBest(LastMove):
    """The last ply of an estimate that finds the best moves itself; the first of them is kept, or with a shuffled order
    any of them.
    """

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        found, many = estimate.best_after(game, work.states[ply], seat, room, work.moves[ply])
        if found == 0:
            return False
        if affordable(work, many) > 0:
            best = switches.order.one_of(work, found)
            work.beyond = 1
            look_at(game, estimate, work, ply, seat, best, room)
            keep(game, work, ply, seat, best)
        return True


class LastSet(EveryPly):
    """The last ply takes the mean over all children that are best for the mover, as in Max-Prob."""

    def decides(self, game, estimate, switches, work, ply, depth, seat):
        if depth != 1 or ply == 0 or seat < 0:
            return False
        room = scratch_floats(WIDE)
        if not estimate.begin(game, work.states[ply], seat, room):
            return False
        if self.known(game, estimate, switches, work, ply, depth, seat, room):
            return True
        many = counted(game, switches, work, ply, seat)
        best, most, played = 0, 0.0, 0
        for i in range(many):
            mine = estimate.own_after(game, work.states[ply], seat, work.moves[ply, i], room)
            if np.isnan(mine):
                play_child(game, estimate, work, ply, seat, i)
                mine = work.values[ply + 1, seat]
                played += 1
            work.children[ply, i, seat] = mine
            if i == 0 or switches.best.rounding.above(mine, most):
                best, most = i, mine
        if played < many:
            work.beyond = 1
        if many > 0:
            self.mean(game, estimate, switches, work, ply, seat, room)
            work.lines[ply, 0] = word(seat, work.moves[ply, best])
            work.lengths[ply] = 1
            switches.order.credit(work, ply, seat, best, depth)
        return True

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        """Did the estimate find the best moves itself, without a value for every move?"""
        return False

    def mean(self, game, estimate, switches, work, ply, seat, room):
        """As `BestSet.averaged`, with the vectors of the best children alone."""
        highest, ties = switches.best.highest(work, ply, seat), 0
        for i in range(work.counts[ply]):
            if switches.best.rounding.reaches(work.children[ply, i, seat], highest):
                ties += 1
                look_at(game, estimate, work, ply, seat, i, room)
                for each in range(game.seats):
                    before = 0.0 if ties == 1 else work.values[ply, each]
                    work.values[ply, each] = before + (work.values[ply + 1, each] - before) / ties


class LastBestSet(LastSet):
    """The last ply of an estimate that finds the best moves itself; the mean over all of them is taken."""

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        state = work.states[ply]
        found, many = estimate.best_after(game, state, seat, room, work.moves[ply])
        if found == 0:
            return False
        best = work.moves[ply, 0]
        most = estimate.own_after(game, state, seat, best, room)
        if switches.best.rounding.reaches(estimate.next_after(game, state, seat, best, room), most):
            return False  # the next best may count as equal
        if affordable(work, many) > 0:
            work.beyond = 1
            for i in range(found):
                look_at(game, estimate, work, ply, seat, i, room)
                for each in range(game.seats):
                    before = 0.0 if i == 0 else work.values[ply, each]
                    work.values[ply, each] = before + (work.values[ply + 1, each] - before) / (i + 1)
            work.lines[ply, 0] = word(seat, work.moves[ply, switches.order.one_of(work, found)])
            work.lengths[ply] = 1
        return True


@kernel
def counted(game, switches, work, ply, seat):
    """List the moves of work.states[ply] and count all children; return how many to evaluate, 0 if the search is to
    stop.
    """
    return affordable(work, listed(game, switches, work, ply, seat))


@kernel
def affordable(work, many):
    """Count so many children; return how many to evaluate, 0 if the search is to stop."""
    if many > work.limit - work.nodes:
        work.nodes, work.stop = work.limit, FULL
        return 0
    work.nodes += many
    return many if work.stop == 0 else 0


@kernel
def play_child(game, estimate, work, ply, seat, i):
    """Leave in work.values[ply + 1] the vector of the i-th child, by playing the move."""
    work.states[ply + 1] = work.states[ply]
    game.play(work.states[ply + 1], seat, work.moves[ply, i])
    if game.mover(work.states[ply + 1]) == OVER:
        end(game, estimate, work.states[ply + 1], work.values[ply + 1])
    else:
        work.beyond = 1
        guess(game, estimate, work.states[ply + 1], work.values[ply + 1])


@kernel
def look_at(game, estimate, work, ply, seat, i, room):
    """Leave in work.values[ply + 1] the vector of the i-th child and in work.lines[ply + 1] its line, which is
    empty.
    """
    work.lengths[ply + 1] = 0
    cleared(game, work.values[ply + 1])
    if estimate.after(game, work.states[ply], seat, work.moves[ply, i], room, work.values[ply + 1]):
        work.beyond = 1  # no move that ends the match is foreseen
    else:
        play_child(game, estimate, work, ply, seat, i)
