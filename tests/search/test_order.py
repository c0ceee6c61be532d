"""The order of moves: shuffled and by history; what it may change and what not."""

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.ask import Ask
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.sticks import Sticks
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.best_reply import BestReply
from kingmaker.search.maxn import Maxn
from kingmaker.search.multi_minimax import MultiMinimax
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.pvs import Pvs
from tests import oracles
from tests.samples import DUEL, TIES, TWIN, positions, tree_at


@pytest.mark.parametrize("order", ["shuffled", "promising", "history"])
def test_the_order_changes_no_value(order):
    for seed in range(15):
        state = tree_at(DUEL, seed)
        values, _ = oracles.minimax(DUEL, state, 4)
        found = AlphaBeta(depth=4, order=order).decide(DUEL, state, stream(seed), ask=TWIN)
        assert found.values[0] == values[0]
        assert AlphaBeta(depth=3).decide(DUEL, DUEL.after(state, found.move), ask=TWIN).values[1] == 4 - values[0]


@pytest.mark.parametrize("order", ["shuffled", "promising", "history"])
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


SMALL_STAR = load_game("chinese_checkers(seats=3, radius=2)")


def looks(game, state, move):
    """What the estimate says of the position after a move for its mover."""
    out = np.zeros(game.seats)
    after, seat = game.after(state, move), game.mover(state)
    if game.mover(after) == OVER:
        return game.payoffs(after)[seat]
    game.estimate().value(game, after, out)
    return out[seat]


@pytest.mark.parametrize("agent", [Paranoid(depth=4), BestReply(depth=3), MultiMinimax(depth=3)], ids=str)
def test_of_equal_moves_the_one_that_looks_better_is_played_and_of_those_each(agent):
    """Two steps can be made in either order, and the larger one looks better when it is made first."""
    promising, given, met = agent.changed(order="promising"), agent.changed(order="given", prune=False), [0, 0]
    for state in positions(SMALL_STAR, count=12, seed=5):
        seat, told = SMALL_STAR.mover(state), given.decide(SMALL_STAR, state).moves
        most = max(entry.values[seat] for entry in told)
        likes = {each.move: looks(SMALL_STAR, state, each.move) for each in told if each.values[seat] == most}
        wanted = {move for move, liking in likes.items() if liking == max(likes.values())}
        assert {promising.decide(SMALL_STAR, state, stream(seed)).move for seed in range(40)} == wanted
        met = [met[0] + (len(wanted) < len(likes)), met[1] + (len(wanted) > 1)]
    assert all(met)


def test_below_the_root_ties_of_maxn_fall_at_random_and_at_the_root_by_the_look():
    agent, met = Maxn(depth=4, order="promising"), 0
    for state in positions(SMALL_STAR, count=12, seed=5):
        seat = SMALL_STAR.mover(state)
        for seed in range(8):
            found = agent.decide(SMALL_STAR, state, stream(seed))
            best = [each.move for each in found.moves if each.values[seat] == found.values[seat]]
            likes = {move: looks(SMALL_STAR, state, move) for move in best}
            assert likes[found.move] == max(likes.values())
            met += min(likes.values()) < max(likes.values())
    assert met


@pytest.mark.parametrize("agent", [Maxn(depth=3), Paranoid(depth=4)], ids=str)
def test_promising_moves_first_change_no_value_and_are_the_same_interpreted(agent):
    promising = agent.changed(order="promising")
    for seed in range(6):
        state = tree_at(DUEL, seed)
        found = promising.decide(DUEL, state, stream(seed))
        assert found.values[DUEL.mover(state)] == agent.decide(DUEL, state).values[DUEL.mover(state)]
        twin = promising.decide(DUEL, state, stream(seed), ask=TWIN)
        assert (found.move, found.values, found.nodes) == (twin.move, twin.values, twin.nodes)


def test_where_a_move_ends_the_match_the_payoff_tells_how_it_looks():
    """Two moves promise the same at depth 2; the one that ends the match at once looks better than the estimate."""
    game = ExplicitTree([{"moves": [(5, 0, 0)], "estimate": [1, 0, 0], "seat": 1}, (5, 0, 0)], seats=3)
    drawn = {Maxn(depth=2, order="promising").decide(game, game.new(), stream(seed)).move for seed in range(20)}
    assert drawn == {1}
