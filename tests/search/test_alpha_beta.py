"""Alpha-beta beyond the laws."""

import pytest

from kingmaker.core.errors import Mismatch
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.minimax import Minimax
from tests.samples import DUEL, STICKS, tree_at


def test_a_bound_is_said_to_be_one():
    game = ExplicitTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]], seats=2)
    decision = AlphaBeta(depth=2).decide(game, game.new())
    assert [entry.exact for entry in decision.moves] == [True, False, False]
    assert decision.moves[0].values == (3.0, -3.0)
    assert all(entry.values[0] <= 3.0 for entry in decision.moves)


def test_a_bound_is_never_better_than_the_true_value_allows():
    """Fail-soft: at or below alpha the returned value is an upper bound of the exact one."""
    for seed in range(20):
        state = tree_at(DUEL, seed)
        pruned, plain = AlphaBeta(depth=4).decide(DUEL, state), Minimax(depth=4).decide(DUEL, state)
        for bound, exact in zip(pruned.moves, plain.moves, strict=True):
            assert (
                bound.values[0] == exact.values[0]
                if bound.exact
                else exact.values[0] <= bound.values[0] <= pruned.values[0]
            )


def test_pruning_saves_about_half_of_a_random_tree():
    pruned = sum(AlphaBeta(depth=5).decide(DUEL, tree_at(DUEL, seed)).nodes for seed in range(20))
    plain = sum(Minimax(depth=5).decide(DUEL, tree_at(DUEL, seed)).nodes for seed in range(20))
    assert pruned < 0.75 * plain


def test_more_than_two_seats_are_refused():
    with pytest.raises(Mismatch, match=r"alpha_beta cannot play sticks\(sticks=9\) with 3 seats"):
        AlphaBeta(depth=2).decide(STICKS, STICKS.new())
