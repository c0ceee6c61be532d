"""The page about searches: its file is written as it says, and its commands are run."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.cli import main
from kingmaker.core.ask import Ask
from kingmaker.core.rng import stream
from kingmaker.search.parts.machinery import node
from tests.samples import DICE, OWN_GAMES, STICKS, TWIN

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adding_a_search.md").read_text()
((NAME, TEXT),) = re.findall(r"^```python\n# (\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^kingmaker .*$", PAGE, re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / NAME).write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_has_at_most_thirty_lines():
    assert len(TEXT.strip().splitlines()) <= 30


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(command, folder, capsys):
    assert len(COMMANDS) == 2
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert "3 k playouts" in out or "my_monte_carlo" in out
    assert "≤" not in out


def test_it_finds_the_mean_over_random_play_and_nothing_else(folder):
    """Sticks with four left: the share of random matches that each move wins, counted by hand."""
    game = load_game("sticks(seats=3, sticks=4)")
    agent = load_agent(f"{NAME}(playouts=30000)")
    found = agent.decide(game, game.new())
    assert (found.playouts, found.stopped, found.depth) == (30000, "playouts", 0)
    wanted = {1: win_share(3, 1), 2: win_share(2, 1), 3: win_share(1, 1)}
    for entry in found.moves:
        assert entry.values[0] == pytest.approx(wanted[entry.move], abs=0.02)
    assert found.move == max(wanted, key=wanted.get)


def win_share(left, seat):
    """How often seat 0 takes the last stick if everybody plays at random and `seat` is to move."""
    moves = range(1, min(3, left) + 1)
    return sum((seat == 0) if take == left else win_share(left - take, (seat + 1) % 3) for take in moves) / len(moves)


def test_compiled_and_interpreted_play_the_same_matches_out(folder):
    for game in (STICKS, DICE):
        agent = load_agent(f"{NAME}(playouts=40)")
        machine, twin = (agent.decide(game, game.new(2), stream(7), ask) for ask in (Ask(), TWIN))
        assert (machine.move, machine.values, machine.moves) == (twin.move, twin.values, twin.moves)


def test_budgets_end_it_and_what_was_found_by_then_counts(folder):
    game = load_game("sticks(sticks=15)")
    found = load_agent(f"{NAME}(playouts=none, nodes=300)").decide(game, game.new())
    assert (found.playouts, found.nodes, found.stopped) == (300, 300, "nodes")
    assert found.values is not None
    found = load_agent(f"{NAME}(playouts=none, seconds=0.05)").decide(game, game.new())
    assert found.stopped == "seconds"
    assert found.playouts > 0


def test_whoever_watches_is_told_of_playouts_and_may_stop_it(folder):
    seen = []

    def watch(progress):
        seen.append(progress.playouts)
        return progress.playouts < 600

    found = load_agent(f"{NAME}(playouts=100000)").decide(STICKS, STICKS.new(), ask=Ask(watch=watch))
    assert found.stopped == "asked"
    assert 600 <= found.playouts < 100000
    assert seen == sorted(seen)


def test_secrets_are_refused_unless_one_world_is_wanted(folder):
    game = load_game(str(OWN_GAMES / "tricks.py"))
    with pytest.raises(ValueError, match="would take a random world for the truth"):
        load_agent(NAME).decide(game, game.new())
    assert load_agent(f"{NAME}(playouts=50, one_world=True)").decide(game, game.new()).playouts == 50


def test_the_verbs_of_the_page_are_those_of_the_code():
    verbs = re.findall(r"^\| `(\w+)` \|", PAGE.partition("| function | meaning |")[2], re.MULTILINE)
    assert len(verbs) == 6
    assert all(hasattr(node, verb) for verb in [*verbs, "depth_below"])
    assert np.all([f"`{verb}`" in PAGE for verb in verbs])
