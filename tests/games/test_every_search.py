"""Every search that a board game suits plays matches of it."""

from dataclasses import replace

import pytest

from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import Mismatch
from kingmaker.games.abalone import Abalone
from kingmaker.games.chess import Chess
from kingmaker.games.chinese_checkers import ChineseCheckers
from kingmaker.search import ALGORITHMS
from tests.samples import SAMPLERS

STARTS = {
    Abalone(rounds=4): None,
    Abalone(seats=3, rounds=4): None,
    ChineseCheckers(seats=2, radius=2, rounds=4): None,
    ChineseCheckers(rounds=4): None,
    Chess(): "8/8/4k3/3n4/8/2B1K3/8/8 w - - 90 80",  # ten moves from a draw
}
FOR_TWO = {"minimax", "alpha_beta"}
SAMPLED = {ChineseCheckers: 3}  # the board on which samplers are tried; to compile them on every board takes long


def suitable(game):
    """Every algorithm that takes the game, with a small budget."""
    for name, cls in ALGORITHMS.items():
        if name in SAMPLERS and (SAMPLED.get(type(game)) != game.seats or name == "ismcts"):
            continue
        if name == "pimc":
            yield cls(ALGORITHMS["maxn"](nodes=200))
            continue
        agent = cls(nodes=5000 if name in SAMPLERS else 200) if "nodes" in cls.__dataclass_fields__ else cls()
        try:
            agent.decide(game, game.new())
        except Mismatch:
            continue
        yield agent


def seated(agent, game, seat):
    """The agent on a seat; one that aims at somebody aims at the next."""
    return replace(agent, target=(seat + 1) % game.seats) if hasattr(agent, "target") else agent


@pytest.mark.parametrize(("game", "position"), STARTS.items(), ids=str)
def test_all_suitable_searches_play_matches(game, position):
    agents = list(suitable(game))
    assert {agent.name for agent in agents} >= {"random", "greedy", "maxn", "paranoid"} | (
        FOR_TWO if game.seats == 2 else set()
    )
    for first in range(len(agents)):
        table = [seated(agents[(first + seat) % len(agents)], game, seat) for seat in range(game.seats)]
        match = play_match(game, table, seed=first, state=game.position(position) if position else None)
        assert match.finished
        assert sum(match.payoffs) == pytest.approx(game.facts.total)
