"""No machine code reads or writes outside its arrays: guarded until somebody has vouched for the game, and a
certificate that is kept.
"""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import kingmaker
from kingmaker import load_agent
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import BadGame, CannotCompile
from kingmaker.core.guard import interpret, is_guarded
from kingmaker.core.kernel import Constant, kernel
from kingmaker.games.sticks import Sticks
from kingmaker.probe.perft import perft
from kingmaker.soundness import vouching
from kingmaker.soundness.fault import Fault
from kingmaker.soundness.tour import toured
from kingmaker.soundness.trial import Trial
from kingmaker.soundness.vouching import UnsoundWarning, told_to, vouched
from tests import samples
from tests.soundness import games

TRAP = "left=9 seat=0 winner=0 taken=9,0,0"


def trapped(game):
    """The position that TRAP writes down; `position` would try the rules and refuse it."""
    state = game.new()
    state.left, state.taken[0] = 9, 9
    return state


@kernel
def rated(game, state, out):
    """What a search does with a game, in a few lines."""
    seat = game.mover(state)
    out[seat] = 1.0
    game.play(state, seat, game.moves(state, seat, np.zeros(9, np.int32)))


@pytest.mark.parametrize("cls", [games.FarMover, games.LowMover, games.Overcounted, games.OneTooFar])
def test_guarded_machine_code_stops_instead_of_reading_on(cls):
    """A seat below zero would count from the end of an array, which no bound forbids."""
    game = cls(sticks=2 if cls in (games.FarMover, games.LowMover) else 9)
    assert is_guarded((game,))
    with pytest.raises(IndexError):
        rated.compiled(game, game.new(), np.zeros(9))


def test_games_of_the_package_are_not_guarded():
    assert not is_guarded((Sticks(),))


@pytest.mark.parametrize("game", [samples.DICE, samples.BIKES], ids=str)
def test_games_of_the_package_stay_within_their_arrays(game):
    with Trial(game) as trial, np.errstate(over="ignore"):
        toured(trial, game.estimates, seed=1, steps=5000)


class Rule(Constant):
    """A part of a game, with rules of its own."""

    def least(self, state):
        return 0


class Parted(games.Pile):
    def __init__(self, seats=3, sticks=9):
        super().__init__(seats, sticks)
        self.rule = Rule()

    def mover(self, state):
        return state.seat if state.left > self.rule.least(state) else kingmaker.OVER


def test_the_parts_of_a_game_are_vouched_for_with_it():
    game = Parted()
    assert is_guarded((game,))
    vouched(game)
    assert not is_guarded((game,))
    assert is_guarded((game, games.Grasping()))


def test_the_first_use_of_a_sound_game_examines_it_once_and_lets_it_run_at_full_speed(monkeypatch, tmp_path):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path))
    monkeypatch.setattr(vouching, "VERDICTS", {})
    told = []
    with told_to(told.append):
        for _ in range(2):
            game = games.Pile(sticks=8)
            decision = load_agent("maxn(depth=9)").decide(game, game.new())
            assert not is_guarded((game,))
    assert told == ["examining pile(sticks=8) once, for its code is new"]
    assert decision.values == load_agent("maxn(depth=9)").decide(Sticks(sticks=8), Sticks(sticks=8).new()).values


def test_a_game_that_reads_beyond_its_array_is_stopped_before_any_search():
    game = games.OneTooFar()
    with pytest.raises(
        BadGame, match=r"play \(.*games.py, line \d+ .*at left=.*index 3 is out of bounds.*`state.taken\[move\] = 1`"
    ):
        load_agent("maxn(depth=3)").decide(game, game.new())
    with pytest.raises(BadGame, match="index 3 is out of bounds"):
        play_match(games.OneTooFar(), [load_agent("random")] * 3)
    with pytest.raises(BadGame, match="index 3 is out of bounds"):
        perft(games.OneTooFar(), games.OneTooFar().new(), 2)


def test_what_no_interpreted_match_meets_is_found_by_the_tour_of_machine_code():
    game = games.Rare(sticks=60)
    with pytest.raises(
        Fault, match=r"play .*taken=\d+,7,\d+: IndexError: index 3 is out of bounds.*`state.taken\[3\] = 1`"
    ):
        vouched(game)


def test_a_game_with_a_soft_fault_goes_on_guarded_with_one_remark(monkeypatch, tmp_path):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path))
    monkeypatch.setattr(vouching, "VERDICTS", {})
    game = games.Unreadable()
    with pytest.warns(
        UnsoundWarning,
        match=r"expected the state that was written as '\d sticks'.*everything works, slower, until kingmaker check",
    ):
        decision = load_agent("maxn(depth=9)").decide(game, game.new())
    assert decision.values is not None
    assert is_guarded((game,))
    with warnings.catch_warnings(action="error"):
        load_agent("maxn(depth=2)").decide(games.Unreadable(), game.new())


def test_a_fault_in_a_guarded_search_is_told_with_the_position(monkeypatch):
    """From a position that no match gets to, so that only the guards are there to notice."""
    monkeypatch.setattr(vouching, "vouch", lambda *_: None)
    game = games.Trap()
    with pytest.raises(
        Fault,
        match=rf"play .* at {TRAP}: IndexError: index 9 is out of bounds.*`state.taken\[state.taken\[0\]\] \+= 0`",
    ):
        load_agent("maxn(depth=3)").decide(game, trapped(game))
    with pytest.raises(Fault, match=rf"play .* at {TRAP}: IndexError: index 9 is out of bounds"):
        perft(game, trapped(game), 3)
    with pytest.raises(Fault, match=rf"play .* at {TRAP}: IndexError: index 9 is out of bounds"):
        play_match(game, [load_agent("random")] * 3, state=trapped(game))


def test_the_first_question_to_a_game_is_the_examination():
    game = games.HalfMover(sticks=0)
    with pytest.raises(
        Fault, match="expected a seat from 0 to 2, CHANCE or OVER, got None; end every way through it with return"
    ):
        load_agent("maxn(depth=3)").decide(game, game.new())


def test_an_estimate_of_ones_own_is_examined_for_every_game():
    class Fetching(games.Pile):
        estimates = (games.Grasping(),)

    game = Fetching()
    with pytest.raises(Fault, match=r"grasping.value .*expected an entry for every seat"):
        load_agent("maxn(depth=3)").decide(game, game.new())


def test_what_cannot_be_compiled_is_played_interpreted_by_agents_that_do_not_search():
    class Gathering(games.Pile):
        def play(self, state, seat, move):
            super().play(state, seat, move)

    game = Gathering()
    with pytest.raises(CannotCompile):
        load_agent("maxn(depth=2)").decide(game, game.new())
    assert play_match(game, [load_agent("random")] * 3).finished
    interpret(game)
    assert load_agent("maxn(depth=2)").decide(game, game.new()).values is not None


FILE = """
import numpy as np
import kingmaker as km

class Count(km.Game):
    State = np.dtype([("left", np.int16)], align=True)
    max_moves = 2
    seats = 2
    def start(self, state, rng): state.left = 6
    def mover(self, state): return state.left % 2 if state.left > 0 else km.OVER
    def moves(self, state, seat, out):
        out[0], out[1] = 1, 2
        return min(2, state.left)
    def play(self, state, seat, move): state.left -= move
    def payoff(self, state, out):
        out[0], out[1] = 1.0, 2.0
"""
RUN = """
import sys
from kingmaker import load_agent, load_game
from kingmaker.soundness.vouching import told_to
game = load_game(sys.argv[1])
with told_to(print):
    print(load_agent("maxn(depth=9)").decide(game, game.new()).values)
"""


def test_a_certificate_is_kept_with_the_compiled_code_and_an_edit_asks_for_another(tmp_path):
    file, cache = tmp_path / "count.py", tmp_path / "cache"
    file.write_text(FILE)

    def printed():
        home = {"KINGMAKER_CACHE": str(cache), "PYTHONPATH": str(Path(kingmaker.__file__).parents[1])}
        ran = subprocess.run(
            [sys.executable, "-c", RUN, str(file)], env=os.environ | home, capture_output=True, text=True, check=True
        )
        return ran.stdout.splitlines()

    assert printed() == ["examining count() once, for its code is new", "(1.0, 2.0)"]
    assert printed() == ["(1.0, 2.0)"]
    file.write_text(FILE.replace("1.0, 2.0", "1.0, 3.0"))
    assert printed() == ["examining count() once, for its code is new", "(1.0, 3.0)"]


def test_a_measure_that_reads_beyond_its_array_is_found_by_the_tour():
    game = games.Patient(sticks=60)
    with (
        Trial(game) as trial,
        pytest.raises(
            Fault, match=r"reaching.measure .*taken=\d+,8,\d+: IndexError: index 3 is out of bounds.*taken\[3\]"
        ),
    ):
        toured(trial, (games.Reaching(),), seed=1, steps=200_000)
