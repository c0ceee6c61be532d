"""Matches by compiled rules, and agents that misbehave in them."""

from dataclasses import dataclass

import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import AgentFault, play_match
from kingmaker.arena.table.referee import FEW, listed, referee_of, take
from kingmaker.arena.table.table import Table
from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadGame, BadParameter, IllegalMove, Mismatch
from kingmaker.core.legal_moves import room
from kingmaker.core.turn import put
from kingmaker.games.sticks import Sticks

BIKE = "light_bike(seats=3, width=6, height=6, starts=distinct)"


@dataclass(frozen=True)
class Wrong(Agent):
    """Does what it should not."""

    fault: str = "move"

    def choose(self, game, state, rng, ask):
        if self.fault == "crash":
            raise RuntimeError("the roof is on fire")
        if self.fault == "mismatch":
            raise Mismatch("wrong cannot play this")
        decision = load_agent("random").decide(game, state, rng)
        return type(decision)(
            99,
            *[getattr(decision, name) for name in ("values", "moves", "line", "nodes", "depth", "seconds", "stopped")],
        )


def agents(*texts):
    return [load_agent(text) for text in texts]


@pytest.mark.parametrize("text", ["sticks(sticks=9)", BIKE])
def test_the_same_seed_gives_the_same_match(text):
    game = load_game(text)
    first, second = (play_match(game, agents("random", "maxn(depth=2)", "greedy"), 5) for _ in range(2))
    assert first.turns == second.turns
    assert first.payoffs == second.payoffs
    assert (
        play_match(game, agents("random", "random", "random"), 6).turns
        != play_match(game, agents("random", "random", "random"), 7).turns
    )


@pytest.mark.parametrize("text", ["sticks(sticks=9)", BIKE, "random_tree(seats=3, chance=1)"])
def test_compiled_rules_play_as_the_interpreted_ones(text):
    game, plain = load_game(text), load_game(text)
    referee_of(game).hasten()
    match = play_match(game, agents("random", "random", "random"), 3)
    quick, slow = game.new(3), game.new(3)
    for turn in match.turns:
        referee_of(game).take(quick, turn)
        take(game, slow, turn)
        assert bytes(quick.tobytes()) == bytes(slow.tobytes())
        assert referee_of(game).mover(game, quick) == plain.mover(slow)
        assert game.legal(quick) == plain.legal(slow)


def test_the_rules_are_compiled_after_a_few_turns_and_not_for_one_decision():
    game = load_game("sticks(sticks=130)")
    table = Table(game, agents("random", "random", "random"))
    table.decide(0)
    for turn in range(FEW):
        table.take(((turn % 3, 1),))
    assert table.referee.put is put
    table.take(((FEW % 3, 1),))
    assert table.referee.put is not put


class Crowded(Sticks):
    """Lists one move more than it said."""

    def moves(self, state, seat, out):
        for i in range(self.max_moves + 1):
            out[i] = i
        return self.max_moves + 1


@pytest.mark.parametrize("ready", [False, True])
def test_a_game_that_lists_too_many_moves_is_told_so_by_interpreted_and_compiled_rules(ready):
    game = Crowded()
    if ready:
        game.hasten(lister=listed.compiled.direct(game, game.new(), 0, room(game)))
    with pytest.raises(BadGame, match=r"Crowded.moves listed more than max_moves = 3 moves"):
        game.legal(game.new())


@pytest.mark.parametrize("other", [load_game(BIKE).new(), None])
def test_a_state_of_another_game_is_refused_before_machine_code_reads_it(other):
    game = load_game("sticks(sticks=9)")
    referee_of(game).hasten()
    with pytest.raises(
        Mismatch, match=r"expected a state of sticks\(sticks=9\), got .*; make one with new\(\) or position\(\)"
    ):
        game.legal(other, 0)


def test_values_are_kept_where_they_are_asked_for():
    game = load_game("sticks(sticks=5)")
    kept = play_match(game, agents("maxn(depth=3)", "random", "maxn(depth=3)"), 1, keep_values=True)
    assert len(kept.values) == len(kept.turns)
    assert len(kept.values[0][0]) == 3
    assert kept.values[1] == (None,)
    assert play_match(game, agents("random", "random", "random"), 1).values is None


def test_a_limit_of_turns_leaves_a_match_unfinished():
    match = play_match(load_game("sticks(sticks=50)"), agents("random", "random", "random"), 1, limit=4)
    assert not match.finished
    assert len(match.turns) == 4


def test_too_few_agents_are_refused():
    with pytest.raises(BadParameter, match="expected 3 agents for sticks"):
        play_match(load_game("sticks"), agents("random"), 1)


def test_an_agent_that_crashes_is_named_with_its_seat():
    with pytest.raises(AgentFault, match=r"on seat 1 crashed: RuntimeError: the roof is on fire") as told:
        play_match(load_game("sticks"), [load_agent("random"), Wrong("crash"), load_agent("random")], 1)
    assert told.value.seat == 1


@pytest.mark.parametrize(("fault", "kind"), [("move", IllegalMove), ("mismatch", Mismatch)])
def test_refusals_and_illegal_moves_keep_their_kind_and_know_their_seat(fault, kind):
    with pytest.raises(kind) as told:
        play_match(load_game("sticks"), [Wrong(fault), *agents("random", "random")], 1)
    assert told.value.seat == 0


def test_an_illegal_move_is_told_with_the_position():
    with pytest.raises(IllegalMove, match=r"played 99, which is no legal move in sticks\(\) at left=15"):
        play_match(load_game("sticks"), [Wrong(), *agents("random", "random")], 1)
