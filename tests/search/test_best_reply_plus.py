"""BRS+: one opponent thinks, the others play their first move, in turn order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingmaker.core.ask import Ask
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.best_reply_plus import BestReplyPlus
from kingmaker.search.paranoid import Paranoid
from tests import reply_oracles
from tests.samples import BIKES, DICE, DUEL, STICKS, TIES, TWIN, UNIFORM, positions, same, tree_at

FOUR = RandomTree(seats=4, branching=2, height=7, values=5)
SEEDS, PLIES, DEPTHS = st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 5)


@pytest.mark.parametrize(
    ("game", "ask"),
    [(UNIFORM, Ask()), (TIES, TWIN), (DICE, TWIN), (FOUR, Ask())],
    ids=["uniform", "ties", "dice", "four"],
)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_it_is_the_oracle_including_the_move(game, ask, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        found = BestReplyPlus(depth=depth).decide(game, state, ask=ask)
        value, move = reply_oracles.best_reply_plus(game, state, depth)
        assert found.move == move
        assert found.values[game.mover(state)] == pytest.approx(value, abs=1e-9)


@given(seed=SEEDS, depth=DEPTHS)
def test_pruning_and_a_table_keyed_by_regular_moves_change_nothing(seed, depth):
    state = tree_at(FOUR, seed)
    plain = BestReplyPlus(depth=depth, prune=False).decide(FOUR, state, ask=TWIN)
    for agent in (BestReplyPlus(depth=depth), BestReplyPlus(depth=depth, table=10)):
        found = agent.decide(FOUR, state)
        assert (found.move, found.values[0]) == (plain.move, plain.values[0])


@given(seed=SEEDS, depth=DEPTHS)
def test_it_never_fears_more_than_paranoid(seed, depth):
    state = tree_at(UNIFORM, seed)
    plus, paranoid = BestReplyPlus(depth=depth).decide(UNIFORM, state), Paranoid(depth=depth).decide(UNIFORM, state)
    assert plus.values[0] >= paranoid.values[0]


@settings(max_examples=20)
@given(seed=SEEDS, depth=DEPTHS)
def test_with_one_opponent_it_is_paranoid(seed, depth):
    state = tree_at(DUEL, seed)
    plus, paranoid = (search(depth=depth).decide(DUEL, state, ask=TWIN) for search in (BestReplyPlus, Paranoid))
    assert (plus.move, plus.values[0]) == (paranoid.move, paranoid.values[0])


def test_every_second_reply_is_the_first_move_once_somebody_thought():
    """The hazard: counting opponents' plies instead of regular moves would let the third opponent think again."""
    ask = Ask(record=1000, compiled=False)
    tree = BestReplyPlus(depth=4, prune=False).decide(FOUR, tree_at(FOUR, 1), ask=ask).tree
    widths = {}
    for row in range(1, len(tree)):
        widths[int(tree.nodes[row]["parent"])] = widths.get(int(tree.nodes[row]["parent"]), 0) + 1
    third = [row for row in range(len(tree)) if tree.nodes[row]["seat"] == 3]
    assert {widths[row] for row in third if row in widths} == {1, 2}


def test_games_in_turn_order_are_played():
    for state in positions(STICKS, 10, seed=1) + positions(BIKES, 10, seed=1):
        game = STICKS if state.dtype == STICKS.State else BIKES
        found = BestReplyPlus(depth=4).decide(game, state)
        assert found.move == reply_oracles.best_reply_plus(game, state, 4)[1]
        assert same(found, BestReplyPlus(depth=4).decide(game, state, ask=TWIN))
