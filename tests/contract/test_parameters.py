"""Every parameter of every game, agent and estimate, given every wrong kind of value: it works, or one sentence says
why not.
"""

import inspect
import math
from itertools import product

import pytest

from kingmaker import load_agent, load_game
from kingmaker.adapters import ENGINES
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.core.notation import build, value_text
from kingmaker.core.parameters import fits, kinds_of
from kingmaker.games import GAMES, PLAYERS
from kingmaker.search import ALGORITHMS

VALUES = [
    *(True, None, 0, 1, -1, 2, 3, 20_000, 2**62, -(2**62), 2**63, 10**30, 10**5000),
    *(0.0, 0.5, 2.0, 2.5, -1.5, 1e300, math.inf, -math.inf, math.nan),
    *("", "banana", "x" * 2000, "\x00", "/", "(", "first", "none", "nowhere.json", "maxn(depth=2)"),
    *([], [1], ["own"], [[1.0]], (), (0.5, 0.5), {}, {"a": 1}, [math.nan], [None], [[[]]], [2**70]),
]
GAME = load_game("sticks(seats=2, sticks=3)")


def things():
    for name, maker in GAMES.items():
        yield "game", name, maker
    for name, maker in {**ALGORITHMS, **ENGINES, **PLAYERS}.items():
        yield "agent", name, maker
    seen = set()
    for name in GAMES:
        if name not in ("explicit_tree", "series"):  # which cannot be made without being told something
            for estimate in load_game(name).estimates:
                if type(estimate) not in seen:
                    seen.add(type(estimate))
                    yield f"estimate of {name}", estimate.name, type(estimate)


THINGS = [
    pytest.param(kind, name, maker, parameter, id=f"{name}.{parameter}")
    for kind, name, maker in things()
    for parameter in inspect.signature(maker).parameters
]


def loaded(kind, text):
    if kind == "game":
        game = load_game(text)
        game.notation(game.new(1))
        return game
    if kind == "agent":
        agent = load_agent(text)
        if agent.name != "uci":
            agent.fit(GAME)
        return agent
    return load_game(kind.removeprefix("estimate of ")).estimate(text)


@pytest.mark.parametrize(("kind", "name", "maker", "parameter"), THINGS)
def test_a_value_works_or_is_refused_by_one_sentence(kind, name, maker, parameter):
    wanted = kinds_of(maker)[parameter]
    for value in VALUES:
        text = f"{name}({parameter}={value_text(value)})"
        sentence = ""
        try:
            loaded(kind, text)
        except KingmakerError as fault:
            sentence = str(fault)
        assert sentence or fits(value, wanted), f"{text} was taken in silence"
        assert "\n" not in sentence
        assert not sentence.endswith(".")


@pytest.mark.parametrize("maker", [*ALGORITHMS.values(), *ENGINES.values()], ids=lambda maker: maker.__name__)
def test_python_callers_of_agents_get_the_same_sentence(maker):
    for parameter, value in product(inspect.signature(maker).parameters, VALUES):
        try:
            maker(**{parameter: value})
        except KingmakerError:
            continue
        assert fits(value, kinds_of(maker)[parameter])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("light_bike(height=2.5)", r"expected a whole number for height, got 2.5 in light_bike\(height=2.5\)"),
        ("sticks(seats=true)", r"expected a whole number for seats, got True in sticks\(seats=true\)"),
        ("explicit_tree(file=3)", r"expected a text for file, got 3 in explicit_tree\(file=3\); put it in quotes"),
        (
            "explicit_tree(tree=[1], seats=0x1" + "0" * 5000 + ")",
            r"cannot read '0x1.*; a whole number has at most 64 bits",
        ),
    ],
)
def test_games_say_which_kind_they_want(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "maxn(depth=20000)",
            r"expected a budget of at most 1000 for depth, got 20000; leave it out for no limit in maxn\(depth=20000\)",
        ),
        (
            "maxn(nodes=99999999999999999999)",
            "cannot read '99999999999999999999' in 'maxn.*'; a whole number has at most 64 bits",
        ),
        ("maxn(estimate=True)", r"expected a text for estimate, got True in maxn\(estimate=True\); put it in quotes"),
        (
            "maxn(depth=2, depth=3)",
            r"expected depth once in 'maxn\(depth=2, depth=3\)', got it again; leave one of them out",
        ),
        ("mp_mix(strict=banana)", r"expected true or false for strict, got 'banana' in mp_mix\(strict=banana\)"),
        ("mp_mix(td=nan)", r"expected a number or tuned for td, got nan in mp_mix\(td=nan\)"),
        ("paranoid(prune=1)", r"expected true or false for prune, got 1 in paranoid\(prune=1\)"),
        (
            "prom(types=[1])",
            r"expected a text or a list of them for types, got \[1\] in prom\(types=\[1\]\); put it in quotes",
        ),
        ("maxn().decide()", r"expected a form like maxn\(param=value\), got 'maxn\(\).decide\(\)'"),
    ],
)
def test_agents_say_which_kind_they_want(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_agent(text)


def test_a_game_made_in_python_is_looked_at_before_it_is_searched():
    tree = GAMES["random_tree"](height=2.5)
    with pytest.raises(BadParameter, match=r"expected a whole number for height, got 2.5 in random_tree\(height=2.5\)"):
        load_agent("maxn(depth=1)").decide(tree, tree.new())


def test_a_whole_number_beyond_machine_words_is_refused_from_python_too():
    with pytest.raises(
        BadParameter,
        match=r"expected a whole number of at most 64 bits for cap, got 1267650600228229401496703205376 in soft_maxn",
    ):
        ALGORITHMS["soft_maxn"](cap=2**100)


class Annotated:
    """Something of one's own with a parameter that says what it takes."""

    def __init__(self, speed: float = 1, *, name: "str | None" = None, anything=None):
        self.speed, self.name, self.anything = speed, name, anything


def test_an_annotation_counts_for_more_than_the_default():
    assert build(Annotated, "a", [], {"speed": 1.5, "name": None, "anything": {}}).speed == 1.5
    with pytest.raises(BadParameter, match="expected a number for speed, got 'fast' in a"):
        build(Annotated, "a", ["fast"], {})
    with pytest.raises(BadParameter, match="expected a text or none for name, got 3 in a; put it in quotes"):
        build(Annotated, "a", [], {"name": 3})


def test_a_long_value_is_cut_in_a_sentence():
    with pytest.raises(BadParameter, match=r"got 'x{199}… in maxn"):
        ALGORITHMS["maxn"](depth="x" * 5000)
