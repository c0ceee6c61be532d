"""Backward induction: small games solved exactly, with mixed strategies where seats move at once."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.rng import stream
from kingmaker.games.light_bike import DOWN, RIGHT
from kingmaker.search.backward_induction import BackwardInduction
from kingmaker.search.minimax import Minimax
from kingmaker.search.parts.opponents.matrix_game import solved
from tests import matrix_oracle
from tests.oracles import OVER
from tests.samples import DICE_DUEL, DUEL, OWN_GAMES, STICKS, TWIN, UNIFORM, positions, tree_at, trusted

PENNIES = trusted(load_game(f"{OWN_GAMES / 'pennies.py'}(heads=0.5)"))
GOOFSPIEL = trusted(load_game(f"{OWN_GAMES / 'goofspiel.py'}(cards=3)"))
CORNERS = {  # two riders in opposite corners
    2: "#1/1# 0,0;1,1 0 0 3",
    3: "#2/3/2# 0,0;2,2 0 0 3",
}


class Covered(type(PENNIES)):
    """Matching pennies with something to hide."""

    def __init__(self):
        super().__init__()
        self.facts = replace(self.facts, hidden=True)

    def redeal(self, state, seat, rng):
        return


def turned_up(game, prize):
    state = game.new(0)
    game.play(state, -1, prize)
    return state


def test_matrix_games_have_the_value_and_strategies_of_the_oracle():
    rng = np.random.default_rng(3)
    mixed = 0
    for _ in range(150):
        matrix = rng.integers(0, 5, (rng.integers(1, 5), rng.integers(1, 5)))
        value, rows, columns = solved(matrix.astype(float))
        wanted, _, _ = matrix_oracle.equilibrium(matrix.tolist())
        assert value == pytest.approx(float(wanted))
        assert rows.sum() == pytest.approx(1)
        assert columns.sum() == pytest.approx(1)
        assert (rows @ matrix).min() >= value - 1e-9  # what the rows secure, whatever the columns do
        assert (matrix @ columns).max() <= value + 1e-9
        mixed += (rows > 1e-9).sum() > 1
    assert mixed > 20


def test_matching_pennies_is_played_by_its_odds():
    """Two heads bring half of what two tails bring: heads in two of three cases, value a third."""
    found = BackwardInduction().decide(PENNIES, PENNIES.new(), stream(1))
    assert found.values == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.notes["strategy"] == pytest.approx({"0": 2 / 3, "1": 1 / 3})
    moves = [BackwardInduction().decide(PENNIES, PENNIES.new(), stream(seed)).move for seed in range(120)]
    assert abs(moves.count(0) - 80) < 31  # six standard deviations


def test_the_second_seat_gets_its_own_strategy():
    state = PENNIES.new()
    state.seat = 1
    found = BackwardInduction().decide(PENNIES, state)
    assert found.values == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.notes["strategy"] == pytest.approx({"0": 2 / 3, "1": 1 / 3})
    assert found.movers == (1,)


@pytest.mark.parametrize("prize", [1, 2, 3])
def test_goofspiel_is_solved_as_by_the_oracle(prize):
    state = turned_up(GOOFSPIEL, prize)
    matrix = matrix_oracle.joint_matrix(GOOFSPIEL, state)
    found = BackwardInduction().decide(GOOFSPIEL, state)
    assert found.values == (pytest.approx(0.5), pytest.approx(0.5))  # the game is symmetric
    assert matrix_oracle.equilibrium(matrix)[0] == Fraction(1, 2)
    assert matrix_oracle.exploitability(matrix, tuple(found.notes["strategy"].values())) == pytest.approx(0, abs=1e-9)


def ends(game, state):
    """How many complete joint plays A wins, B wins and nobody wins: only moves to free cells, and a play stops when a
    rider is stuck or both enter one cell.
    """
    stuck = [game.stuck(state, seat) for seat in (0, 1)]
    if any(stuck):
        return np.array([stuck == [False, True], stuck == [True, False], all(stuck)], int)
    total, out = np.zeros(3, int), np.zeros(4, np.int32)
    lists = [out[: game.moves(state, seat, out)].tolist() for seat in (0, 1)]
    for one in lists[0]:
        for other in lists[1]:
            cells = [
                (state.rows[seat] + DOWN[move], state.columns[seat] + RIGHT[move])
                for seat, move in ((0, one), (1, other))
            ]
            after = matrix_oracle.stepped(game, state, (one, other))
            total += np.array([0, 0, 1]) if cells[0] == cells[1] else ends(game, after)
    return total


@pytest.mark.parametrize(("side", "plays"), [(2, (0, 0, 4)), (3, (4, 4, 12))])
def test_two_riders_in_opposite_corners_have_the_known_plays_and_an_even_match(side, plays):
    game = load_game(f"light_bike(seats=2, width={side}, height={side})")
    state = game.position(CORNERS[side])
    assert tuple(ends(game, state)) == plays
    found = BackwardInduction().decide(game, state)
    assert found.values == (pytest.approx(0.5), pytest.approx(0.5))  # a value of 0 as won less lost
    assert matrix_oracle.equilibrium(matrix_oracle.joint_matrix(game, state))[0] == Fraction(1, 2)
    assert found.stopped == "solved"


def test_moving_at_once_differs_from_moving_in_turn():
    """A search that lets the other see its move finds less than the value."""
    found = BackwardInduction().decide(PENNIES, PENNIES.new())
    assert Minimax(depth=2).decide(PENNIES, PENNIES.new(), ask=TWIN).values[0] < found.values[0] - 0.3


def test_a_random_board_is_solved_as_by_the_oracle():
    game = load_game("light_bike(seats=2, width=3, height=3, starts=distinct)")
    for state in positions(game, count=6, seed=4):
        game.turn_to(state, 0)
        value = matrix_oracle.joint_value(game, state)
        assert BackwardInduction().decide(game, state).values[0] == pytest.approx(float(value))


@pytest.mark.parametrize("game", [DUEL, DICE_DUEL], ids=["still", "dice"])
def test_where_seats_move_in_turn_it_is_minimax(game):
    for seed in range(3):
        state = tree_at(game, seed, 2)
        wanted = Minimax(depth=9).decide(game, state, ask=TWIN)
        found = BackwardInduction().decide(game, state)
        assert found.values == pytest.approx(wanted.values)
        assert found.value_of(wanted.move) == pytest.approx(wanted.values)
        assert game.mover(state) != OVER


def test_bad_input_is_refused():
    with pytest.raises(Mismatch, match=r"backward_induction cannot play .* with 3 seats, only with 2; use paranoid"):
        BackwardInduction().decide(STICKS, STICKS.new())
    two = load_game("random_tree(seats=2)")
    with pytest.raises(Mismatch, match=r"its payoffs have no constant sum; use maxn"):
        BackwardInduction().decide(two, two.new())
    with pytest.raises(
        Mismatch, match=r"more than 10 positions or 400 turns from here on; use a smaller game, a larger"
    ):
        BackwardInduction(positions=10).decide(GOOFSPIEL, turned_up(GOOFSPIEL, 1))
    with pytest.raises(Mismatch, match=r"cannot solve .*, in which a seat does not know its position; use random"):
        BackwardInduction().fit(Covered())
    with pytest.raises(BadParameter, match=r"expected at least 1 position to solve, got 0"):
        BackwardInduction(positions=0)
    with pytest.raises(Mismatch):
        load_agent("backward_induction").fit(UNIFORM)


def test_a_new_deal_cannot_be_solved():
    game = load_game("series(sticks(seats=2, sticks=3), hands=2)")
    with pytest.raises(Mismatch, match=r"cannot list its chance events at .*; use maxn"):
        BackwardInduction().decide(game, game.new())
