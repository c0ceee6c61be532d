"""Decoupled UCT: every seat learns alone."""

from types import SimpleNamespace

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadGame, BadParameter, Mismatch
from kingmaker.core.rng import stream
from kingmaker.search.backward_induction import BackwardInduction
from kingmaker.search.decoupled_uct import DecoupledUct, Ucb1
from tests.samples import BIKES, BIKES_DUEL, OWN_GAMES, TWIN, UNIFORM, positions, trusted

PENNIES = trusted(load_game(str(OWN_GAMES / "pennies.py")))


def work_with(tries, rewards, squares):
    """A tree of one row and one seat."""
    fields = {"tries": tries, "rewards": rewards, "squares": squares}
    made = {name: np.array(value, float).reshape(1, 1, -1) for name, value in fields.items()}
    return SimpleNamespace(**made, rng=stream(1))


def test_the_bounds_are_those_of_the_papers():
    work, log = work_with((4, 6), (1.0, 3.0), (0.5, 2.0)), np.log(10)
    plain, tuned = Ucb1(1.0, False), Ucb1(0.7, True)
    assert plain.bound(work, 0, 0, 0, log) == pytest.approx(0.25 + np.sqrt(2 * np.log(10) / 4))
    spread = min(1 / 4, 2.0 / 6 - 0.5**2 + np.sqrt(2 * np.log(10) / 6))
    assert tuned.bound(work, 0, 0, 1, log) == pytest.approx(0.5 + 0.7 * np.sqrt(np.log(10) / 6 * spread))


def test_moves_that_were_never_tried_come_first_and_then_the_highest_bound():
    with np.errstate(over="ignore"):
        fresh = work_with((9, 0, 9, 0), (9, 0, 9, 0), (9, 0, 9, 0))
        assert {Ucb1(1.0, True).choose(fresh, 0, 0, 4) for _ in range(40)} == {1, 3}
        tried = work_with((50, 50, 1), (10.0, 40.0, 0.0), (10.0, 40.0, 0.0))
        assert Ucb1(0.0, True).choose(tried, 0, 0, 3) == 1
        assert Ucb1(5.0, False).choose(tried, 0, 0, 3) == 2


def test_on_small_boards_it_finds_moves_that_keep_the_value():
    """By how much the chosen move falls short of the exact value, against an opponent that plays perfectly."""
    short = []
    for state in positions(BIKES_DUEL, count=8, seed=2):
        BIKES_DUEL.turn_to(state, 0)
        exact = BackwardInduction().decide(BIKES_DUEL, state)
        found = DecoupledUct(playouts=400).decide(BIKES_DUEL, state, ask=TWIN)
        short.append(exact.values[0] - exact.value_of(found.move)[0])
    assert min(short) >= -1e-9
    assert np.mean(short) < 0.07


def test_the_values_of_all_seats_add_up():
    found = DecoupledUct(playouts=100).decide(BIKES, BIKES.new(2), ask=TWIN)
    assert sum(found.values) == pytest.approx(1.0)
    assert found.playouts == 100
    assert found.stopped == "playouts"
    assert list(found.notes["strategy"].values()).count(1.0) == 1


def test_mixed_it_plays_moves_as_often_as_it_tried_them():
    agent = DecoupledUct(playouts=64, mixed=True)
    found = [agent.decide(PENNIES, PENNIES.new(), stream(seed), ask=TWIN) for seed in range(20)]
    assert all(min(each.notes["strategy"].values()) > 0.2 for each in found)
    assert {each.move for each in found} == {0, 1}


def test_a_budget_of_nodes_is_kept_within_one_playout():
    few = DecoupledUct(nodes=1).decide(BIKES, BIKES.new(2), ask=TWIN)
    assert (few.playouts, few.stopped) == (1, "nodes")
    assert DecoupledUct(nodes=500).decide(BIKES, BIKES.new(2), ask=TWIN).nodes < 500 + 20


class Mute(type(PENNIES)):
    """Matching pennies in which the second seat has no moves."""

    def moves(self, state, seat, out):
        out[0], out[1] = 0, 1
        return 2 if seat == 0 else 0


def test_bad_input_is_refused():
    with pytest.raises(
        Mismatch, match=r"decoupled_uct cannot play random_tree.* one after the other; use maxn, paranoid"
    ):
        DecoupledUct(playouts=5).decide(UNIFORM, UNIFORM.new())
    with pytest.raises(BadParameter, match=r"expected a finite exploration of at least 0, got -1.0"):
        load_agent("decoupled_uct(exploration=-1.0)")
    game = Mute()
    with pytest.raises(BadGame, match="a position has 0 moves or outcomes, expected 1 to 2"):
        DecoupledUct(playouts=5).decide(game, game.new(), ask=TWIN)
