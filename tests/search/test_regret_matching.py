"""Regret matching: mean strategies that come to an equilibrium."""

from types import SimpleNamespace

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.game import Facts
from kingmaker.core.rng import stream
from kingmaker.search.regret_matching import RegretMatching, Regrets
from tests import matrix_oracle
from tests.samples import BIKES, OWN_GAMES, STICKS, TWIN, trusted

PENNIES = trusted(load_game(f"{OWN_GAMES / 'pennies.py'}(heads=0.5)"))
GOOFSPIEL = trusted(load_game(f"{OWN_GAMES / 'goofspiel.py'}(cards=4)"))


def mean_exploitability(game, state, playouts, seeds, ask):
    matrix = matrix_oracle.joint_matrix(game, state)
    agent = RegretMatching(playouts=playouts)
    found = [agent.decide(game, state, stream(seed), ask=ask).notes["strategy"] for seed in range(seeds)]
    return np.mean([matrix_oracle.exploitability(matrix, tuple(strategy.values())) for strategy in found])


def test_exploitability_falls_at_matching_pennies():
    """As one over the root of the playouts: to about a quarter with sixteen times as many."""
    few, many = (mean_exploitability(PENNIES, PENNIES.new(), playouts, 10, TWIN) for playouts in (100, 1600))
    assert 0 < many < 0.5 * few < 0.1


def test_exploitability_falls_at_goofspiel():
    state = GOOFSPIEL.new(0)
    GOOFSPIEL.play(state, -1, 3)
    few, some, many = (mean_exploitability(GOOFSPIEL, state, playouts, 4, Ask()) for playouts in (1000, 10_000, 80_000))
    assert many < some < few
    assert many < 0.04


def work_with(regrets, tries, rewards):
    """A tree of one row and one seat."""
    shape = (1, 1, len(regrets))
    fields = {"regrets": regrets, "tries": tries, "rewards": rewards, "strategies": np.zeros(len(regrets))}
    return SimpleNamespace(**{name: np.array(value, float).reshape(shape) for name, value in fields.items()})


@pytest.mark.parametrize("regrets", [(0.0, 0.0, 0.0), (2.0, -1.0, 1.0), (-1.0, -2.0, 0.5)])
def test_what_is_learned_is_right_on_average(regrets):
    """Over all moves that may be drawn, each regret grows by what its move brings beyond what the strategy brings."""
    policy, truth = Regrets(0.2), np.array([0.1, 0.7, 0.4])
    positive = np.maximum(regrets, 0)
    strategy = positive / positive.sum() if positive.any() else np.full(3, 1 / 3)
    drawn, growth = 0.8 * strategy + 0.2 / 3, np.zeros(3)
    for pick in range(3):
        work = work_with(regrets, (3, 0, 5), (1.0, 0.0, 4.0))
        policy.learn(work, 0, 0, 3, pick, truth[pick])
        growth += drawn[pick] * (work.regrets[0, 0] - regrets)
        assert work.strategies[0, 0] == pytest.approx(strategy)
    assert growth == pytest.approx(truth - strategy @ truth)


def test_moves_are_drawn_by_regret():
    policy, work = Regrets(0.1), work_with((3.0, -5.0, 1.0), (0, 0, 0), (0, 0, 0))
    work.rng = stream(1)
    with np.errstate(over="ignore"):
        counts = np.bincount([policy.choose(work, 0, 0, 3) for _ in range(3000)], minlength=3)
    wanted = 3000 * (0.9 * np.array([0.75, 0, 0.25]) + 0.1 / 3)
    assert np.abs(counts - wanted).max() < 6 * np.sqrt(3000 / 4)


def test_the_tree_is_bounded_and_its_bytes_are_told():
    small, large = (RegretMatching(playouts=300, tree=tree).decide(BIKES, BIKES.new(1), ask=TWIN) for tree in (4, 12))
    assert small.notes["rows"] == 12  # three quarters of sixteen
    assert large.notes["rows"] > 12
    assert 0 < small.bytes < large.bytes
    assert small.playouts == large.playouts == 300
    assert sum(small.notes["strategy"].values()) == pytest.approx(1)


class Boundless(type(PENNIES)):
    """Matching pennies whose payoffs nobody has bounded."""

    def __init__(self):
        super().__init__()
        self.facts = Facts(seats=(2, 2), simultaneous=True)


def test_bad_input_is_refused():
    with pytest.raises(
        Mismatch, match=r"regret_matching cannot play sticks.*: its seats move one after the other; use"
    ):
        RegretMatching(playouts=5).decide(STICKS, STICKS.new())
    game = Boundless()
    with pytest.raises(
        Mismatch, match=r"regret_matching weighs payoffs by their range, .* give them low and high or use"
    ):
        RegretMatching(playouts=5).decide(game, game.new(), ask=TWIN)
    with pytest.raises(
        BadParameter, match=r"expected a share above 0 and up to 1 for exploration, got 0.0 .*; use 0.1"
    ):
        RegretMatching(exploration=0.0)
    with pytest.raises(BadParameter, match=r"expected a tree of 2\*\*4 to 2\*\*20 rows, got tree=21"):
        RegretMatching(tree=21)
    with pytest.raises(BadParameter, match=r"expected a budget of at least 1 for playouts, got 0"):
        load_agent("regret_matching(playouts=0)")
