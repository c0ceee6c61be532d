"""What is independent is the block; whoever counts games is too sure."""

import numpy as np
import pytest

from kingmaker.core.errors import BadParameter
from kingmaker.stats.blocks import difference, holm, interval, paired, seat_balance
from kingmaker.stats.intervals import wilson
from kingmaker.stats.power import blocks_needed

GAMES = 6  # a block


def lucky_blocks(rng, blocks, shape=(2.0, 4.0)):
    """Wins in blocks whose games share their luck: each block has a rate of its own, 1/3 on average."""
    return rng.binomial(GAMES, rng.beta(*shape, blocks)).astype(float)


@pytest.mark.parametrize("shape", [(2.0, 4.0), (0.3, 0.6), (30.0, 60.0)])
@pytest.mark.parametrize("blocks", [12, 100])
def test_the_interval_covers_the_truth_in_95_percent_of_experiments(blocks, shape):
    rng = np.random.default_rng(5)
    ends = [interval(lucky_blocks(rng, blocks, shape), np.full(blocks, GAMES)) for _ in range(1500)]
    covered = np.mean([low <= 1 / 3 <= high for low, high in ends])
    assert 0.93 <= covered <= 0.975


def test_wilson_over_games_that_share_their_luck_covers_too_little():
    rng = np.random.default_rng(5)
    ends = [wilson(lucky_blocks(rng, 100).sum(), 100 * GAMES) for _ in range(1500)]
    assert np.mean([low <= 1 / 3 <= high for low, high in ends]) < 0.9


def test_blocks_of_one_game_give_the_interval_of_independent_games():
    wins = np.random.default_rng(2).random(2000) < 0.3
    assert interval(wins) == pytest.approx(wilson(wins.sum(), 2000), abs=2e-4)


def test_merging_blocks_keeps_rate_and_width():
    scores = lucky_blocks(np.random.default_rng(6), 8000)
    sizes = np.full(8000, GAMES)
    low, high = interval(scores, sizes)
    error = scores.std() / GAMES / np.sqrt(8000)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.01)
    merged = interval(scores.reshape(-1, 2).sum(axis=1), sizes.reshape(-1, 2).sum(axis=1))
    assert merged == pytest.approx((low, high), abs=5e-4)


def test_blocks_in_which_the_agent_did_not_play_count_for_nothing():
    assert interval([1, 0, 1, 0], [2, 2, 2, 2]) == interval([1, 0, 5, 1, 0], [2, 2, 0, 2, 2])


def test_blocks_that_are_all_alike_give_no_interval_of_width_zero():
    low, high = interval([1.0] * 10)
    assert high == 1.0
    assert 0.6 < low < wilson(10, 10)[0]  # Student's t is wider than the normal
    assert interval([2.0] * 10, [6] * 10)[0] < 0.15
    assert interval([0.5]) == (0.0, 1.0)


def test_a_paired_test_is_wrong_in_5_percent_where_there_is_no_difference():
    rng = np.random.default_rng(3)
    assert 0.035 <= np.mean([paired(rng.normal(0, 1, 20)) < 0.05 for _ in range(2000)]) <= 0.065


def test_equal_differences_are_judged_by_their_signs():
    assert paired([0.5] * 6) == 2 * 0.5**6
    assert paired([0.0] * 6) == 1.0


def test_holm_multiplies_the_smallest_by_the_number_of_tests_and_keeps_the_order():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def lucky_seats(rng, blocks, seats, games, advantage=1.0):
    """Wins of the seats in blocks whose games share their luck."""
    chances = rng.dirichlet([0.5 * advantage, *[0.5] * (seats - 1)], blocks)
    return np.array([rng.multinomial(games, chance) for chance in chances])


@pytest.mark.parametrize(("blocks", "seats", "games"), [(8, 3, 6), (20, 3, 6), (82, 2, 2), (20, 4, 24), (60, 3, 1)])
def test_even_seats_alarm_in_no_more_than_5_percent_of_experiments(blocks, seats, games):
    rng = np.random.default_rng(7)
    alarms = np.mean([seat_balance(lucky_seats(rng, blocks, seats, games)) < 0.05 for _ in range(1500)])
    assert alarms <= 0.065  # 5 % and three times the error of 1500 experiments


def test_a_test_over_games_would_alarm_far_too_often():
    from scipy.stats import chisquare

    rng = np.random.default_rng(7)
    assert np.mean([chisquare(lucky_seats(rng, 20, 3, 6).sum(axis=0)).pvalue < 0.05 for _ in range(500)]) > 0.2


def test_seat_balance_sees_an_advantage_and_none():
    rng = np.random.default_rng(8)
    assert np.mean([seat_balance(lucky_seats(rng, 60, 3, 6, 3.0)) < 0.05 for _ in range(100)]) > 0.9
    assert seat_balance([[1, 1, 1]] * 9) == seat_balance([[0, 0]]) == 1.0
    assert seat_balance([[1, 0, 0]]) > 0.3  # one block tells nothing


def test_the_blocks_that_power_asks_for_find_the_difference_as_often_as_promised():
    need = blocks_needed(0.1, 0.35)
    rng = np.random.default_rng(8)
    found = np.mean([paired(rng.normal(0.1, 0.35, need)) < 0.05 for _ in range(1500)])
    assert 0.77 <= found <= 0.83


def test_no_number_of_blocks_shows_a_difference_of_nothing():
    with pytest.raises(BadParameter, match="no number of blocks shows a difference of 0"):
        blocks_needed(0.0, 0.3)


def test_the_interval_of_a_difference_is_students_and_never_empty():
    low, high = difference([0.1, 0.3, -0.1, 0.2, 0.0])
    assert (low, high) == pytest.approx((0.1 - 2.7764 * 0.158114 / 5**0.5, 0.1 + 2.7764 * 0.158114 / 5**0.5), abs=1e-4)
    assert difference([0.5]) == (-1.0, 1.0)
    low, high = difference([0.0] * 20)
    assert -0.2 < low < 0 < high < 0.2
    assert low == -high


def test_the_interval_of_a_difference_contains_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(3)
    blocks = rng.integers(0, 4, (2000, 30)) / 3 - rng.integers(0, 4, (2000, 30)) / 3
    inside = sum(low <= 0 <= high for low, high in map(difference, blocks))
    assert 0.935 < inside / 2000 < 0.965
