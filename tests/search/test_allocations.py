"""Kernels that sample allocate nothing: all memory of a decision is there before it begins, and its bytes are told."""

from functools import partial

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.parts.growing.worlds import worlds_for
from tests.samples import OWN_GAMES, tree_at, trusted

# Objects of this file only: once a match has compiled the rules of its game, listing moves from Python asks for memory.
TREE = RandomTree(seats=3, branching=3, height=5)
KUHN = trusted(load_game(str(OWN_GAMES / "kuhn.py")))
GOOFSPIEL = trusted(load_game(f"{OWN_GAMES / 'goofspiel.py'}(cards=4)"))


def turned_up():
    state = GOOFSPIEL.new(0)
    GOOFSPIEL.play(state, -1, 3)
    return state


def allocations(work):
    """How often machine code asks for memory when this is done again; the first time it is compiled. The least of a few
    times counts, for a thread that an earlier test left behind may ask, too.
    """
    from numba.core.runtime import _nrt_python, rtsys

    work()
    _nrt_python.memsys_enable_stats()
    asked = []
    for _ in range(3):
        before = rtsys.get_allocation_stats()
        work()
        asked.append(rtsys.get_allocation_stats().alloc - before.alloc)
    _nrt_python.memsys_disable_stats()
    return min(asked)


@pytest.mark.parametrize(
    ("text", "game", "state"),
    [
        ("mcts(playouts={}, tree=12, playout=random, history=0, solver=false)", TREE, tree_at(TREE, 2)),
        ("ismcts(playouts={}, tree=12)", TREE, tree_at(TREE, 2)),
        ("regret_matching(playouts={})", GOOFSPIEL, turned_up()),
    ],
)
def test_machine_code_asks_for_no_memory_however_much_it_samples(text, game, state):
    for playouts in (20, 400):
        agent = load_agent(text.format(playouts))
        assert allocations(partial(agent.decide, game, state)) == 0


def test_a_world_of_pimc_costs_no_memory_but_what_its_rules_ask_for():
    """The `redeal` of this game makes one array."""
    agent, state = load_agent("maxn(depth=4, one_world=True)"), KUHN.new(2)
    words = np.arange(80, dtype=np.uint64).reshape(40, 2)
    asked = worlds_for(agent, KUHN, state, KUHN.legal(state), words, Ask(dealt=True))
    few, many = (allocations(partial(asked.search, 0, worlds)) for worlds in (10, 40))
    assert many - few == 30
