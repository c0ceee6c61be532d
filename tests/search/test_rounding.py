"""Ties survive rounding: what is equal in exact fractions is equal to a search."""

from dataclasses import replace

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import Facts
from kingmaker.core.rounding import TOLERANCE, Bounded, Unbounded, rounding_for
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.mp_mix import MpMix
from kingmaker.search.parts.opponents.leader import leader_of
from kingmaker.search.parts.opponents.opponent_beliefs import chances_of
from tests import oracles, reply_oracles
from tests.oracles import exact, exact_vector
from tests.samples import TWIN
from tests.search import model_oracles, prob_oracles

DICE = RandomTree(seats=3, branching=3, height=5, values=3, chance=2)
DICE_DUEL = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=3, chance=2)
ROLLED = {"odds": [1 / 6] * 6, "moves": [(0, 1, 0)] * 6}  # six times 1/6 is 0.9999999999999999


def decide(game, text, state=None):
    """Nine plies deep, which is to the end of every tree here."""
    return replace(load_agent(text), depth=9).decide(game, game.new() if state is None else state, ask=TWIN)


def one_row(game):
    return [[1.0]] * game.seats


TWINS = {
    "maxn()": lambda game, state, own: oracles.maxn(game, state, 9),
    "maxn(ties=least_others)": lambda game, state, own: oracles.maxn(game, state, 9, "least_others"),
    "maxn(ties=average)": lambda game, state, own: (
        reply_oracles.maxn_average(game, state, 9, own, game.mover(state)),
        None,
    ),
    "paranoid(prune=false)": lambda game, state, own: oracles.paranoid(game, state, 9),
    "offensive(target=2, ties=first)": lambda game, state, own: reply_oracles.offensive(game, state, 9, 2),
    "prob_maxn(models=[spite])": lambda game, state, own: model_oracles.prob_maxn(
        game, state, 9, own, ["spite"], one_row(game)
    ),
    "prob_maxn(models=[own])": lambda game, state, own: model_oracles.prob_maxn(
        game, state, 9, own, ["own"], one_row(game)
    ),
    "om(type='maxn:own')": lambda game, state, own: model_oracles.prom(
        game, state, 9, own, [("maxn", own)], one_row(game)
    ),
}


@pytest.mark.parametrize("text", TWINS)
def test_trees_with_dice_are_searched_as_by_exact_fractions(text):
    for seed in range(15):
        state = DICE.new(seed)
        found = decide(DICE, text, state)
        values, move = TWINS[text](DICE, state, DICE.estimate())
        assert exact_vector(found.values) == values, seed
        assert found.move == move or move is None, seed


@pytest.mark.parametrize("text", ["alpha_beta()", "paranoid()", "best_reply()", "best_reply_plus()", "multi_minimax()"])
def test_pruning_with_dice_keeps_the_exact_value_and_the_first_of_equal_moves(text):
    twins = {
        "alpha_beta": lambda game, state: oracles.minimax(game, state, 9),
        "paranoid": lambda game, state: oracles.paranoid(game, state, 9),
        "best_reply": lambda game, state: reply_oracles.best_reply(game, state, 9),
        "best_reply_plus": lambda game, state: reply_oracles.best_reply_plus(game, state, 9),
    }
    game = DICE_DUEL if text == "alpha_beta()" else DICE
    for seed in range(12):
        state = game.new(seed)
        found = decide(game, text, state)
        if text == "multi_minimax()":
            values = reply_oracles.multi_minimax(game, state, 9)
            value, move = max(values.values()), max(values, key=values.get)
        else:
            value, move = twins[found_name(text)](game, state)
            value = value[game.mover(state)] if isinstance(value, tuple) else value
        assert (exact(found.values[game.mover(state)]), found.move) == (value, move), seed


def found_name(text):
    return text.partition("(")[0]


def test_soft_maxn_keeps_every_vector_and_max_prob_every_tie():
    for seed in range(15):
        state = DICE.new(seed)
        state.ply = 2
        vectors = [exact_vector(each) for each in decide(DICE, "soft_maxn(cap=4096)", state).notes["vectors"]]
        assert set(vectors) == prob_oracles.soft_set(DICE, state, 9, DICE.estimate())
        assert len(vectors) == len(set(vectors))
        chances = decide(DICE, "max_prob()", state)
        assert exact_vector(chances.values) == prob_oracles.win_chances(DICE, state, 9, DICE.estimate())


@pytest.mark.parametrize(
    "text", ["maxn()", "offensive(target=2, ties=first)", "maxn(ties=least_others)", "soft_maxn()"]
)
def test_a_fair_die_adds_up_to_one(text):
    """The second seat chooses between a certain 1 and a die that always pays 1: a tie."""
    game = ExplicitTree([[ROLLED, (5, 1, 0)]], seats=3)
    assert decide(game, "maxn()").values == (0.0, 1.0, 0.0)
    sure = ExplicitTree([ROLLED, (0, 1, 0)], seats=3)
    found = decide(sure, text)
    assert found.values == (0.0, 1.0, 0.0)
    assert found.move == 0


def test_the_last_of_equal_moves_is_no_bad_one():
    """The first move is worth a hair more than the second by rounding; the third is cut off and must not count as their
    equal.
    """

    class Hair(RandomTree):
        def payoff(self, state, out):
            RandomTree.payoff(self, state, out)
            out[0] += 1e-15 * (int(state.path) % 3)

    game = Hair(seats=3, branching=3, height=4, values=3)
    for seed in range(16):
        state = game.new(seed)
        values = reply_oracles.multi_minimax(game, state, 9)
        best = [move for move, value in values.items() if value == max(values.values())]
        assert decide(game, "multi_minimax(rule=last)", state).move == best[-1]
        assert decide(game, "multi_minimax()", state).move == best[0]
        assert decide(game, "paranoid()", state).move == oracles.paranoid(game, state, 9)[1]


def test_a_leader_by_rounding_is_no_leader():
    rounding = Bounded()
    assert leader_of([0, 1], (0.3, 0.1 + 0.2), 0, None, rounding) == 0
    edge = 0.3 - 0.2  # 0.09999999999999998
    assert MpMix(td=0.1, to=0.1).crosses(edge, 0.1, rounding)
    assert not MpMix(td=0.1, strict=True).crosses(edge, 0.1, rounding)
    assert MpMix(td=0.1, strict=True).crosses(0.2, 0.1, rounding)


def test_learning_rules_no_kind_out_by_the_last_bit():
    likings = np.array([[0.3, 1.0], [0.1 + 0.2, 0.0]])
    assert chances_of(0, [0, 1], likings, Bounded()).tolist() == [0.5, 1.0]
    assert chances_of(1, [0, 1], likings, Bounded()).tolist() == [0.5, 0.0]


class Wild(Estimate):
    within_bounds = False


def test_the_margin_fits_the_size_of_the_payoffs():
    class Sized(ExplicitTree):
        def __init__(self, low, high):
            self.facts = Facts(low=low, high=high)

    assert rounding_for(Sized(-3000.0, 1000.0)).margin(0.0) == 3000 * TOLERANCE
    assert rounding_for(Sized(0.0, 1e-9)).margin(1e-9) == 1e-9 * TOLERANCE
    for rounding in (rounding_for(Sized(0.0, np.inf)), rounding_for(Sized(0.0, 1.0), Wild())):
        assert isinstance(rounding, Unbounded)
        assert (rounding.margin(0.5), rounding.margin(-4e6)) == (TOLERANCE, 4e6 * TOLERANCE)
        assert rounding.reaches(np.inf, np.inf)
        assert not rounding.above(np.inf, np.inf)
    assert rounding_for(Sized(0.0, 0.0)).margin(0.0) == TOLERANCE


def test_values_in_the_thousands_tie_where_no_bounds_are_stated():
    class Points(ExplicitTree):
        def __init__(self, tree):
            super().__init__(tree, seats=2)
            self.facts = Facts(chance=True)

    third = {"odds": [1 / 3] * 3, "moves": [(9e6, 0), (0, 0), (1e6, 0)]}
    swapped = {"odds": [1 / 3] * 3, "moves": [(0, 7), (1e6, 7), (9e6, 7)]}
    assert decide(Points([third, swapped]), "maxn(ties=average)").values == pytest.approx((1e7 / 3, 3.5))
