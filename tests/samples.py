"""Games that many tests share, so that each is compiled once, and positions of them.

Another tree is another seed and a lower tree is a later ply to start from; neither compiles anything anew.
"""

from pathlib import Path

import numpy as np

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.guard import own_parts, vouch
from kingmaker.core.rng import below, stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.light_bike import LightBike
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from kingmaker.probe.random_walk import wandered
from kingmaker.search import ALGORITHMS
from kingmaker.search.parts.machinery.depth_first import DepthFirst

OWN_GAMES = Path(__file__).parent / "own_games"
CHANCE, OVER = -1, -2

UNIFORM = RandomTree(seats=3, branching=3, height=5)
TIES = RandomTree(seats=3, branching=3, height=5, values=3)
SUM = RandomTree(seats=3, branching=3, height=5, kind="constant_sum", values=9)
BINARY = RandomTree(seats=4, branching=3, height=5, kind="binary")
DICE = RandomTree(seats=3, branching=3, height=5, values=4, chance=3)
DUEL = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=5)
DICE_DUEL = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=5, chance=2)
STICKS = Sticks(seats=3, sticks=9)
STICKS_DUEL = Sticks(seats=2, sticks=9)
BIKES = LightBike(seats=3, width=4, height=4, starts="distinct")
BIKES_DUEL = LightBike(seats=2, width=4, height=3, starts="distinct")
WRITTEN = ExplicitTree([[(5, 3, 2), (7, 2, 1)], [(3, 5, 2), (6, 4, 0)], [(6, 4, 0), (2, 3, 5)]])

TWIN = Ask(compiled=False)  # run the interpreted twin
SAMPLERS = {"ismcts", "mcts", "pimc"}  # searches that have no depth to be told
NOT_BY_DEPTH = {name for name, cls in ALGORITHMS.items() if not issubclass(cls, DepthFirst)}


def tree_at(game, seed, ply=0):
    """The root of a random tree that has `ply` plies less than the game's height."""
    state = game.new(seed)
    state.ply = ply
    return state


def positions(game, count, seed):
    """States in which some seat is to move, from random play."""
    rng, found, match = stream(seed, "positions"), [], 0
    with np.errstate(over="ignore"):
        while len(found) < count:
            state = game.new(1000 * seed + match)
            match += 1
            while game.mover(state) != OVER and len(found) < count:
                if game.mover(state) >= 0 and below(rng, 3) == 0:
                    found.append(game.copy(state))
                game.play(state, game.mover(state), any_of(game, state, rng))
    return found


def trusted(game):
    """A game of the tests that runs at full speed without an examination, which has tests of its own."""
    vouch(game, own_parts((game, *game.estimates)))
    return game


def any_of(game, state, rng):
    """A move or a chance event, each of those that are listed as likely as any other."""
    if game.mover(state) == CHANCE and not game.can_list(state):
        return game.roll(state, rng)
    legal = game.legal(state)
    return legal[below(rng, len(legal))]


def same(one, other):
    """Do two decisions say the same: move, values, root values, line, nodes and depth?"""
    return all(
        getattr(one, part) == getattr(other, part)
        for part in ("move", "values", "moves", "line", "nodes", "depth", "stopped")
    )


def states_on_the_way(game, matches, every):
    """Every so manyth state of random matches in which somebody is to move."""
    for seed in range(matches):
        for state in wandered(game, game.new(), stream(seed, game.name), compiled=False)[::every]:
            if game.mover(state) != OVER:
                wide = game.blank()
                for field in game.State.names:
                    wide[field] = state[field]
                yield wide


def check_twins(game, text):
    """Compiled and interpreted, an agent decides the same and says the same of it; with machine code that is made
    quickly, and then at full speed.
    """
    agent = load_agent(text)
    for number, state in enumerate(positions(game, count=4, seed=3)):
        if number == 2:
            agent.prepare(game)
        compiled, interpreted = (
            agent.decide(game, state, ask=Ask(compiled=True)),
            agent.decide(game, state, ask=TWIN),
        )
        assert same(compiled, interpreted)
        assert compiled.notes == interpreted.notes
