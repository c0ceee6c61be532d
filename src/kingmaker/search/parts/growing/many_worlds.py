"""Many worlds dealt and searched in one call of machine code."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import draw
from kingmaker.search.parts.machinery.line import move_of
from kingmaker.search.parts.machinery.node import FULL

MOVE, NODES, DEPTH = 0, 1, 2  # what is told of a world


@kernel
def search_worlds(
    game, estimate, switches, asked, arguments, deepest, state, works, streams, legal, told, values, exact
):
    """Deal a world for the mover and search it by iterative deepening, once for every workspace in `works`.

    streams[i] are the i-th world's luck and the search's random numbers. told[i] is the chosen move, the nodes and the
    depth of the last iteration that was finished, the first legal move and depth 0 if none was; values[i] and exact[i]
    are what it found of the legal moves, in the order of `legal`. All workspaces are fresh, with a limit of nodes; one
    that was told to stop from outside, or has met a fault, ends the call.
    """
    for world in range(len(told)):
        work = works[world]
        work.states[0] = state
        game.redeal(work.states[0], game.mover(state), streams[world, 0])
        work.root, work.rng.word = game.mover(work.states[0]), draw(streams[world, 1])
        told[world, MOVE], told[world, DEPTH] = legal[0], 0
        for depth in range(1, deepest + 1):
            work.beyond, work.tried, work.lengths[0] = 0, 0, 0
            asked.search(game, estimate, switches, work, depth, arguments)
            if work.stop == FULL:
                break
            if work.stop != 0:
                return
            told[world, MOVE], told[world, DEPTH] = move_of(work.lines[0, 0]), depth
            note_moves(game, work, legal, values[world], exact[world])
            if not work.beyond or work.nodes >= work.limit:
                break
        told[world, NODES] = work.nodes


@kernel
def note_moves(game, work, legal, values, exact):
    """Write down what an iteration has found of every legal move; NaN where it did not look at one."""
    for j in range(len(legal)):
        exact[j] = 0
        for seat in range(game.seats):
            values[j, seat] = np.nan
        for i in range(work.tried):
            if legal[j] == work.moves[0, i]:
                exact[j] = work.root_exact[i]
                for seat in range(game.seats):
                    values[j, seat] = work.root_values[i, seat]
