"""Multi-Minimax: I duel with each of them in turn.

After each root move the root seat plays one two-player game against every single opponent, as if the others stood still
for the rest of the line. A move is worth what its worst duel brings; the best such move is played. Only the number of
duels grows with the number of seats, so it looks far ahead. It is for games in which seats may act out of turn,
simultaneous ones above all.

    N. Perez, B. J. Oommen. Multi-Minimax: A New AI Paradigm for Simultaneously-Played Multi-Player Games. 2019.

Differs from the printed pseudo-code, which is unsound: together with its cuts at equality, its rule to change to a
later move that is merely as good can play a move that is far worse (the value is right, the move is not). By default a
move must be better (`rule="first"`); `rule="last"` lets later equals win, soundly, by cutting only beyond equality;
`rule="published"` does as printed, for reproduction. Where the root seat or the opponent of a duel is out, that duel is
over and worth the estimate; with no opponent left, so is the whole line.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch, unknown
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.leaf import end, guess_duel
from kingmaker.search.parts.machinery.needs import acting_out_of_turn
from kingmaker.search.parts.machinery.node import (
    blend,
    count,
    cut_short,
    depth_below,
    enter,
    keep,
    leave,
    listed,
    rolls,
    settled,
)
from kingmaker.search.parts.opponents.worst_duel import WorstDuel, put_by, take_back
from kingmaker.search.parts.switches.bounds import better, closed, full_window, told_by
from kingmaker.search.parts.switches.root_rule import RULES

NOBODY = -1


@kernel
def multi_minimax(game, estimate, switches, work, ply, depth, alpha, beta):
    """Leave in work.values[0] the vector of the best root move, which comes from the leaf of its worst duel."""
    me = work.root
    if settled(game, estimate, switches, work, ply, depth):
        return
    best, kept, best_i = -np.inf, 0.0, 0
    for i in range(listed(game, switches, work, ply, me)):
        enter(game, switches, work, ply, me, i)
        worst, kept_duel, high, opponent = np.inf, np.inf, beta, next_opponent(game, work, -1)
        while opponent < game.seats:
            value = duel(game, estimate, switches, work, 1, depth - 1, opponent, 0, alpha, high)
            if work.stop:
                return
            if kept_duel == np.inf or switches.rounding.below(value, kept_duel):
                kept_duel = value
                put_by(game, work)
            worst = min(worst, value)
            high = min(high, worst)
            following = game.seats if opponent == NOBODY else next_opponent(game, work, opponent)
            if switches.cuts and switches.rule.cuts(alpha, high):
                switches.record.cut(work, 1, game.seats - following, alpha, beta)
                break
            opponent = following
        take_back(game, work, worst)
        leave(game, switches, work, ply, i, alpha < worst)
        if i == 0 or switches.rule.takes(switches.rounding, worst, kept, best):
            kept, best_i = worst, i
            keep(game, work, ply, me, i)
        best = max(best, worst)
        if switches.cuts:
            alpha = max(alpha, switches.rule.floor(switches.rounding, best))
    switches.order.credit(work, ply, me, best_i, depth)


@kernel
def duel(game, estimate, switches, work, ply, depth, opponent, mine, alpha, beta):
    """Return the root seat's value of work.states[ply] if from here on only the root seat (first if `mine` is 1) and
    one opponent move.

    The value is exact inside (alpha, beta), an upper bound at or below alpha and a lower bound at or above beta. The
    vector is in work.values[ply].
    """
    me = work.root
    if duel_settled(game, estimate, switches, work, ply, depth, opponent):
        return work.values[ply, me]
    if switches.table.known(game, switches, work, ply, depth, 2 * opponent + mine, me, alpha, beta):
        return work.values[ply, me]
    chance = rolls(game, game.mover(work.states[ply]))
    seat = CHANCE if chance else me if mine else opponent
    low, high, best, best_i = alpha, beta, 0.0, 0
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        value = duel(
            game,
            estimate,
            switches,
            work,
            ply + 1,
            depth_below(game, seat, depth),
            opponent,
            mine if chance else 1 - mine,
            -np.inf if chance else low,
            np.inf if chance else high,
        )
        if work.stop:
            return 0.0
        leave(game, switches, work, ply, i, True)
        if chance:
            blend(game, work, ply, i)
            continue
        if i == 0 or better(switches, mine, value, best):
            best, best_i = value, i
            keep(game, work, ply, seat, i)
        low, high = closed(switches, mine, low, high, best)
        if switches.cuts and switches.rule.cuts(low, high):
            switches.record.cut(work, ply, work.counts[ply] - i - 1, alpha, beta)
            break
    best = work.values[ply, me]
    switches.order.credit(work, ply, seat, best_i, depth)
    switches.table.store(game, work, ply, depth, told_by(best, alpha, beta))
    return best


@kernel
def duel_settled(game, estimate, switches, work, ply, depth, opponent):
    """As `settled`, but only the root seat and one opponent move; if either is out of the game, the duel is over."""
    if ply < 0:
        return True  # never happens; a hint to the compiler, as in `settled`
    if switches.children.known(game, work, ply):
        return True
    count(work, ply)
    state = work.states[ply]
    mover = game.mover(state)
    if mover == OVER:
        end(game, estimate, state, work.values[ply])
        return True
    decided = opponent == NOBODY or not game.active(state, opponent) or not game.active(state, work.root)
    ended = decided or estimate.enough(game, state, work.root)  # if so, a deeper search ends here too
    if ended or switches.horizon.reached(game, work, ply, depth) or cut_short(game, work, ply, mover):
        work.beyond |= not ended
        guess_duel(game, estimate, state, work.root, opponent, work.values[ply])
        return True
    return work.stop != 0


@kernel
def next_opponent(game, work, after):
    """The next opponent to duel with after the root move; NOBODY if there is no opponent at all, `game.seats` after the
    last one.
    """
    first = after < 0
    for seat in range(after + 1, game.seats):
        if seat != work.root and game.active(work.states[1], seat):
            return seat
    return NOBODY if first else game.seats


@dataclass(frozen=True, kw_only=True)
class MultiMinimax(DepthFirst):
    """The best move against the worst single opponent."""

    rule: str = "first"  # of equal moves: first, last, or published (unsound, for reproduction)
    prune: bool = True  # alpha-beta

    kernel = multi_minimax
    any_order = True

    @property
    def last_of_equals(self):
        return self.rule == "last"

    def check_threads(self):
        super().check_threads()
        if self.rule == "published":
            raise BadParameter(
                f"the published rule plays by bounds, which threads change, in {self}; use rule='first' or threads=1"
            )

    def check(self, game):
        acting_out_of_turn(self, game)

    def arguments(self, game, estimate):
        return full_window()

    def own_switches(self, game, estimate):
        if self.rule not in RULES:
            raise unknown("rule", str(self.rule), RULES, str(self))
        if self.rule == "published" and self.table:
            raise Mismatch(
                f"the published rule plays by bounds, which a table changes, in {self}; use table=0 or rule='first'"
            )
        return {"cuts": bool(self.prune), "rule": RULES[self.rule], "worst_duel": WorstDuel()}
