"""Matches: played by the rules, reproducible from the seed."""

import pytest

from kingmaker import load_agent
from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter, IllegalMove
from tests.samples import BIKES, DICE, STICKS

RANDOM = load_agent("random")


def test_a_match_follows_from_its_seed():
    for game in (STICKS, BIKES, DICE):
        assert play_match(game, [RANDOM] * 3, 5).turns == play_match(game, [RANDOM] * 3, 5).turns
        assert play_match(game, [RANDOM] * 3, 5).turns != play_match(game, [RANDOM] * 3, 6).turns


def test_everybody_moves_at_once_where_the_game_is_simultaneous():
    match = play_match(BIKES, [RANDOM] * 3, 1)
    assert [seat for seat, _ in match.turns[0]] == [0, 1, 2]
    assert match.finished
    assert sum(match.payoffs) == pytest.approx(1)
    assert all(match.payoffs[seat] == max(match.payoffs) for seat in match.winners)


def test_a_limit_ends_a_match_without_a_result():
    match = play_match(STICKS, [RANDOM] * 3, 1, limit=2)
    assert not match.finished
    assert match.payoffs == (0.0, 0.0, 0.0)
    assert len(match.turns) == 2


class Cheat(Agent):
    """Always takes nine."""

    def choose(self, game, state, rng, ask):
        return Decision(9, None, (), (9,), 0, 0, 0.0, "cheat")


def test_what_cannot_be_is_refused():
    with pytest.raises(BadParameter, match=r"expected 3 agents for sticks\(sticks=9\), got 2"):
        play_match(STICKS, [RANDOM] * 2)
    with pytest.raises(IllegalMove, match="played 9, which is no legal move in sticks"):
        play_match(STICKS, [Cheat(), RANDOM, RANDOM])
