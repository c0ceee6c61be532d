"""Every search plays whole matches on every seat, as the arena runs them.

With two seats they are interpreted, for to compile every search on one more board takes long.
"""

import pytest

from kingmaker import load_agent
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import Mismatch
from kingmaker.core.guard import interpret
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS
from tests.contract.test_twins import SHALLOW
from tests.samples import BIKES, SAMPLERS, UNIFORM

BIKES_DUEL = LightBike(seats=2, width=4, height=3, starts="distinct")
interpret(BIKES_DUEL)
TREE = [text.replace(", target=1", "") for text in SHALLOW]
RIDE = [text.replace("guess(function=1)", "room").replace("max_prob(", "max_prob(estimate=room, ") for text in TREE]
CASES = [
    (game, text)
    for game, texts in ((UNIFORM, TREE), (BIKES, RIDE), (BIKES_DUEL, RIDE))
    for text in texts
    if game is UNIFORM or text.partition("(")[0] not in SAMPLERS  # to compile them takes long
]
DUELLISTS = ("minimax", "alpha_beta", "pvs", "backward_induction")
AT_ONCE = ("decoupled_uct", "regret_matching")


@pytest.mark.parametrize(("game", "text"), CASES, ids=[f"{game.name}-{game.seats}-{text}" for game, text in CASES])
def test_every_search_plays_to_the_end_on_every_seat_or_is_refused_before(game, text):
    agent, others = load_agent(text), [load_agent("random")] * (game.seats - 1)
    if agent.name in DUELLISTS and game.seats > 2:
        with pytest.raises(Mismatch, match="only with 2; use paranoid or maxn"):
            agent.fit(game)
        return
    if agent.name == "weak_rational":
        with pytest.raises(Mismatch, match="only games of tricks with cards; use greedy"):
            agent.fit(game)
        return
    if agent.name in AT_ONCE and not game.facts.simultaneous:
        with pytest.raises(Mismatch, match="its seats move one after the other; use maxn"):
            agent.fit(game)
        return
    agent.prepare(game)
    for seat in range(game.seats):
        match = play_match(game, [*others[:seat], agent, *others[seat:]], seed=seat)
        assert match.finished
        assert match.efforts[seat].moves > 0


def test_every_search_is_tried():
    assert {text.partition("(")[0] for text in RIDE} == set(ALGORITHMS)
