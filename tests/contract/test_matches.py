"""Every search plays whole matches on every seat, as the arena runs them.

A search is compiled on one board, where another test compiles it too, and interpreted on the others, for to compile
every search on every board takes long.
"""

import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import Mismatch
from kingmaker.core.guard import interpret
from kingmaker.search import ALGORITHMS
from tests.contract.test_twins import SHALLOW
from tests.samples import BIKES, BIKES_DUEL, SAMPLERS, UNIFORM


def interpreted(game):
    """The same game, of which everything runs as plain Python."""
    again = load_game(str(game))
    interpret(again)
    return again


DUELLISTS = ("minimax", "alpha_beta", "pvs", "backward_induction")
AT_ONCE = ("decoupled_uct", "regret_matching")
RIDERS = {"maxn", "best_reply", "best_reply_plus", "multi_minimax", "offensive", *AT_ONCE}  # compiled for the bikes
TREE = [text.replace(", target=1", "") for text in SHALLOW]
RIDE = [text.replace("guess(function=1)", "room").replace("max_prob(", "max_prob(estimate=room, ") for text in TREE]
PLAIN_UNIFORM, PLAIN_BIKES, PLAIN_DUEL = (interpreted(game) for game in (UNIFORM, BIKES, BIKES_DUEL))
CASES = [
    (compiled if (text.partition("(")[0] in RIDERS) == (texts is RIDE) else plain, text)
    for compiled, plain, texts in (
        (UNIFORM, PLAIN_UNIFORM, TREE),
        (BIKES, PLAIN_BIKES, RIDE),
        (PLAIN_DUEL, PLAIN_DUEL, RIDE),
    )
    for text in texts
    if texts is TREE or text.partition("(")[0] not in SAMPLERS  # they play out many matches
]


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


def test_every_search_of_three_seats_is_tried_compiled_on_one_board():
    compiled = [text.partition("(")[0] for game, text in CASES if game is UNIFORM or game is BIKES]
    assert sorted(compiled) == sorted(ALGORITHMS)
