"""What is independent is the block; whoever counts games is too sure."""

import numpy as np
import pytest

from kingmaker.core.errors import BadParameter
from kingmaker.stats.blocks import MOST, bootstrap, holm, merged, paired, seat_balance
from kingmaker.stats.intervals import wilson
from kingmaker.stats.power import blocks_needed, power_of

GAMES = 6  # a block


def lucky_blocks(rng, blocks, shape=(2.0, 4.0)):
    """Wins in blocks whose games share their luck: each block has a rate of its own, 1/3 on average."""
    return rng.binomial(GAMES, rng.beta(*shape, blocks)).astype(float)


@pytest.mark.parametrize("blocks", [12, 100])
def test_bootstrap_covers_the_truth_in_95_percent_of_experiments(blocks):
    rng = np.random.default_rng(5)
    ends = [bootstrap(lucky_blocks(rng, blocks), np.full(blocks, GAMES), resamples=999) for _ in range(1500)]
    covered = np.mean([low <= 1 / 3 <= high for low, high in ends])
    assert 0.93 <= covered <= 0.97


def test_wilson_over_games_that_share_their_luck_covers_too_little():
    rng = np.random.default_rng(5)
    ends = [wilson(lucky_blocks(rng, 100).sum(), 100 * GAMES) for _ in range(1500)]
    assert np.mean([low <= 1 / 3 <= high for low, high in ends]) < 0.9


def test_very_many_blocks_are_merged_without_loss():
    rng = np.random.default_rng(6)
    scores = lucky_blocks(rng, 5 * MOST + 3)
    sums, sizes = merged(scores, np.full(len(scores), GAMES))
    assert len(sums) == MOST
    assert (sums.sum(), sizes.sum()) == (scores.sum(), GAMES * len(scores))
    low, high = bootstrap(scores, np.full(len(scores), GAMES))
    error = scores.std() / GAMES / np.sqrt(len(scores))
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_blocks_in_which_the_agent_did_not_play_count_for_nothing():
    assert bootstrap([1, 0, 1, 0], [2, 2, 2, 2]) == bootstrap([1, 0, 5, 1, 0], [2, 2, 0, 2, 2])


def test_blocks_that_are_all_alike_give_no_interval_of_width_zero():
    assert bootstrap([1.0] * 10) == pytest.approx(wilson(10, 10), abs=1e-4)
    assert bootstrap([0.5]) == (0.0, 1.0)


def test_the_same_blocks_always_give_the_same_interval():
    scores = lucky_blocks(np.random.default_rng(1), 50)
    assert bootstrap(scores, np.full(50, GAMES)) == bootstrap(scores, np.full(50, GAMES))


def test_a_paired_test_is_wrong_in_5_percent_where_there_is_no_difference():
    rng = np.random.default_rng(3)
    assert 0.035 <= np.mean([paired(rng.normal(0, 1, 20)) < 0.05 for _ in range(2000)]) <= 0.065


def test_equal_differences_are_judged_by_their_signs():
    assert paired([0.5] * 6) == 2 * 0.5**6
    assert paired([0.0] * 6) == 1.0


def test_holm_multiplies_the_smallest_by_the_number_of_tests_and_keeps_the_order():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_seat_balance_sees_an_advantage_and_none():
    assert seat_balance([100, 101, 99], [300, 300, 300]) > 0.5
    assert seat_balance([200, 50, 50], [300, 300, 300]) < 1e-6
    assert seat_balance([0, 0], [5, 5]) == 1.0


def test_the_blocks_that_power_asks_for_find_the_difference_as_often_as_promised():
    need = blocks_needed(0.1, 0.35)
    assert power_of(need, 0.1, 0.35) == pytest.approx(0.8, abs=0.01)
    rng = np.random.default_rng(8)
    found = np.mean([paired(rng.normal(0.1, 0.35, need)) < 0.05 for _ in range(1500)])
    assert 0.77 <= found <= 0.83


def test_no_number_of_blocks_shows_a_difference_of_nothing():
    with pytest.raises(BadParameter, match="no number of blocks shows a difference of 0"):
        blocks_needed(0.0, 0.3)
    assert power_of(1, 0.1, 0.3) == 0.0
