"""Offensive: the root seat holds one other seat down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker import load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.offensive import Offensive
from tests import oracles, reply_oracles
from tests.samples import BIKES, DICE, TIES, TWIN, UNIFORM, WRITTEN, tree_at

SEEDS, PLIES, DEPTHS = st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 4)


@pytest.mark.parametrize(
    ("game", "ask"), [(UNIFORM, TWIN), (TIES, TWIN), (DICE, Ask())], ids=["uniform", "ties", "dice"]
)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS, target=st.integers(1, 2))
def test_it_is_the_oracle_including_the_move(game, ask, seed, ply, depth, target):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        found = Offensive(depth=depth, target=target, ties="first").decide(game, state, ask=ask)
        assert (oracles.exact_vector(found.values), found.move) == reply_oracles.offensive(game, state, depth, target)
        assert found.notes == {"target": target}


def test_worked_example_3_aims_at_the_third_or_the_second_seat():
    assert Offensive(target=2).decide(WRITTEN, WRITTEN.new()).values == (6, 4, 0)
    assert Offensive(target=1).decide(WRITTEN, WRITTEN.new()).values == (5, 3, 2)


def test_without_a_target_it_aims_at_the_leader_of_the_others():
    for values, target in (((9, 4, 1), 1), ((1, 4, 9), 2), ((4, 1, 4), 2)):
        leaves = [[(5, 3, 2), (7, 2, 1)], [(3, 5, 2), (6, 4, 0)], [(6, 4, 0), (2, 3, 5)]]
        game = ExplicitTree({"moves": leaves, "estimate": list(values)}, seats=3)
        found, aimed = (Offensive(target=each).decide(game, game.new()) for each in (None, target))
        assert (found.values, found.move, found.notes) == (aimed.values, aimed.move, {"target": target})


def test_without_a_target_one_of_several_leaders_is_drawn():
    state = BIKES.new(1)
    targets = {Offensive(depth=1).decide(BIKES, state, stream(seed, "target")).notes["target"] for seed in range(30)}
    assert targets == {1, 2}


def test_ties_are_drawn_at_random():
    state = BIKES.new(1)
    moves = {Offensive(depth=1, target=1).decide(BIKES, state, stream(seed, "tie")).move for seed in range(40)}
    assert moves == set(BIKES.legal(state))


def test_any_of_the_moves_that_are_equal_for_the_target_is_played_whatever_it_brings_to_oneself():
    game = ExplicitTree([(1, 5, 2), (9, 0, 2), (5, 5, 2), (9, 9, 3)], seats=3)
    settings = {"random": {1}, "any": {0, 1, 2}}
    for ties, moves in settings.items():
        for order in ("given", "shuffled"):
            agent = Offensive(target=2, ties=ties, order=order)
            drawn = [agent.decide(game, game.new(), stream(seed, "tie")).move for seed in range(90)]
            assert set(drawn) == moves
            assert all(abs(drawn.count(move) - 90 / len(moves)) < 25 for move in moves)


@pytest.mark.parametrize("order", ["given", "shuffled", "promising"])
def test_with_any_it_comes_to_a_result_that_the_definition_allows(order):
    seen = {}
    for seed in range(8):
        state = tree_at(TIES, seed, 1)
        for target in {0, 1, 2} - {TIES.mover(state)}:
            agent, allowed = (
                Offensive(depth=4, target=target, ties="any", order=order),
                reply_oracles.offensive_possible(TIES, state, 4, target),
            )
            found = [agent.decide(TIES, state, stream(draw, "any"), ask=TWIN) for draw in range(6)]
            results = {(oracles.exact_vector(each.values), each.move) for each in found}
            assert results <= allowed
            seen[seed, target] = len(results)
    assert max(seen.values()) > 1


def test_the_last_ply_is_foreseen_alike():
    game = load_game("chinese_checkers(seats=3, radius=2)")
    state = game.after(game.new(1), *(game.legal(game.new(1))[:1]))
    target = (game.mover(state) + 1) % 3
    agents = [Offensive(depth=4, target=target, ties=ties, order="shuffled") for ties in ("any", "random")]
    moves = [{agent.decide(game, state, stream(seed)).move for seed in range(60)} for agent in agents]
    assert moves[0] == set(game.legal(state))  # nobody can harm another there
    assert moves[1] < moves[0]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"target": -1}, r"expected a seat as target, got -1 in offensive"),
        ({"target": "x"}, "expected a whole number or none for target, got 'x'"),
        ({"target": 1, "ties": "average"}, "expected ties 'random', 'first' or 'any', got 'average'"),
        ({"target": 3}, "expected a target from 0 to 2, got 3"),
        ({"target": 0}, "seat 0 cannot aim at itself in .*; choose another target"),
    ],
)
def test_an_impossible_target_is_refused(settings, sentence):
    with pytest.raises(BadParameter, match=sentence):
        Offensive(depth=2, **settings).decide(BIKES, BIKES.new(1))


def test_a_seat_that_is_out_is_no_target():
    state = BIKES.new(1)
    BIKES.fall(state, 2)
    state.last = state.alive
    with pytest.raises(BadParameter, match="seat 2 is out of the game and no target in"):
        Offensive(depth=2, target=2).decide(BIKES, state)
