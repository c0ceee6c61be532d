"""Random trees."""

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadParameter
from kingmaker.games.random_tree import Guess, RandomTree
from tests import oracles
from tests.samples import BINARY, DICE, SUM, UNIFORM, positions


def leaves(game, seed):
    """The payoffs of all leaves of a tree."""
    frontier = [game.new(seed)]
    with np.errstate(over="ignore"):
        while game.mover(frontier[0]) != -2:
            frontier = [game.after(state, move) for state in frontier for move in game.legal(state)]
        return [game.payoffs(state) for state in frontier]


def test_the_same_path_always_pays_the_same_and_other_paths_other():
    assert leaves(UNIFORM, 4) == leaves(UNIFORM, 4)
    assert leaves(UNIFORM, 4) != leaves(UNIFORM, 5)
    assert len(set(leaves(UNIFORM, 4))) > 200  # of 243, with a million possible vectors


def test_the_order_of_moves_on_the_path_matters():
    game = RandomTree(seats=1, branching=3, height=2)
    assert game.after(game.new(1), 0, 1).path != game.after(game.new(1), 1, 0).path


def test_uniform_payoffs_are_uniform():
    """Chi-square over 10 values with 9 degrees of freedom stays below 35 with a chance of 0.99994."""
    game = RandomTree(seats=2, branching=4, height=5, values=10)
    found = np.array([payoff for seed in range(4) for pair in leaves(game, seed) for payoff in pair]).astype(int)
    counts = np.bincount(found, minlength=10)
    expected = len(found) / 10
    assert ((counts - expected) ** 2 / expected).sum() < 35


def test_constant_sums_are_constant_and_nobody_is_favoured():
    found = np.array([vector for seed in range(4) for vector in leaves(SUM, seed)])
    assert (found.sum(axis=1) == 8).all()
    assert (found >= 0).all()
    assert (np.abs(found.mean(axis=0) - 8 / 3) < 0.5).all()  # standard error about 0.07


def test_binary_payoffs_have_a_winner_and_a_loser():
    found = np.array([vector for seed in range(3) for vector in leaves(BINARY, seed)])
    assert set(found.ravel()) == {0.0, 1.0}
    winners = found.sum(axis=1)
    assert winners.min() == 1
    assert winners.max() == BINARY.seats - 1
    assert len({tuple(vector) for vector in found}) == 2**BINARY.seats - 2


def test_odds_are_probabilities_and_dice_roll_when_told():
    movers = []
    with np.errstate(over="ignore"):
        state = DICE.new(1)
        while DICE.mover(state) != -2:
            movers.append(DICE.mover(state))
            if DICE.mover(state) == -1:
                odds = [each for _, each in DICE.chances(state)]
                assert sum(odds) == pytest.approx(1, abs=1e-12)
                assert min(odds) >= 1 / (1 + 6 * 2)
            state = DICE.after(state, DICE.legal(state)[0])
    assert movers == [0, 1, -1, 2, 0]


def test_the_size_of_the_tree_is_as_ordered():
    game = RandomTree(seats=3, branching=4, height=3)
    assert [oracles.perft(game, game.new(), depth) for depth in range(5)] == [1, 4, 16, 64, 0]


@pytest.mark.parametrize("game", [UNIFORM, SUM, BINARY, DICE], ids=["uniform", "sum", "binary", "dice"])
def test_guesses_stay_within_bounds_and_total(game):
    out = np.zeros(game.seats)
    for state in positions(game, count=60, seed=2):
        for estimate in game.estimates:
            with np.errstate(over="ignore"):
                estimate.value(game, state, out)
            assert ((out >= game.facts.low) & (out <= game.facts.high)).all()
            if estimate.within_total:
                assert out.sum() <= game.facts.total
            if game.facts.constant_sum:
                assert out.sum() == pytest.approx(game.facts.total)


def spread(estimate, count=150):
    """How much a guess varies, and how much two different functions agree."""
    out, found = np.zeros(UNIFORM.seats), []
    for state in positions(UNIFORM, count=count, seed=2):
        with np.errstate(over="ignore"):
            estimate.value(UNIFORM, state, out)
        found.append(out.copy())
    return np.array(found).ravel()


def test_the_error_is_the_weight_of_the_noise():
    pure, noise = spread(Guess(0, error=0.0)), spread(Guess(0, error=1.0))
    mixed = spread(Guess(0, error=0.25))
    assert mixed == pytest.approx(0.75 * pure + 0.25 * noise)


def test_functions_agree_where_there_is_no_noise_and_differ_with_it():
    assert spread(Guess(0, error=0.0)) == pytest.approx(spread(Guess(5, error=0.0)))
    assert (
        abs(np.corrcoef(spread(Guess(0, error=1.0)), spread(Guess(5, error=1.0)))[0, 1]) < 0.25
    )  # five standard errors
    assert np.corrcoef(spread(Guess(0, error=0.25)), spread(Guess(5, error=0.25)))[0, 1] > 0.6


def test_estimates_are_named_and_changed_in_text():
    assert str(UNIFORM.estimate()) == "guess()"
    assert str(UNIFORM.estimate("guess(function=3, error=0.5)")) == "guess(function=3, error=0.5)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("random_tree(branching=0)", r"expected a branching of 1 to 1000, got 0 in random_tree\(branching=0\)"),
        ("random_tree(height=-1)", "expected a height of 0 to 1000, got -1"),
        ("random_tree(kind=odd)", "expected payoffs of the kind uniform, constant_sum, binary, got 'odd'"),
        ("random_tree(values=1)", "expected 2 to 2147483648 different values, got 1"),
        ("random_tree(chance=-2)", "expected a roll of the dice every 1 to 1000 plies, or 0 for never, got -2"),
        ("random_tree(seats=1, kind=binary)", "expected 2 to 16 seats, got 1"),
    ],
)
def test_nonsense_is_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "guess(function=-1)",
            r"expected an evaluation function numbered from 0 to 2147483647, got -1 in guess\(function=-1",
        ),
        ("guess(error=1.5)", "expected an error from 0 to 1, got 1.5"),
        ("guess(error=inf)", "expected an error from 0 to 1, got inf"),
        ("guess(leaves=0)", "expected 1 to 1000 leaves, got 0"),
    ],
)
def test_an_estimate_that_makes_no_sense_is_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        RandomTree().estimate(text)


def test_a_whole_number_does_for_an_error():
    assert RandomTree().estimate("guess(error=1)").within_total


@pytest.mark.parametrize("chance", [0, 2])
def test_leaves_below_a_position_are_those_that_its_moves_reach(chance):
    """With one move everywhere there is one leaf, so a guess without noise is its payoff."""
    game, out = RandomTree(branching=1, height=5, chance=chance), np.zeros(3)
    for seed in range(5):
        (expected,) = leaves(game, seed)
        with np.errstate(over="ignore"):
            Guess(error=0.0, leaves=2, below=True).value(game, game.new(seed), out)
            assert tuple(out) == expected
            Guess(error=0.0, leaves=2).value(game, game.new(seed), out)
            assert tuple(out) != expected
