"""Playouts: how a match goes on below the tree until it is over or cut."""

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import below, unit
from kingmaker.search.parts.machinery.leaf import end, guess

LONGEST = 100_000  # turns of a playout


class RandomMoves(Constant):
    """Any legal move, as the game's `any_move` draws it."""

    def move(self, game, estimate, work, seat):
        return game.any_move(work.states[1], seat, work.rng, work.moves[1])


class GreedyMoves(Constant):
    """The move after which the estimate is best for the mover, of equal ones any; with probability `work.epsilon` a
    random move.
    """

    def move(self, game, estimate, work, seat):
        if unit(work.rng) < work.epsilon:
            return game.any_move(work.states[1], seat, work.rng, work.moves[1])
        count, best, value, ties = game.moves(work.states[1], seat, work.moves[1]), 0, 0.0, 0
        for i in range(count):
            work.states[2] = work.states[1]
            game.play(work.states[2], seat, work.moves[1, i])
            work.nodes += 1
            if game.mover(work.states[2]) == OVER:
                end(game, estimate, work.states[2], work.values[2])
            else:
                guess(game, estimate, work.states[2], work.values[2])
            own = work.values[2, seat]
            ties = ties + 1 if i > 0 and own == value else 1 if i == 0 or own > value else ties
            if i == 0 or own > value or (own == value and below(work.rng, ties) == 0):
                best, value = i, own
        return work.moves[1, best]


PLAYOUTS = {"random": RandomMoves(), "greedy": GreedyMoves()}


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
        game.play(state, seat, move)
    guess(game, estimate, state, work.values[1])
    switches.reward.write(game, work.values[1], work.values[0])
    return True
