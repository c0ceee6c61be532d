"""Random walks through a game, compiled or interpreted: the same stream of numbers gives the same walk."""

from typing import Any

import numpy as np

from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace

PLIES = 256


@kernel
def wander(game, work, steps):
    """Play random moves from work.states[0] on, one state per ply; returns the number of moves played."""
    for ply in range(steps):
        state = work.states[ply]
        seat = game.mover(state)
        if seat == OVER:
            return ply
        if seat == CHANCE and not game.can_list(state):
            work.moves[ply, 0], count = game.roll(state, work.rng), 1
        elif seat == CHANCE:
            count = game.outcomes(state, work.moves[ply], work.odds[ply])
        else:
            count = game.moves(state, seat, work.moves[ply])
        work.states[ply + 1] = state
        game.play(work.states[ply + 1], seat, work.moves[ply, below(work.rng, count)])
    return steps


def wandered(game: Game, state: Any, rng: Any, compiled: bool) -> list[Any]:
    """The states of a random walk of at most 255 plies."""
    work = workspace(game, PLIES, (), compiled)
    work.states[0] = state
    work.rng.word = rng.word
    with np.errstate(over="ignore"):
        count = (wander.compiled if compiled else wander)(game, work.record, PLIES - 1)
    return [game.copy(work.states[ply]) for ply in range(count + 1)]
