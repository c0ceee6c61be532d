"""Text forms of games, agents, estimates and positions, both ways."""

import math

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadGame, BadParameter, BadPosition, KingmakerError, UnknownName
from kingmaker.core.notation import call_text, parse_call, snake
from kingmaker.games.sticks import Sticks
from tests.samples import OWN_GAMES


def test_names_are_words_with_underscores():
    assert [snake(name) for name in ("LightBike", "Maxn", "AlphaBeta", "Risk2Go")] == [
        "light_bike",
        "maxn",
        "alpha_beta",
        "risk2_go",
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("maxn", ("maxn", [], {})),
        ("maxn()", ("maxn", [], {})),
        (" paranoid ( depth = 6 ) ", ("paranoid", [], {"depth": 6})),
        ("mp_mix(td=20, to=inf, nodes=50_000)", ("mp_mix", [], {"td": 20, "to": math.inf, "nodes": 50_000})),
        ("a(x=-inf, y=-2.5, z=true, n=none)", ("a", [], {"x": -math.inf, "y": -2.5, "z": True, "n": None})),
        ("pimc(maxn(depth=8), deals=40)", ("pimc", ["maxn(depth=8)"], {"deals": 40})),
        ("light_bike(starts=distinct)", ("light_bike", [], {"starts": "distinct"})),
        ("light_bike(starts='distinct')", ("light_bike", [], {"starts": "distinct"})),
        ("t(tree=[[1, -2], (3, 4)])", ("t", [], {"tree": [[1, -2], (3, 4)]})),
        ("a/my-game.py:Nim(seats=3)", ("a/my-game.py:Nim", [], {"seats": 3})),
        ("sticks(3, 9)", ("sticks", [3, 9], {})),
    ],
)
def test_a_text_is_taken_apart(text, parts):
    assert parse_call(text) == parts


def test_not_a_number_is_one():
    assert math.isnan(parse_call("a(x=nan)")[2]["x"])


@pytest.mark.parametrize(
    "text",
    ["maxn(depth=4)", "paranoid(nodes=100, prune=False)", "maxn(depth=2, ties='random')", "random()", "greedy()"],
)
def test_an_agent_and_its_text_are_one(text):
    assert str(load_agent(text)) == text
    assert load_agent(str(load_agent(text))) == load_agent(text)


def test_only_what_differs_from_the_default_is_written():
    assert str(Sticks()) == "sticks()"
    assert str(Sticks(3, 9)) == "sticks(sticks=9)"
    assert call_text("a", {"x": 1, "y": "b"}) == "a(x=1, y='b')"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"expected a form like name\(param=value\), got ''"),
        ("two words", r"expected a form like name\(param=value\), got 'two words'"),
        ("maxn(depth=", r"expected a form like name\(param=value\), got 'maxn\(depth='"),
        ("maxn(depth 4)", r"expected a form like maxn\(param=value\), got 'maxn\(depth 4\)'"),
        ("maxn(depth=1)(depth=2)", r"expected a form like maxn\(param=value\), got 'maxn\(depth=1\)\(depth=2\)'"),
        ("maxn(**{'a': 1})", r"expected parameters by name, got"),
        ("maxn(depth=1+2)", r"cannot read '1\+2' in 'maxn\(depth=1\+2\)'; put texts in quotes"),
    ],
)
def test_a_text_that_is_none_is_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_agent(text)


@pytest.mark.parametrize("text", ["maxn(depth=-'a')", "maxn(depth=-x)", "maxn(depth=not 1)", "sticks(sticks=-[1])"])
def test_any_nonsense_is_a_sentence_not_a_crash(text):
    with pytest.raises(KingmakerError):
        (load_game if text.startswith("sticks") else load_agent)(text)


def test_names_nobody_knows_are_answered_with_the_nearest_three():
    with pytest.raises(UnknownName, match=r"unknown game 'stiks'; did you mean sticks, \w+, \w+\?"):
        load_game("stiks")
    with pytest.raises(UnknownName, match=r"unknown agent 'paranoyd'; did you mean paranoid, \w+, \w+\?"):
        load_agent("paranoyd(depth=3)")
    with pytest.raises(
        UnknownName, match=r"unknown parameter 'dept' in maxn\(dept=3\); did you mean depth, \w+, \w+\?"
    ):
        load_agent("maxn(dept=3)")
    with pytest.raises(UnknownName, match=r"unknown estimate 'rom' in light_bike\(\); did you mean room, \w+, \w+\?"):
        load_game("light_bike").estimate("rom")


def test_too_many_or_wrong_parameters_are_refused():
    with pytest.raises(BadParameter, match=r"expected at most 2 parameters, got 3 in sticks\(3, 9, 1\)"):
        load_game("sticks(3, 9, 1)")
    with pytest.raises(BadParameter, match=r"cannot make maxn\(3\): "):
        load_agent("maxn(3)")


def test_an_estimate_is_found_and_changed_by_text():
    game = load_game("random_tree")
    assert game.estimate("guess") is game.estimates[0]
    assert game.estimate("guess(error=1.0)").error == 1.0
    assert load_game("sticks").estimate().share == 1 / 3


def test_an_object_state_needs_no_text_and_cannot_be_read_back():
    class Plain:
        def __init__(self):
            self.left, self.rows = 3, ["a\n", "b"]

    class Spoken(Plain):
        def __repr__(self):
            return f"<{self.left}\nleft>"

    class Silent(Sticks):
        State = Plain

    assert Silent().notation(Plain()) == "left=3 rows=['a\\n', 'b']"
    assert Silent().notation(Spoken()) == "<3 left>"
    with pytest.raises(UnknownName, match="has no text for its positions; give it the methods notation and position"):
        Silent().position("x")


def test_fields_of_many_numbers_are_written_with_commas():
    game = load_game(f"{OWN_GAMES / 'nim.py'}")
    assert game.notation(game.position("heaps=1,0,3 seat=2")) == "heaps=1,0,3 seat=2"
    with pytest.raises(BadPosition, match=r"expected 3 numbers for 'heaps' in a position of nim\(\), got 2"):
        game.position("heaps=1,0 seat=2")
    with pytest.raises(BadPosition, match="'1,0,999' does not fit the field 'heaps'"):
        game.position("heaps=1,0,999 seat=2")


def test_files_that_hold_no_game_are_refused(tmp_path):
    with pytest.raises(BadGame, match=r"there is no file '.*nowhere.py'"):
        load_game(f"{tmp_path}/nowhere.py")
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    with pytest.raises(BadGame, match=r"there is no class that inherits from kingmaker.Game in .*empty.py"):
        load_game(str(empty))
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1\ny = x / 0\n")
    with pytest.raises(BadGame, match=r"cannot import '.*broken.py': ZeroDivisionError: division by zero in line 2"):
        load_game(str(broken))
    broken.write_text("def f(:\n")
    with pytest.raises(BadGame, match=r"cannot import '.*broken.py': SyntaxError: .*line 1"):
        load_game(str(broken))


def test_one_of_several_games_in_a_file_is_named(tmp_path):
    both = tmp_path / "both.py"
    both.write_text((OWN_GAMES / "nim.py").read_text() + "\n\nclass Other(Nim):\n    pass\n")
    assert load_game(f"{both}:Other(size=2)").size == 2
    with pytest.raises(BadGame, match=r"expected one game in .*both.py, found Nim, Other; name one as .*both.py:Nim"):
        load_game(str(both))
    with pytest.raises(UnknownName, match=r"unknown game class 'Othr' in .*both.py; did you mean Other, Nim\?"):
        load_game(f"{both}:Othr")


def test_the_public_names_are_there():
    import kingmaker

    assert all(getattr(kingmaker, name) is not None for name in kingmaker.__all__)
    with pytest.raises(AttributeError, match="kingmaker has no 'maxm'"):
        _ = kingmaker.maxm
    assert np.isfinite(len(kingmaker.__version__))
