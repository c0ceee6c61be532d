"""Quiescence: a search does not stop in the middle of things."""

import numpy as np
import pytest

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid


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


BELL = Bell()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("agent", [Maxn, Paranoid])
def test_a_search_goes_on_until_it_is_quiet(agent, compiled):
    assert agent(depth=1, quiet=9).decide(BELL, BELL.new(), compiled=compiled).values == (1.0, 1.0)
    assert agent(depth=3, quiet=9).decide(BELL, BELL.new(), compiled=compiled).values == (5.0, 5.0)
    assert agent(depth=6, quiet=9).decide(BELL, BELL.new(), compiled=compiled).values == (6.0, 6.0)


def test_it_goes_on_only_so_far():
    assert Maxn(depth=3, quiet=1).decide(BELL, BELL.new(), compiled=False).values == (4.0, 4.0)
    assert Maxn(depth=3, quiet=2).decide(BELL, BELL.new(), compiled=False).values == (5.0, 5.0)
    assert Maxn(depth=2, quiet=2).decide(BELL, BELL.new(), compiled=False).values == (4.0, 4.0)


def test_without_quiet_the_depth_is_the_end():
    assert Maxn(depth=3).decide(BELL, BELL.new(), compiled=False).values == (3.0, 3.0)


def test_the_end_of_the_match_is_the_end_of_the_search():
    ringing = Bell(silence=99)
    assert Maxn(depth=3, quiet=100).decide(ringing, ringing.new(), compiled=False).values == (20.0, 20.0)
