"""What a game must have, and what Python callers do with it."""

import re
import warnings
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import kingmaker
from kingmaker import load_agent
from kingmaker.core.agent import Agent
from kingmaker.core.contract import REQUIRED, provides
from kingmaker.core.errors import BadGame, Mismatch
from kingmaker.core.estimate import Estimate, Fair
from kingmaker.core.game import Facts, Game
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from tests.samples import BIKES, DICE, STICKS


class Bare(Game):
    """Nothing but a size."""

    State = np.dtype([("ply", np.int16)])
    seats, max_moves = 2, 2


@pytest.mark.parametrize(
    ("method", "arguments", "sentence"),
    [
        ("start", (None, None), r"Bare lacks the method start\(state, rng\)"),
        ("mover", (None,), r"Bare lacks the method mover\(state\)"),
        ("moves", (None, 0, None), r"Bare lacks the method moves\(state, seat, out\)"),
        ("play", (None, 0, 0), r"Bare lacks the method play\(state, seat, move\)"),
        ("payoff", (None, None), r"Bare lacks the method payoff\(state, out\)"),
        ("turn_to", (None, 0), r"Bare lacks the method turn_to\(state, seat\)"),
        ("step", (None, None), r"Bare lacks the method step\(state, joint\)"),
        ("key", (None,), r"Bare lacks the method key\(state\)"),
    ],
)
def test_a_missing_method_is_named(method, arguments, sentence):
    with pytest.raises(BadGame, match=sentence):
        getattr(Bare(), method)(*arguments)


def test_a_game_is_checked_before_it_is_played():
    with pytest.raises(BadGame, match="Bare lacks the method start"):
        Bare().checked()

    class Sizeless(Sticks):
        max_moves = 0

    with pytest.raises(BadGame, match=r"expected Sizeless.max_moves to be a whole number of at least 1, got 0"):
        Sizeless().checked()

    class Stateless(Game):
        seats, max_moves = 2, 2

    with pytest.raises(BadGame, match="Stateless lacks State, the dtype or class of its positions"):
        Stateless().checked()

    class Hiding(Sticks):
        def __init__(self):
            super().__init__()
            self.legal = 3

    with pytest.raises(BadGame, match=r"Hiding.legal hides the method legal that every game has; choose another name"):
        Hiding().checked()


def test_a_field_whose_name_numpy_needs_is_refused():
    class Named(Sticks):
        State = np.dtype([*Sticks.State.descr, ("data", np.int8)])

    with pytest.raises(
        BadGame, match=r"Named.State has a field 'data', a name that NumPy keeps for itself; choose another name"
    ):
        Named().checked()


def test_wrong_lists_of_moves_are_a_fault_of_the_game():
    class Greedy(Sticks):
        max_moves = 2

    with pytest.raises(BadGame, match=r"Greedy.moves listed more than max_moves = 2 moves"):
        Greedy().legal(Greedy().new())

    class Mute(Sticks):
        def moves(self, state, seat, out):
            out[0] = 1

    with pytest.raises(BadGame, match=r"expected Mute.moves to return how many moves it listed, got None"):
        Mute().legal(Mute().new())


def test_an_estimate_must_say_something():
    with pytest.raises(Mismatch, match=r"Estimate lacks the method value\(game, state, out\)"):
        Estimate().value(None, None, None)
    with pytest.raises(Mismatch, match=r"Estimate lacks the method interval\(game, state, low, high\)"):
        Estimate().interval(None, None, None, None)
    assert not Estimate().enough(None, None, 0)


def test_without_an_estimate_everybody_gets_the_same():
    assert Fair(Facts(total=1.0, low=0.0, high=1.0), 4).share == 0.25
    assert Fair(Facts(low=-1.0, high=3.0), 4).share == 1.0
    assert Fair(Facts(), 4).share == 0.0


def test_python_callers_never_see_words_wrap_around():
    """A user who asks a game for moves, chances, payoffs or an estimate gets no warning; inside the package words are
    meant to wrap.
    """
    with warnings.catch_warnings(), np.errstate(over="warn"):
        warnings.simplefilter("error")
        for seed in range(20):
            for game in (RandomTree(height=2), DICE):
                state = game.new(seed)
                while game.mover(state) != -2:
                    state = game.after(state, game.legal(state)[0])
                assert len(game.payoffs(state)) == game.seats


def test_moves_of_a_seat_out_of_turn_are_listed_where_the_game_allows_it():
    state = BIKES.new(1)
    assert all(BIKES.legal(state, seat) for seat in range(3))


def test_one_seat_acts_at_a_time_and_none_when_it_is_over():
    game = Sticks(3, 2)
    assert game.acting(game.new()) == [0]
    assert game.acting(game.after(game.new(), 2)) == []
    assert game.quiet(game.new())


OPTIONAL = [name for name, member in vars(Game).items() if isinstance(member, FunctionType) and name not in REQUIRED]


def test_a_game_brings_what_its_class_or_one_above_it_defines():
    class Keyed(Sticks):
        def key(self, state):
            return np.uint64(state.left)

    class Louder(Keyed):
        def noisy(self, state, seat, out):
            return 0

    assert [name for name in OPTIONAL if provides(Louder(), name)] == ["noisy", "key", "admits"]
    assert [name for name in OPTIONAL if provides(Sticks(), name)] == ["admits"]
    assert [name for name in OPTIONAL if provides(Bare(), name)] == []
    assert all(provides(BIKES, name) for name in ("active", "continues", "turn_to", "step", "acting", "notation"))
    assert not any(provides(Bare(), name) for name in (*REQUIRED, "notation", "position"))


def test_no_game_is_searched_for_methods_by_their_names():
    """Whether a game brings an optional method is asked through `provides`, which knows the defaults."""
    for file in (Path(kingmaker.__file__).parent).rglob("*.py"):
        found = re.search(rf"hasattr\(\w*game, [\"'](?:{'|'.join(OPTIONAL)})[\"']", file.read_text())
        assert not found, f"{file.name} asks {found[0]}); ask provides(game, …) of core/contract.py"


@pytest.mark.parametrize("method", OPTIONAL)
def test_every_optional_method_says_what_it_means_who_asks_and_what_happens_without_it(method):
    told = " ".join(getattr(Game, method).__doc__.split())
    assert "Asked " in told
    assert "without it" in told or "must have it" in told


def test_what_the_defaults_of_optional_methods_say():
    game, out = Sticks(3, 2), np.zeros(3, np.int32)
    state = game.new()
    assert game.noisy(state, 0, out) == game.moves(state, 0, out) == 2
    assert not game.forced(state)
    assert not game.continues(1, 1)
    assert game.active(state, 2)
    assert Bare().admits(None)


def test_an_agent_must_decide():
    with pytest.raises(NotImplementedError):
        Agent().decide(STICKS, STICKS.new())
    assert load_agent("alpha_beta(depth=2)").name == "alpha_beta"
