"""What `check` says of dice that do not fall as listed, of uneven deals, and of agents that see too much."""

import numpy as np
import pytest

from kingmaker import below, load_game
from kingmaker.probe.conformance import examine
from kingmaker.probe.fairness import deals_evenly, decisions, nobody_peeks, players, rolls_as_listed
from kingmaker.search import ALGORITHMS
from kingmaker.soundness.fault import Fault
from tests.samples import OWN_GAMES, positions

DEALS, KUHN = (load_game(str(OWN_GAMES / f"{name}.py")) for name in ("deals", "kuhn"))
DUEL = load_game(f"{OWN_GAMES / 'kuhn.py'}(seats=2)")


@pytest.fixture(autouse=True)
def wrapping():
    with np.errstate(over="ignore"):
        yield


def coin():
    """A position before a coin that shows 0 three times out of four."""
    return DEALS.after(DEALS.new(), 5, 0, 0, 0)


def test_a_fair_coin_passes():
    rolls_as_listed(DEALS, [coin()])


def test_a_coin_that_does_not_fall_as_listed_is_found(monkeypatch):
    monkeypatch.setattr(type(DEALS), "roll", lambda game, state, rng: below(rng, 2))
    with pytest.raises(Fault, match=r"roll .*: expected about \{0: 1500, 1: 500\} in 2000 rolls, got \{0: .*; draw by"):
        rolls_as_listed(DEALS, [coin()])


def test_an_outcome_without_probability_must_not_be_rolled(monkeypatch):
    monkeypatch.setattr(type(DEALS), "outcomes", never_one)
    with pytest.raises(Fault, match="expected no outcome without probability, got 1"):
        rolls_as_listed(DEALS, [coin()])


def never_one(game, state, out, odds):
    out[0], out[1], odds[0], odds[1] = 0, 1, 1.0, 0.0
    return 2


def test_even_deals_pass():
    deals_evenly(KUHN, positions(KUHN, 6, seed=2))


def swapped(game, state, seat, rng):
    """The other card, never the true one."""
    state.cards[1 - seat] = 3 - state.cards[0] - state.cards[1]


def lopsided(game, state, seat, rng):
    """The lower of the two cards that the other may have, nine times out of ten."""
    low, high = sorted(card for card in range(3) if card != state.cards[seat])
    state.cards[1 - seat] = low if below(rng, 10) else high


@pytest.mark.parametrize(
    ("redeal", "sentence"),
    [
        (
            swapped,
            r"expected the true position to be one of the worlds of seat \d, but 400 deals gave 1 others; rule out",
        ),
        (lopsided, r"expected each of the 2 worlds of seat \d about 200 times in 400 deals, got \[\d+, \d+\]; gather"),
    ],
)
def test_uneven_deals_are_found(redeal, sentence, monkeypatch):
    states = positions(DUEL, 4, seed=2)
    monkeypatch.setattr(type(DUEL), "redeal", redeal)
    with pytest.raises(Fault, match=sentence):
        deals_evenly(DUEL, states)


def test_every_agent_that_plays_a_hidden_game_is_tried():
    names = {agent.name for agent in players(KUHN)}
    assert names >= {"random", "maxn", "paranoid", "greedy", "mcts", "pimc", "ismcts"}
    assert not names & {"best_reply", "alpha_beta"}
    assert names <= set(ALGORITHMS)


def test_an_agent_that_is_shown_the_truth_is_found(monkeypatch):
    states = positions(KUHN, 6, seed=2)
    nobody_peeks(KUHN, states)
    monkeypatch.setattr("kingmaker.core.agent.world_of", lambda game, state, *_: game.copy(state))
    with pytest.raises(
        Fault, match=r"expected \w+\(.*\) to decide the same in .*, which looks the same to seat \d, got"
    ):
        nobody_peeks(KUHN, states)


def test_positions_are_spread_over_the_sample():
    states = positions(KUHN, 40, seed=1)
    chosen = decisions(KUHN, states)
    assert len(chosen) == 8
    assert chosen[0] is states[0]
    assert chosen[-1] is states[35]


def test_check_tries_the_dice():
    names = [check.name for check in examine(str(OWN_GAMES / "deals.py"), games=5, interpreted=True).checks]
    assert "roll draws the listed outcomes as often as their probabilities say" in names
