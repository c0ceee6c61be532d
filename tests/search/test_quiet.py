"""Quiescence: a search does not stop in the middle of things."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadGame
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.tree import STAND
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid
from tests.samples import TWIN, trusted


class Loud(Estimate):
    """How many plies were played."""

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = state.ply


class Bell(Game):
    """Nothing but plies; it rings from ply 2 up to `silence`, and while it rings no position is quiet."""

    State = np.dtype([("ply", np.int16)], align=True)
    seats, max_moves = 2, 2
    facts = Facts(low=0.0, high=100.0)
    estimates = (Loud(),)

    def __init__(self, silence=5):
        self.silence = silence

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == 20 else state.ply % 2

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def play(self, state, seat, move):
        state.ply += 1

    def payoff(self, state, out):
        out[:] = 20.0

    def quiet(self, state):
        return state.ply < 2 or state.ply >= self.silence


BELL = trusted(Bell())


@pytest.mark.parametrize(("agent", "compiled"), [(Maxn, True), (Maxn, False), (Paranoid, False)])
def test_a_search_goes_on_until_it_is_quiet(agent, compiled):
    assert agent(depth=1, quiet=9).decide(BELL, BELL.new(), ask=Ask(compiled=compiled)).values == (1.0, 1.0)
    assert agent(depth=3, quiet=9).decide(BELL, BELL.new(), ask=Ask(compiled=compiled)).values == (5.0, 5.0)
    assert agent(depth=6, quiet=9).decide(BELL, BELL.new(), ask=Ask(compiled=compiled)).values == (6.0, 6.0)


def test_it_goes_on_only_so_far():
    assert Maxn(depth=3, quiet=1).decide(BELL, BELL.new(), ask=TWIN).values == (4.0, 4.0)
    assert Maxn(depth=3, quiet=2).decide(BELL, BELL.new(), ask=TWIN).values == (5.0, 5.0)
    assert Maxn(depth=2, quiet=2).decide(BELL, BELL.new(), ask=TWIN).values == (4.0, 4.0)


def test_without_quiet_the_depth_is_the_end():
    assert Maxn(depth=3).decide(BELL, BELL.new(), ask=TWIN).values == (3.0, 3.0)


def test_the_end_of_the_match_is_the_end_of_the_search():
    ringing = trusted(Bell(silence=99))
    assert Maxn(depth=3, quiet=100).decide(ringing, ringing.new(), ask=TWIN).values == (20.0, 20.0)


class Clatter(Bell):
    """Every move is noisy while it rings, and there are as many as a list can hold."""

    def __init__(self, lies=0):
        self.silence, self.lies = 5, lies

    def moves(self, state, seat, out):
        out[0], out[1] = 0, 1
        return 2

    def noisy(self, state, seat, out):
        return self.moves(state, seat, out) + self.lies

    def forced(self, state):
        return False


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        ("maxn(depth=3, quiet=9)", False),
        ("maxn(depth=3, quiet=9, ties=average)", False),
        ("maxn(depth=3, quiet=9, ties=average)", True),
    ],
)
def test_to_play_nothing_has_a_place_beside_as_many_noisy_moves_as_there_can_be(text, compiled):
    game = Clatter()
    found = load_agent(text).decide(game, game.new(), ask=Ask(record=200, compiled=compiled))
    ringing = [row for row in range(len(found.tree)) if len(found.tree.children(row)) == 3]
    assert ringing
    assert all(int(found.tree.nodes[found.tree.children(row)[0]]["move"]) == STAND for row in ringing)
    assert STAND not in found.line
    assert found.values == (5.0, 5.0)


def test_more_noisy_moves_than_there_are_moves_are_a_fault_of_the_game():
    game = Clatter(lies=1)
    with pytest.raises(BadGame, match="a position has 3 moves or outcomes, expected 1 to 2"):
        Maxn(depth=3, quiet=9).decide(game, game.new(), ask=TWIN)
