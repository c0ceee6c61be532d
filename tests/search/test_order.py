"""The order of moves: shuffled and by history; what it may change and what not."""

import pytest

from kingmaker.core.ask import Ask
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.sticks import Sticks
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.best_reply import BestReply
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.pvs import Pvs
from tests import oracles
from tests.samples import DUEL, TIES, TWIN, tree_at


@pytest.mark.parametrize("order", ["shuffled", "history"])
def test_the_order_changes_no_value(order):
    for seed in range(15):
        state = tree_at(DUEL, seed)
        values, _ = oracles.minimax(DUEL, state, 4)
        found = AlphaBeta(depth=4, order=order).decide(DUEL, state, stream(seed), ask=TWIN)
        assert found.values[0] == values[0]
        assert AlphaBeta(depth=3).decide(DUEL, DUEL.after(state, found.move), ask=TWIN).values[1] == 4 - values[0]


@pytest.mark.parametrize("order", ["shuffled", "history"])
def test_the_order_leads_maxn_to_a_possible_result(order):
    for seed in range(10):
        state = tree_at(TIES, seed, 1)
        found = Maxn(depth=4, order=order).decide(TIES, state, stream(seed), ask=TWIN)
        assert (found.values, found.move) in oracles.maxn_possible(TIES, state, 4)


def test_shuffled_moves_are_reported_in_the_games_own_order():
    state = tree_at(TIES, 1)
    found = Maxn(depth=2, order="shuffled").decide(TIES, state, stream(5), ask=TWIN)
    assert [entry.move for entry in found.moves] == [0, 1, 2]
    assert found.value_of(found.move) == found.values


def test_of_equal_moves_a_shuffled_search_plays_each():
    game = ExplicitTree([(1, 0, 0)] * 4, seats=3)
    counts = [0] * 4
    for seed in range(800):
        counts[Paranoid(depth=1, order="shuffled").decide(game, game.new(), stream(seed)).move] += 1
    assert all(abs(count - 200) < 75 for count in counts)  # six standard deviations


def test_history_saves_nodes_where_one_move_is_always_good():
    """In a tree where the last move is best everywhere, the given order is the worst one."""
    tree = ExplicitTree([[[9 - i - j + k for k in range(4)] for j in range(4)] for i in range(3, -1, -1)], seats=2)
    given = AlphaBeta(depth=3, order="given").decide(tree, tree.new())
    history = AlphaBeta(depth=3, order="history").decide(tree, tree.new())
    assert history.values == given.values
    assert history.nodes < given.nodes


def test_the_default_order_is_the_games():
    big = Sticks(2, 12)
    found = Maxn(depth=2).decide(big, big.new(), ask=Ask(record=50, compiled=False))
    assert [int(found.tree.nodes[row]["move"]) for row in found.tree.children(0)] == [1, 2, 3]


@pytest.mark.parametrize(("order", "table"), [("history", 0), ("killer", 0), ("killer", 8)])
@pytest.mark.parametrize("search", [AlphaBeta, Pvs, Paranoid, BestReply])
def test_a_better_order_changes_neither_the_value_nor_the_move(search, order, table):
    """Few values and so many equal moves; of these the one that the game lists first is played in every order."""
    game = DUEL if search in (AlphaBeta, Pvs) else TIES
    for seed in range(5):
        state = tree_at(game, seed)
        given = search(depth=4, order="given").decide(game, state, ask=TWIN)
        other = search(depth=4, order=order, table=table).decide(game, state, ask=TWIN)
        seat = game.mover(state)
        assert (other.move, other.values[seat]) == (given.move, given.values[seat])
