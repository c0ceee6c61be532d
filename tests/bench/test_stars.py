"""Leaves of trees with chance nodes: every one is counted, and the shares are told with intervals."""

import random

import pytest
from bench.stars import KINDS, looked_at, tree

from bench import stars
from kingmaker.search.minimax import Minimax


@pytest.mark.parametrize("kind", KINDS)
def test_minimax_looks_at_every_leaf_once(kind):
    game = tree(random.Random(1), 3, 4, kind)
    assert looked_at(Minimax(depth=9), game, game.new()) == (81, 81)
    assert game.facts.high == -game.facts.low < (2 if kind == "summed" else 0.5)


def test_shares_are_told_for_both_kinds_of_trees(capsys):
    assert stars.main(moves=3, plies=3, trees=3) == 0
    one, two = capsys.readouterr().out.splitlines()
    assert one.startswith("independent values, 3 moves, 3 plies, 3 trees: Star1 ")
    assert two.startswith("summed values, 3 moves, 3 plies, 3 trees: Star1 ")
    assert two.endswith(" of the leaves")
