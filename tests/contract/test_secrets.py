"""A game with hidden information is refused by everything that would look at it, until a seat's view of it can be made.

Three-seat Kuhn poker is the example: a search would see all cards, and its values would be those of another game.
"""

import json

import pytest

from kingmaker import load_agent, load_game
from kingmaker.adapters import ENGINES
from kingmaker.arena.table.match import play_match
from kingmaker.cli import main
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch
from kingmaker.probe.conformance import examine
from kingmaker.search import ALGORITHMS
from tests.samples import OWN_GAMES

FILE = str(OWN_GAMES / "kuhn.py")
GAME = load_game(FILE)
BLIND = {"random"}  # what looks at the list of legal moves and at nothing else
SETTINGS = {"prom": "(learn=true)", "prob_maxn": "(learn=true)", "offensive": "(target=1)"}
AGENTS = {name: name + SETTINGS.get(name, "") for name in [*ALGORITHMS, *ENGINES]}
SIGHTED = [text for name, text in AGENTS.items() if name not in BLIND]
SENTENCE = (
    r"cannot play kuhn\(\): it has hidden information, and \w+(\.py)? would see "
    r"all of it; use random, or a game without hidden information"
)
ONE_OF_OURS = "cannot play kuhn(): it has hidden information"
OWN = "class Mine:\n    def memory(self, game, seat): return []\n    def decide(self, game, state): return 0\n"


@pytest.mark.parametrize("text", SIGHTED)
def test_every_agent_refuses_secrets_in_each_of_its_methods(text):
    agent, state = load_agent(text), GAME.new(1)
    for compiled in (None, False):
        with pytest.raises(Mismatch, match=SENTENCE if text != "uci" else "only chess"):
            agent.decide(GAME, state, ask=Ask(compiled=compiled))
    for act in (
        lambda: agent.fit(GAME),
        lambda: agent.prepare(GAME),
        lambda: agent.memory(GAME, 0),
        lambda: agent.observe(None, GAME, state, 0, 0),
        lambda: play_match(GAME, [agent, load_agent("random"), load_agent("random")], seed=1),
    ):
        with pytest.raises(Mismatch, match=SENTENCE):
            act()


def test_an_agent_of_one_s_own_is_shown_no_secrets(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    agent = load_agent(f"{tmp_path}/mine.py")
    for act in (
        lambda: agent.decide(GAME, GAME.new(1)),
        lambda: agent.fit(GAME),
        lambda: agent.memory(GAME, 0),
        lambda: agent.observe([], GAME, GAME.new(1), 0, 0),
    ):
        with pytest.raises(
            Mismatch,
            match=r"mine.py cannot play kuhn\(\): it has hidden information, and .*mine.py would see all of it",
        ):
            act()


def test_the_arena_shows_no_secrets_to_an_agent_that_asks_nobody():
    """Whatever its `decide` forgets to ask: it is never called."""

    class Careless(Agent):
        def memory(self, game, seat):
            return None

        def decide(self, game, state, rng=None, memory=None, **asked):
            raise AssertionError(f"was shown {state}")

    with pytest.raises(Mismatch, match=SENTENCE):
        play_match(GAME, [Careless(), load_agent("random"), load_agent("random")], seed=1)


def test_who_looks_at_nothing_may_play():
    blind = {name for name, cls in (ALGORITHMS | ENGINES).items() if not cls.looks}
    assert blind == BLIND
    match = play_match(GAME, [load_agent("random")] * 3, seed=1)
    assert match.finished
    assert sum(match.payoffs) == 0


EXPERIMENT = """
question = "Who wins with all cards open?"
game = "{file}"
[agents]
ahead = "{agent}"
one = "random"
two = "random"
"""


@pytest.mark.parametrize(
    "command",
    [
        ["decide", FILE, "maxn(depth=3)"],
        ["decide", FILE, "maxn(depth=3)", "--interpreted"],
        ["decide", FILE, "greedy"],
        ["match", FILE, "greedy", "random", "random"],
        ["match", FILE, "mp_mix", "offensive", "random"],
        ["tree", FILE, "paranoid(depth=2)"],
        ["bench", FILE, "maxn"],
        ["play", FILE],
        ["run"],
    ],
    ids=" ".join,
)
def test_every_command_refuses_to_search_it_in_one_sentence(command, tmp_path, capsys):
    if command == ["run"]:
        (tmp_path / "x.toml").write_text(EXPERIMENT.format(file=FILE, agent="maxn(depth=3)"))
        command = ["run", str(tmp_path / "x.toml")]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert ONE_OF_OURS in err or "the picture of kuhn shows what your seat must not know" in err


def test_bench_leaves_it_out_with_the_reason(capsys):
    assert main(["bench", FILE]) == 0
    assert ONE_OF_OURS in " ".join(capsys.readouterr().out.split())


def test_check_examines_the_rules_and_says_that_no_search_plays_it(capsys):
    report = examine(FILE, games=30)
    names = [check.name for check in report.checks]
    assert report.passed, report
    assert "no search plays it, for it has hidden information" in names
    assert not any("searches find the same" in name for name in names)
    assert main(["check", FILE, "--games", "30", "--json"]) == 0
    assert "no search plays it, for it has hidden information" in [
        check["name"] for check in json.loads(capsys.readouterr().out)["checks"]
    ]


def test_check_finds_out_a_search_that_does_not_refuse(monkeypatch):
    monkeypatch.setattr(Agent, "refuse_secrets", lambda agent, game: None)
    report = examine(FILE, games=5)
    broken = [check for check in report.checks if not check.passed]
    assert [check.name for check in broken] == ["no search plays it, for it has hidden information"]
    assert "maxn(depth=2) searched it with everything open" in broken[0].detail
