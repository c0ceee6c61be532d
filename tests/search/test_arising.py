"""Positions that can arise are counted once each, no further than to the limit, and large games are refused by it."""

from functools import partial

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import CannotCompile, Mismatch
from kingmaker.search import backward_induction
from kingmaker.search.backward_induction import FEW, BackwardInduction, Solver
from kingmaker.search.parts.machinery import arising
from kingmaker.search.parts.machinery.arising import count_arising
from tests.samples import DICE_DUEL, DUEL, OWN_GAMES, STICKS, TWIN, tree_at, trusted

GOOFSPIEL = trusted(load_game(f"{OWN_GAMES / 'goofspiel.py'}(cards=3)"))
RIDERS = load_game("light_bike(seats=2, width=3, height=3, starts=distinct)")
BOARD = load_game("light_bike(seats=2, width=5, height=5, starts=distinct)")
MANY = 10**6
interpreted = partial(count_arising, compiled=False)


def turned_up():
    state = GOOFSPIEL.new(0)
    GOOFSPIEL.play(state, -1, 2)
    return state


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (GOOFSPIEL, turned_up()),
        (RIDERS, RIDERS.new(1)),
        (DUEL, tree_at(DUEL, 1, 2)),
        (DICE_DUEL, tree_at(DICE_DUEL, 1, 2)),
    ],
    ids=["goofspiel", "riders", "tree", "dice"],
)
def test_as_many_positions_arise_as_are_solved(game, state):
    """Moves at once with dice, moves at once, moves in turn, and with dice; the root is counted but not solved."""
    solved = BackwardInduction().decide(game, state, ask=TWIN).nodes
    assert interpreted(game, state, MANY) == solved + 1
    assert interpreted(game, state, 5) == 5


def test_ways_to_the_same_position_count_once():
    game = load_game("sticks(seats=2, sticks=7)")
    assert interpreted(game, game.new(), MANY) == 1 + 2 * 6 + 1  # sticks left and whose turn it is


def test_machine_code_counts_the_same():
    state = STICKS.new()
    assert count_arising(STICKS, state, MANY) == interpreted(STICKS, state, MANY) > 10


def test_a_large_board_is_refused_before_it_is_solved(monkeypatch):
    asked = []

    def counted(game, root, limit):
        asked.append(limit)
        return interpreted(game, root, limit)

    monkeypatch.setattr(backward_induction, "count_arising", counted)
    solver = Solver(BOARD, BOARD.new(3), 2000, True)
    with (
        np.errstate(over="ignore"),
        pytest.raises(
            Mismatch, match=r"more than 2000 positions .*; use a smaller game, a larger `positions`, or regret"
        ),
    ):
        solver.matrix(BOARD.new(3))
    assert (solver.met, asked) == (FEW, [2002])


def test_without_machine_code_positions_are_solved_up_to_the_limit(monkeypatch):
    monkeypatch.setattr(backward_induction, "count_arising", None)
    with pytest.raises(Mismatch, match="more than 600 positions"):
        BackwardInduction(positions=600).decide(BOARD, BOARD.new(3), ask=Ask(compiled=False))


def test_a_long_match_is_refused_by_its_turns(monkeypatch):
    monkeypatch.setattr(backward_induction, "FEW", MANY)
    game = load_game("chess")
    with pytest.raises(Mismatch, match=r"chess\(\) has more than 100000 positions or 400 turns .*, or alpha_beta"):
        BackwardInduction().decide(game, game.new(), ask=TWIN)


def test_rules_that_cannot_be_compiled_are_not_counted(monkeypatch):
    def cannot(game):
        raise CannotCompile("no")

    monkeypatch.setattr(arising, "vouched", cannot)
    assert count_arising(STICKS, STICKS.new(), MANY) == 0


def test_more_positions_than_fit_are_not_counted(monkeypatch):
    monkeypatch.setattr(arising, "MOST", 4)
    assert interpreted(RIDERS, RIDERS.new(1), MANY) == 4
