"""`kingmaker check`."""

import json

import pytest

FAULTY = """
import kingmaker as km

class Pile:
    left = 3

class Own(km.Game):
    State = Pile
    max_moves = 1
    seats = 2
    facts = km.Facts(high=1.0)
    def start(self, state, rng): state.left = 3
    def mover(self, state): return state.left % 2 if state.left else km.OVER
    def moves(self, state, seat, out):
        out[0] = 1
        return 1
    def play(self, state, seat, move): state.left -= 1
    def payoff(self, state, out): out[:] = 2.0
"""


def test_a_sound_game_passes(run):
    ran = run("check", "sticks(sticks=9)", "--games", "5")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("sticks(sticks=9) is sound\n")
    assert "FAULT" not in ran.out


@pytest.mark.parametrize("game", ["abalone(seats=3, rounds=20)", "chinese_checkers(rounds=20)", "chess"])
def test_the_board_games_are_sound(run, game):
    ran = run("check", game, "--games", "3")
    assert ran.code == 0, ran.out


def test_what_estimates_measure_is_examined(run):
    told = run("check", "light_bike(seats=3, width=4, height=4, starts=distinct)", "--games", "5").out
    assert "ok    estimates measure as they value, in their unit\n" in told
    assert "ok    compiled estimates measure the same as interpreted ones\n" in told


def test_json_lists_every_promise(run):
    document = json.loads(run("check", "sticks(sticks=9)", "--games", "5", "--seed", "3", "--json").out)
    assert (document["passed"], document["seed"], document["games"]) == (True, 3, 5)
    assert len(document["checks"]) > 3
    assert all(each["passed"] for each in document["checks"])


def test_a_fault_is_told_and_the_exit_code_is_2(run, tmp_path):
    own = tmp_path / "own.py"
    own.write_text(FAULTY)
    ran = run("check", str(own), "--games", "5")
    assert ran.code == 2
    assert "FAULT" in ran.out
    assert "expected values from -inf to 1.0, got (2.0, 2.0)" in " ".join(ran.out.split())
    document = json.loads(run("check", str(own), "--games", "5", "--json").out)
    assert document["passed"] is False
