"""Files of one's own: executed once, executed again after an edit, and never answered from stale code."""

import json
import os
import subprocess
import sys

import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadAgent, BadEstimate, BadGame, KingmakerError, UnknownName
from kingmaker.core.estimate import own_estimate
from tests.samples import OWN_GAMES, STICKS, TWIN

ESTIMATE = """
from kingmaker import Estimate

class Own(Estimate):
    def __init__(self, weight=1.0):
        self.weight = weight

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = self.weight * 0.5
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="mine.py"):
        """The same time of writing whatever was written, as after two edits within one tick of the clock."""
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (1_700_000_000, 1_700_000_000))
        return name

    return written


def values(agent="maxn(depth=1, estimate=mine.py)", **how):
    return load_agent(agent).decide(STICKS, STICKS.new(), ask=Ask(**how)).values


def test_a_file_is_executed_once_and_gives_one_class(write):
    text = (OWN_GAMES / "nim.py").read_text()
    write(text + "\nwith open('executed', 'a') as log:\n    log.write('x')\n")
    one, other = load_game("mine.py(size=2)"), load_game("mine.py:Nim(size=3)")
    assert type(one) is type(other)
    assert (one.size, other.size) == (2, 3)
    with open("executed") as log:
        assert log.read() == "x"


def test_an_edited_file_is_executed_again_even_within_the_same_tick(write):
    for move in (1, 2):
        write(f"class Mine:\n    def decide(self, game, state):\n        return {move}\n")
        assert load_agent("mine.py").decide(STICKS, STICKS.new()).move == move


def test_nothing_is_written_beside_the_file(write, tmp_path):
    write(ESTIMATE)
    assert own_estimate("mine.py").weight == 1.0
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_a_file_that_failed_is_tried_again(write):
    write("x = 1 / 0\n")
    for _ in range(2):
        with pytest.raises(BadAgent, match=r"cannot import 'mine.py': ZeroDivisionError"):
            load_agent("mine.py")
    write("class Mine:\n    def decide(self, game, state): return 3\n")
    assert load_agent("mine.py").decide(STICKS, STICKS.new()).move == 3


def test_folders_may_have_py_in_their_names(write, tmp_path):
    (tmp_path / "my.pythons").mkdir()
    write("class Mine:\n    def decide(self, game, state): return 3\n", "my.pythons/mine.py")
    assert load_agent("my.pythons/mine.py").decide(STICKS, STICKS.new()).move == 3
    with pytest.raises(UnknownName, match=r"unknown agent 'mine.pyx'"):
        load_agent("mine.pyx")


def test_the_home_folder_may_be_meant(write, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write("class Mine:\n    def decide(self, game, state): return 3\n")
    assert str(load_agent("~/mine.py")) == "~/mine.py()"


def test_an_estimate_of_one_s_own_is_compiled_with_the_search(write):
    write(ESTIMATE)
    for compiled in (True, False):
        assert values("maxn(depth=1, estimate=mine.py)", compiled=compiled) == (0.5, 0.5, 0.5)
        assert values("maxn(depth=1, estimate=mine.py(weight=0.5))", compiled=compiled) == (0.25, 0.25, 0.25)
        assert values("maxn(depth=1, estimate='mine.py:Own(weight=0.5)')", compiled=compiled) == (0.25, 0.25, 0.25)
    text = "maxn(depth=1, estimate='mine.py:Own(weight=0.5)')"
    assert str(load_agent(text)) == text


@pytest.mark.parametrize("agent", ["maxn(depth=1, estimate=mine.py)", "mp_mix(depth=1, to=0.0, estimate=mine.py)"])
def test_an_edited_estimate_is_not_answered_from_what_was_kept(write, agent):
    write(ESTIMATE)
    assert values(agent) == (0.5, 0.5, 0.5)
    write(ESTIMATE.replace("0.5", "0.75"))
    assert values(agent) == (0.75, 0.75, 0.75)


def test_opponents_types_may_be_estimates_of_one_s_own(write):
    write(ESTIMATE.replace("self.weight * 0.5", "1.0 if seat == (state.seat + 1) % game.seats else 0.0"))
    for agent in ("prom(depth=2, types=['mine.py', 'maxn:mine.py:Own'], odds=[0.5, 0.5])", "om(depth=2, type=mine.py)"):
        decision = load_agent(agent).decide(STICKS, STICKS.new(), ask=TWIN)
        assert set(decision.notes["posterior"][1]) <= {"mine.py", "maxn:mine.py:Own"}
    with pytest.raises(BadEstimate, match=r"there is no file 'nowhere.py'"):
        load_agent("om(depth=2, type=nowhere.py)").fit(STICKS)


OWN, MADE_WRONG = "maxn(estimate=mine.py)", ESTIMATE.replace("self.weight = weight", "len(weight)")
LOOKS_WRONG = ESTIMATE.replace("self.weight * 0.5", "state.nothing")
WRONG = [
    ("x = 1\n", OWN, BadEstimate, r"there is no class that inherits from kingmaker.Estimate in mine.py"),
    (
        ESTIMATE,
        "maxn(estimate='mine.py:Onw')",
        UnknownName,
        r"unknown estimate class 'Onw' in mine.py; did you mean Own",
    ),
    (
        ESTIMATE,
        "maxn(estimate='mine.py(wait=2)')",
        UnknownName,
        r"unknown parameter 'wait' in mine.py\(wait=2\); did you mean weight",
    ),
    (
        MADE_WRONG,
        OWN,
        BadEstimate,
        r"cannot make mine.py: TypeError: object of type 'float' has no len\(\) in line 6 of mine.py",
    ),
    (LOOKS_WRONG, OWN, KingmakerError, r"mine.py, line 10 `out\[seat\] = state.nothing`"),
]


@pytest.mark.parametrize(("text", "agent", "error", "sentence"), WRONG, ids=[sentence for *_, sentence in WRONG])
def test_what_is_wrong_with_an_estimate_is_told_with_file_and_line(write, text, agent, error, sentence):
    write(text)
    with pytest.raises(error, match=sentence):
        load_agent(agent).decide(STICKS, STICKS.new())


def test_between_two_runs_an_edit_of_the_same_length_counts(write):
    """Another process, another second of the clock or not: byte code and machine code are those of the file as it
    stands.
    """
    found = []
    for number in ("0.25", "0.75"):
        write(ESTIMATE.replace("0.5", number))
        command = [sys.executable, "-m", "kingmaker", "decide", "sticks", "maxn(depth=1, estimate=mine.py)", "--json"]
        found.append(json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["values"])
    assert found == [[0.25] * 3, [0.75] * 3]


def test_a_game_that_fails_while_it_is_made_is_told_with_its_line(write):
    text = (OWN_GAMES / "nim.py").read_text().replace("HEAPS * size", "HEAPS * size / 0", 1)
    assert "size / 0" in text
    write(text)
    with pytest.raises(
        BadGame, match=r"cannot make mine.py: ZeroDivisionError: division by zero in line \d+ of mine.py"
    ):
        load_game("mine.py")
