"""Sequential tests against public engine-test logs, and whether one may really look at any time."""

import numpy as np
import pytest

from kingmaker.core.errors import BadParameter
from kingmaker.stats.sequential import NELO, anytime, elo_share, gsprt, moments, share_elo, wald_bounds

PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)
LOGS = [  # counts of pair scores, bounds, logged ratio, the same with bounds taken for logistic Elo
    ((0, 1796, 6397, 2037, 3), (0, 2), 2.94, 5.77),
    ((1, 1367, 4938, 1621, 0), (0.5, 2.5), 2.95, 5.61),
    ((398, 4112, 7672, 4336, 430), (0, 3), 2.96, 3.53),
    ((496, 21664, 48379, 22161, 542), (0, 3), 3.08, -7.25),
]


def test_wald_bounds_at_five_percent_are_2_9444():
    assert wald_bounds() == pytest.approx((-2.9444, 2.9444), abs=5e-5)


@pytest.mark.parametrize(("counts", "bounds", "logged", "logistic"), LOGS)
def test_the_ratio_is_that_of_the_public_logs_and_the_scale_must_be_named(counts, bounds, logged, logistic):
    found = moments(PAIRS, counts)
    assert gsprt(*found, bounds, scale="nelo").llr == pytest.approx(logged, abs=0.01)
    assert gsprt(*found, bounds, scale="elo").llr == pytest.approx(logistic, abs=0.005)
    assert gsprt(*found, (bounds[0] / NELO, bounds[1] / NELO), scale="effect").llr == pytest.approx(logged, abs=0.01)


def test_elo_and_normalised_elo_of_a_public_log():
    mean, variance, blocks = moments(PAIRS, (200, 4860, 10023, 4742, 175))
    half = 1.96 * (variance / blocks) ** 0.5
    assert share_elo(mean) == pytest.approx(-1.46, abs=0.005)
    assert (share_elo(mean + half) - share_elo(mean - half)) / 2 == pytest.approx(1.8, abs=0.05)
    assert (mean - 0.5) / variance**0.5 * NELO == pytest.approx(-2.77, abs=0.005)
    assert 1.96 / blocks**0.5 * NELO == pytest.approx(3.4, abs=0.05)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_parity_is_one_nth_on_every_scale(seats):
    assert elo_share(0, seats) == pytest.approx(1 / seats)
    assert share_elo(elo_share(37.0, seats), seats) == pytest.approx(37.0)
    assert gsprt(1 / seats, 0.02, 500, (-0.01, 0.01), scale="effect", seats=seats).llr == pytest.approx(0)


def test_the_test_at_four_seats_errs_as_rarely_as_it_says():
    rng = np.random.default_rng(4)
    answers = [run_test(rng.binomial(24, 0.25, 4000) / 24) for _ in range(300)]
    assert answers.count("open") == 0
    assert answers.count("alternative") / len(answers) <= 0.08


def run_test(scores):
    for blocks in range(10, len(scores), 5):
        answer = gsprt(*moments(scores[:blocks]), (0.25, 0.27), scale="share", seats=4).answer
        if answer != "open":
            return answer
    return "open"


def test_an_unnamed_scale_is_refused():
    with pytest.raises(BadParameter, match="expected a scale of share, elo, effect, nelo, got 'points'"):
        gsprt(0.5, 0.1, 10, (0, 1), scale="points")


def test_too_few_blocks_leave_the_test_open():
    assert gsprt(1.0, 0.0, 1, (0.5, 0.6), scale="share").answer == "open"
    assert moments([]) == (0.0, 0.0, 0)


def test_an_anytime_interval_holds_the_truth_at_all_times_at_once():
    rng = np.random.default_rng(9)
    missed = 0
    for _ in range(400):
        low, high = anytime(rng.binomial(6, 1 / 3, 500) / 6)
        missed += bool((low > 1 / 3).any() or (high < 1 / 3).any())
    assert missed / 400 <= 0.05
    assert high[-1] - low[-1] < 0.08


def test_looking_at_wilson_all_the_time_misses_far_more_often_than_5_percent():
    from kingmaker.stats.intervals import wilson

    rng = np.random.default_rng(9)
    missed = 0
    for _ in range(100):
        wins = np.cumsum(rng.random(500) < 1 / 3)
        missed += any(not low <= 1 / 3 <= high for low, high in (wilson(int(wins[n - 1]), n) for n in range(10, 500)))
    assert missed / 100 > 0.15


def test_scores_outside_zero_and_one_are_refused():
    with pytest.raises(BadParameter, match="expected block scores from 0 to 1, got 0 to 24"):
        anytime([0, 24])
