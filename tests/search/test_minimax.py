"""Minimax beyond the laws."""

import pytest

from kingmaker.core.errors import Mismatch
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import Paranoid
from tests.samples import DUEL, STICKS, STICKS_DUEL, same, tree_at


def test_the_textbook_tree_is_worth_three():
    game = ExplicitTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]], seats=2)
    decision = Minimax(depth=2).decide(game, game.new())
    assert decision.values == (3.0, -3.0)
    assert [entry.values[0] for entry in decision.moves] == [3.0, 2.0, 2.0]
    assert decision.line == (0, 0)


def test_two_at_the_sticks_multiples_of_four_lose():
    for left in range(1, 10):
        decision = Minimax(depth=9).decide(STICKS_DUEL, STICKS_DUEL.position(f"left={left} seat=0 winner=0"))
        assert decision.values == ((0.0, 1.0) if left % 4 == 0 else (1.0, 0.0))
        if left % 4:
            assert decision.move == left % 4


def test_it_is_paranoid_without_pruning_for_two():
    state = tree_at(DUEL, 12)
    assert same(Minimax(depth=5).decide(DUEL, state), Paranoid(depth=5, prune=False).decide(DUEL, state))


def test_more_than_two_seats_are_refused():
    with pytest.raises(
        Mismatch, match=r"minimax cannot play sticks\(sticks=9\) with 3 seats, only with 2; use paranoid or maxn"
    ):
        Minimax(depth=2).decide(STICKS, STICKS.new())
