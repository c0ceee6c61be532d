"""Every search that a board game suits plays matches of it.

Matches are played by the interpreted twin, for to compile every search on every board takes minutes. The machine code
of every search is compared with its twin in tests/contract/test_twins.py, here that of those that do something else
where an estimate of a board has foresight.
"""

from dataclasses import replace

import pytest

from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import Mismatch
from kingmaker.core.guard import interpret
from kingmaker.core.rng import stream
from kingmaker.games.abalone import Abalone
from kingmaker.games.chess import Chess
from kingmaker.games.chinese_checkers import ChineseCheckers
from kingmaker.search import ALGORITHMS
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from tests.samples import SAMPLERS, TWIN, same

STARTS = [
    (Abalone, {"rounds": 2}, None),
    (Abalone, {"seats": 3, "rounds": 2}, None),
    (ChineseCheckers, {"seats": 2, "radius": 2, "rounds": 4}, None),
    (ChineseCheckers, {"seats": 3, "radius": 2, "rounds": 4}, None),
    (Chess, {}, "8/8/4k3/3n4/8/2B1K3/8/8 w - - 94 80"),  # six moves from a draw
]
FOR_TWO = {"minimax", "alpha_beta", "pvs"}
FORESEEING = ["max_prob", "maxn", "offensive"]
NODES = 60


def suitable(game):
    """Every algorithm that takes the game, with a small budget; these games are too large to be solved."""
    for name, cls in ALGORITHMS.items():
        if name == "backward_induction":
            continue
        if name == "pimc":
            agent = cls(ALGORITHMS["maxn"](nodes=NODES))
        elif name in SAMPLERS:
            agent = cls(nodes=20 * NODES)
        else:
            agent = cls(nodes=NODES) if "nodes" in cls.__dataclass_fields__ else cls()
        try:
            agent.fit(game)
        except Mismatch:
            continue
        yield agent


def seated(agent, game, seat):
    """The agent on a seat; one that aims at somebody aims at the next."""
    return replace(agent, target=(seat + 1) % game.seats) if hasattr(agent, "target") else agent


@pytest.mark.parametrize(("cls", "parameters", "position"), STARTS)
def test_all_suitable_searches_play_matches(cls, parameters, position):
    game = cls(**parameters)
    interpret(game)
    agents = list(suitable(game))
    assert {agent.name for agent in agents} >= {"random", "greedy", "maxn", "paranoid", "mcts"} | (
        FOR_TWO if game.seats == 2 else set()
    )
    for first in range(0, len(agents), game.seats):
        table = [seated(agents[(first + seat) % len(agents)], game, seat) for seat in range(game.seats)]
        match = play_match(game, table, seed=first, state=game.position(position) if position else None)
        assert match.finished
        assert sum(match.payoffs) == pytest.approx(game.facts.total)


@pytest.mark.parametrize("name", FORESEEING)
def test_machine_code_finds_what_its_twin_finds_on_a_board(name):
    game = ChineseCheckers(seats=3, radius=2, rounds=12)
    agent = seated(next(agent for agent in suitable(game) if agent.name == name), game, 0)
    state = game.after(game.new(), *game.legal(game.new())[:1])
    while game.mover(state) != 0:
        state = game.after(state, game.legal(state)[0])
    twin = agent.decide(game, state, stream(1, "twin"), TWIN)
    assert same(agent.decide(game, state, stream(1, "twin")), twin)


def test_no_other_search_does_something_else_at_the_last_ply():
    assert (
        sorted(
            name
            for name, cls in ALGORITHMS.items()
            if issubclass(cls, DepthFirst) and cls.last_ply is not DepthFirst.last_ply
        )
        == FORESEEING
    )
