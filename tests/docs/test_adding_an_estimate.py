"""The page about estimates: its files are written as it says, its commands are run, and what it says of them is so."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from kingmaker import Ask, load_agent, load_game
from kingmaker.cli import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adding_an_estimate.md").read_text()
FILES = {name: text for text, name in re.findall(r"^```python\n(# (\S+\.py)\n.*?)^```", PAGE, re.DOTALL | re.MULTILINE)}
COMMANDS = re.findall(r"^kingmaker .*$", PAGE, re.MULTILINE)
INTERPRETED = Ask(compiled=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def positions(game, count, plies):
    """States after some random moves."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        state = game.new()
        for _ in range(plies):
            state = game.after(state, rng.choice(game.legal(state)))
        yield state


def test_the_page_has_its_files_and_all_its_commands():
    assert [*FILES] == ["my_freedom.py", "my_coins.py", "my_bike.py"]
    assert [command.split()[1] for command in COMMANDS] == ["decide", "match", "check", "decide", "decide", "check"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(command, folder, capsys):
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out


def test_the_fault_of_a_broken_promise_is_told_as_the_page_says(folder, capsys):
    wrong = FILES["my_coins.py"].replace("game.left(state) / game.seats", "game.left(state)")
    (folder / "my_coins.py").write_text(wrong)
    assert main(["check", "my_coins.py", "--games", "5", "--interpreted"]) != 0
    told = " ".join(capsys.readouterr().out.split()).replace(f"{folder}/", "")
    block = re.search(r"^```\n(FAULT .*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert " ".join(block[1].split()) in told


def test_a_file_s_estimate_that_breaks_its_promise_is_refused_by_the_first_search(folder):
    wrong = FILES["my_freedom.py"].replace("out[seat] /= total", "out[seat] += total")
    (folder / "my_freedom.py").write_text(wrong)
    game = load_game("light_bike(width=4, height=4)")
    with pytest.raises(ValueError, match=r"freedom\.value .*expected values from 0\.0 to 1\.0"):
        load_agent("maxn(depth=1, estimate=my_freedom.py)").decide(game, game.new())


def test_the_estimate_of_the_coins_is_what_its_docstring_says(folder):
    game = load_game("my_coins.py")
    state, values = game.after(game.new(), 1, 0, 1), np.zeros(3)
    game.estimates[0].value(game, state, values)
    assert tuple(values) == (6 + 32 / 3, 3 + 32 / 3, 4 + 32 / 3)


def test_pruning_by_the_promises_of_the_coins_cuts_and_changes_nothing(folder):
    game = load_game("my_coins.py(seats=2)")
    pruned, whole = load_agent("maxn(depth=6, prune=immediate+shallow)"), load_agent("maxn(depth=6)")
    saved = 0
    for state in positions(game, count=8, plies=1):
        less, more = (agent.decide(game, state, ask=INTERPRETED) for agent in (pruned, whole))
        assert (less.move, less.values) == (more.move, more.values)
        saved += more.nodes - less.nodes
    assert saved > 0


def test_the_intervals_of_the_coins_hold_what_every_match_comes_to(folder):
    game = load_game("my_coins.py")
    purse, low, high = game.estimates[0], np.zeros(3), np.zeros(3)
    for plies in range(1, 9):
        for state in positions(game, count=5, plies=plies):
            purse.interval(game, state, low, high)
            end = state
            while game.mover(end) >= 0:
                end = game.after(end, game.legal(end)[-1])
            assert (low <= game.payoffs(end)).all()
            assert (game.payoffs(end) <= high).all()


def test_max_prob_refuses_the_coins_without_intervals(folder):
    (folder / "my_coins.py").write_text(FILES["my_coins.py"].replace("    has_intervals = True\n", ""))
    game = load_game("my_coins.py")
    with pytest.raises(ValueError, match="max_prob needs intervals"):
        load_agent("max_prob(depth=2)").decide(game, game.new(), ask=INTERPRETED)
