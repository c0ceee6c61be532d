"""Greedy: one ply, ties at random."""

import pytest

from kingmaker import load_agent
from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.greedy import Greedy
from tests import oracles
from tests.samples import TIES, tree_at


def test_it_plays_what_looks_best_at_once():
    for seed in range(20):
        state = tree_at(TIES, seed)
        decision = Greedy().decide(TIES, state, stream(seed))
        assert (decision.values, decision.move) in oracles.maxn_possible(TIES, state, 1)
        assert decision.nodes == 4
        assert decision.depth == 1


def test_it_expects_no_answer():
    game = ExplicitTree(
        [{"moves": [(0, 9, 9)], "estimate": [9, 0, 0]}, {"moves": [(9, 0, 0)], "estimate": [1, 1, 1]}], seats=3
    )
    assert Greedy().decide(game, game.new()).move == 0


def test_ties_fall_at_random():
    game = ExplicitTree([(1, 0, 0), (1, 0, 0)], seats=3)
    assert {Greedy().decide(game, game.new(), stream(seed)).move for seed in range(30)} == {0, 1}


def test_another_depth_is_refused():
    with pytest.raises(BadParameter, match=r"greedy looks 1 ply ahead, got depth=3; use maxn"):
        load_agent("greedy(depth=3)")
