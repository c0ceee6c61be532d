"""What a browser may ask for: no files, nothing too large, and a sentence for everything else."""

import random
import string

import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import KingmakerError
from kingmaker.web.caps import CAPS, MOST_SECONDS, Known, checked_position, limited, message, sized
from tests.samples import OWN_GAMES

KNOWN = Known()


@pytest.mark.parametrize(
    "text",
    [
        "explicit_tree(file='examples/chance.json')",
        "explicit_tree(file=secret)",
        "explicit_tree(none, secret)",
        "explicit_tree(secret)",
        "series(explicit_tree(none, secret), hands=2)",
        "tests/own_games/nim.py",
        "nim.py",
        "~root",
        "series(nim.py, hands=2)",
        "series('nim.py', hands=2)",
        "__import__('os').system('true')",
        "sticks(sticks=__import__)",
        "risk(map='a 0: b; /etc')",
        "no_such_game",
        "sticks(" + "1" * 3000 + ")",
        "random_tree(branching=1000000)",
        "",
        "(((((",
        "sticks\0",
    ],
)
def test_games_that_are_no_names_with_settings_are_refused(text):
    with pytest.raises(KingmakerError):
        KNOWN.game(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("maxn(estimate=my_estimate.py)", "files are not read here"),
        ("uci(engine='/bin/sh')", "files are not read here"),
        ("uci(engine=sh)", "unknown agent 'uci'"),
        ("my_agent.py", "files are not read here"),
        ("maxn(depth=900)", "expected at most 60 for depth on this page, got 900"),
        ("pimc(maxn(depth=900))", "expected at most 60 for depth on this page"),
        ("paranoid(table=22)", "expected at most 18 for table on this page"),
        ("maxn(threads=8)", "expected at most 1 for threads on this page"),
    ],
)
def test_agents_that_take_too_much_or_name_files_are_refused(text, sentence):
    with pytest.raises(KingmakerError, match=sentence):
        KNOWN.agent(text, load_game("sticks"))


def test_sentences_of_refusals(monkeypatch):
    with pytest.raises(KingmakerError, match="expected at most 2000 letters, got 2001"):
        KNOWN.game("a" * 2001)
    with pytest.raises(KingmakerError, match=r"expected a name with settings like name\(setting=3\), got '/x'"):
        KNOWN.game("/x")
    with pytest.raises(KingmakerError, match="expected a position of at most 2000 letters, got 2001"):
        checked_position("a" * 2001)
    monkeypatch.setitem(sized.__globals__, "MOST_MOVES", 100)
    with pytest.raises(KingmakerError, match="is too large for this page; run it on the command line"):
        KNOWN.game("backgammon")
    with pytest.raises(KingmakerError, match="expected a tree written out as tree="):
        KNOWN.game("explicit_tree(file=secret)")
    with pytest.raises(KingmakerError, match="expected no tree inside another game on this page"):
        KNOWN.game("series(explicit_tree(none, secret), hands=2)")


def test_every_search_gets_a_limit_of_time():
    for text in (
        "maxn(depth=50)",
        "mcts(playouts=1000000)",
        "paranoid(seconds=500)",
        "pimc(maxn(depth=20), deals=100)",
    ):
        agent = limited(load_agent(text), MOST_SECONDS)
        assert agent.seconds <= MOST_SECONDS
        inner = getattr(agent, "agent", None)
        assert inner is None or inner.seconds <= 1
    assert limited(load_agent("maxn"), MOST_SECONDS).seconds == 1.0
    assert limited(load_agent("mcts"), MOST_SECONDS).tree == 18
    assert all(value > 0 for value in CAPS.values())


def test_the_operators_own_game_is_offered_by_its_name():
    known = Known((str(OWN_GAMES / "nim.py"),))
    assert "nim" in known.games
    assert known.game("nim(seats=4)").seats == 4
    with pytest.raises(KingmakerError):
        KNOWN.game("nim(seats=4)")


def test_faults_of_ours_are_sentences_and_others_tell_nothing():
    with pytest.raises(KingmakerError) as caught:
        KNOWN.game("no_such_game")
    assert message(caught.value).startswith("Unknown game 'no_such_game'")
    assert "secret" not in message(RuntimeError("secret"))


def malformed(luck):
    """A text that resembles a valid one, or none at all."""
    valid = luck.choice(
        ["sticks(seats=3, sticks=9)", "person|maxn(depth=2)|random", "0:1;1:2", "left=4 seat=1 winner=0", "paranoid"]
    )
    letters = list(valid)
    for _ in range(luck.randint(1, 6)):
        at = luck.randrange(len(letters) + 1)
        letters[at : at + luck.randint(0, 2)] = luck.choice(string.printable + "€\0\u202e~∞")
    return "".join(letters)


def test_ten_thousand_malformed_inputs_are_each_answered_with_a_sentence():
    from kingmaker.web.play import seated

    luck, refused = random.Random(11), []
    sticks = KNOWN.game("sticks")
    for number in range(10_000):
        text = malformed(luck)
        try:
            if number % 5 == 0:
                KNOWN.game(text)
            elif number % 5 == 1:
                KNOWN.agent(text, sticks)
            elif number % 5 == 2:
                sticks.position(checked_position(text))
            elif number % 5 == 3:
                seated(KNOWN, "sticks", "person|random|random", 1, text)
            else:
                seated(KNOWN, "sticks", text, 1, "")
        except KingmakerError as fault:
            refused.append(str(fault))
    assert len(refused) > 7000
    assert all(refused)
