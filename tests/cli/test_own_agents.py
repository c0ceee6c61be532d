"""An agent or an estimate of one's own wherever an agent is named."""

import json

import pytest

AGENT = """
class Mine:
    def __init__(self, take=2):
        self.take = take

    def decide(self, game, state, rng):
        return min(self.take, len(game.legal(state)))
"""
SEARCH = """
from kingmaker.search.maxn import Maxn

class Mine(Maxn):
    pass
"""
ESTIMATE = """
from kingmaker import Estimate

class Mine(Estimate):
    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 0.125 * seat
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("my_agent.py", AGENT), ("my_search.py", SEARCH), ("my_estimate.py", ESTIMATE)):
        (tmp_path / name).write_text(text)


def test_decide_asks_an_agent_of_one_s_own(run):
    ran = run("decide", "sticks", "my_agent.py(take=3)", "--json")
    assert json.loads(ran.out)["move"] == "3"
    assert json.loads(run("decide", "sticks", "my_agent.py", "--interpreted", "--json").out)["agent"] == "my_agent.py"


def test_an_estimate_of_one_s_own_is_used_and_named(run):
    told = json.loads(run("decide", "sticks", "maxn(depth=1, estimate=my_estimate.py)", "--interpreted", "--json").out)
    assert told["values"] == [0.0, 0.125, 0.25]
    assert told["agent"] == "maxn(depth=1, estimate='my_estimate.py')"


def test_a_person_plays_against_an_agent_of_one_s_own(run):
    ran = run("play", "sticks(seats=2, sticks=5)", "--against", "my_agent.py", typed="hint\n1\n2")
    assert "my_agent.py would play 2" in ran.out
    assert "seat 1, my_agent.py: 2" in ran.out
    assert "you win" in ran.out


def test_the_tree_of_a_search_of_one_s_own_is_written(run):
    told = json.loads(run("tree", "sticks", "my_search.py(depth=2)").out)
    assert told["agent"] == "my_search.py(depth=2)"
    assert len(told["tree"]["children"]) == 3


def test_what_searches_no_tree_is_told_so(refused):
    assert (
        refused("tree", "sticks", "my_agent.py")
        == "my_agent.py searches no tree that could be recorded; use maxn or paranoid"
    )


def test_a_fault_in_the_file_is_one_sentence_with_its_line(refused, tmp_path):
    (tmp_path / "my_agent.py").write_text(AGENT.replace("min(", "undefined("))
    sentence = "my_agent.py() failed in decide: NameError: name 'undefined' is not defined in line 7 of my_agent.py"
    assert refused("decide", "sticks", "my_agent.py") == sentence
    assert refused("match", "sticks", "my_agent.py", "random", "random", "--games", "6") == sentence
    assert refused("decide", "sticks", "nowhere.py") == "there is no file 'nowhere.py'"
