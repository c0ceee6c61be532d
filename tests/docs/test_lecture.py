"""The page of the lecture's examples tells what its commands answer."""

import re
import shlex
from pathlib import Path

import pytest

from kingmaker import Ask, load_agent, load_game

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = [  # in the order of the page: the move, the value of the mover, leaves of the full depth
    ("0", 3, 9),
    ("0", 3, 7),
    ("0", 3, 5),
    ("roll", 10, None),
    ("c", 6, None),
    ("a", 5, None),
    ("c", 6, None),
]


def commands():
    text = (ROOT / "docs" / "lecture.md").read_text()
    return [shlex.split(line)[1:] for line in re.findall(r"^\$ (kingmaker decide .+)$", text, re.MULTILINE)]


def test_the_page_has_a_command_for_every_answer():
    assert len(commands()) == len(ANSWERS)


@pytest.mark.parametrize(("command", "answer"), list(zip(commands(), ANSWERS, strict=True)))
def test_every_answer_is_what_the_page_says(command, answer, monkeypatch):
    monkeypatch.chdir(ROOT)
    game, agent = load_game(command[1]), load_agent(command[2])
    state = game.new(0)
    decision = agent.decide(game, state, ask=Ask(record=1000))
    move, value, leaves = answer
    assert game.say(state, 0, decision.move) == move
    assert decision.values[0] == pytest.approx(value)
    if leaves is not None:
        parents = set(decision.tree.nodes["parent"][1:].tolist())
        assert len(decision.tree) - len(parents) == leaves
