"""Playouts: how a match goes on below the tree until it is over or cut."""

import math

from kingmaker.core.agent import Agent
from kingmaker.core.estimate import Fair
from kingmaker.core.foresight import ROOM, SEATS
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import below, unit
from kingmaker.core.scratch import scratch_floats
from kingmaker.search.parts.growing.searching import SearchMoves, ready_search
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.machinery.node import FULL

LONGEST = 100_000  # turns of a playout
ROUNDS = 3  # turns of every seat after which a playout is cut, if nothing else is said and there is an estimate
PLAYOUTS = ("auto", "random", "greedy")


class RandomMoves(Constant):
    """Any legal move, as the game's `any_move` draws it."""

    def move(self, game, estimate, work, seat):
        return game.any_move(work.states[1], seat, work.rng, work.moves[1])


class GreedyMoves(Constant):
    """The move after which the estimate is best for the mover, of equal ones any; with probability `work.epsilon` a
    random move. An estimate with foresight is asked without playing the moves.
    """

    def __init__(self, foresees):
        self.foresees = foresees

    def move(self, game, estimate, work, seat):
        if unit(work.rng) < work.epsilon:
            return game.any_move(work.states[1], seat, work.rng, work.moves[1])
        room, count, best, value, ties = scratch_floats(ROOM), 0, 0, 0.0, 0
        foreseen = self.foresees and estimate.begin(game, work.states[1], seat, room)
        count = game.moves(work.states[1], seat, work.moves[1])
        if count > work.limit - work.nodes:
            work.nodes, work.stop = work.limit, FULL
            return 0
        work.nodes += count
        for i in range(count):
            own = math.nan
            if foreseen:
                own = estimate.own_after(game, work.states[1], seat, work.moves[1, i], room)
            if math.isnan(own):
                own = self.tried(game, estimate, work, seat, work.moves[1, i])
            ties = ties + 1 if i > 0 and own == value else 1 if i == 0 or own > value else ties
            if i == 0 or own > value or (own == value and below(work.rng, ties) == 0):
                best, value = i, own
        return work.moves[1, best]

    def tried(self, game, estimate, work, seat, move):
        """What the estimate says to the mover after a move is played."""
        work.states[2] = work.states[1]
        game.play(work.states[2], seat, move)
        if game.mover(work.states[2]) == OVER:
            end(game, estimate, work.states[2], work.values[2])
        else:
            guess(game, estimate, work.states[2], work.values[2])
        return work.values[2, seat]


def playout_for(agent, game, estimate):
    """How playouts choose their moves: if nothing is said by the estimate, or at random where the game has none."""
    named = agent.playout
    if isinstance(named, Agent):
        return SearchMoves(ready_search(agent, game, False))
    if named == "random" or (named == "auto" and isinstance(estimate, Fair)):
        return RandomMoves()
    return GreedyMoves(estimate.has_foresight and game.seats <= SEATS)


def turns_for(agent, game, estimate):
    """After how many turns a playout is cut; -1: never."""
    if agent.cut is None:
        return -1 if agent.playout == "random" or isinstance(estimate, Fair) else ROUNDS * game.seats
    return agent.cut


@kernel
def finish(game, estimate, switches, work):
    """Play work.states[1] to its end, or for `work.cut` turns, and leave the rewards in work.values[0].

    Returns whether that was done; it was not where the node limit or a stop from outside came first.
    """
    state = work.states[1]
    for turn in range(LONGEST):
        seat = game.mover(state)
        if seat == OVER:
            end(game, estimate, state, work.values[1])
            switches.reward.write(game, work.values[1], work.values[0])
            return True
        if turn == work.cut:
            break
        if work.nodes >= work.limit or work.stop != 0:
            return False
        work.nodes += 1
        if seat == CHANCE:
            move = game.roll(state, work.rng)
        else:
            move = switches.playout.move(game, estimate, work, seat)
            if work.stop != 0:
                return False
        game.play(state, seat, move)
    guess(game, estimate, state, work.values[1])
    switches.reward.write(game, work.values[1], work.values[0])
    return True
