"""Sequential tests against public engine-test logs, and whether one may really look at any time."""

import numpy as np
import pytest
from scipy.special import stdtrit

from kingmaker.arena.experiment.declaration import Stop
from kingmaker.core.errors import BadParameter
from kingmaker.stats.sequential import NELO, anytime, elo_share, gsprt, look_level, wald_bounds, widened

PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)
LOGS = [  # counts of pair scores, bounds, logged ratio, the same with bounds taken for logistic Elo
    ((0, 1796, 6397, 2037, 3), (0, 2), 2.94, 5.77),
    ((1, 1367, 4938, 1621, 0), (0.5, 2.5), 2.95, 5.61),
    ((398, 4112, 7672, 4336, 430), (0, 3), 2.96, 3.53),
    ((496, 21664, 48379, 22161, 542), (0, 3), 3.08, -7.25),
]


def moments(scores, counts=None):
    """Mean, variance and number of block scores, given one by one or as values with their counts."""
    scores = np.asarray(scores, float)
    counts = np.ones(len(scores)) if counts is None else np.asarray(counts, float)
    mean = scores @ counts / counts.sum()
    return mean, (scores - mean) ** 2 @ counts / counts.sum(), int(counts.sum())


def test_wald_bounds_at_five_percent_are_2_9444():
    assert wald_bounds() == pytest.approx((-2.9444, 2.9444), abs=5e-5)


@pytest.mark.parametrize(("counts", "bounds", "logged", "logistic"), LOGS)
def test_the_ratio_is_that_of_the_public_logs_and_the_scale_must_be_named(counts, bounds, logged, logistic):
    found = moments(PAIRS, counts)
    assert gsprt(*found, bounds, scale="nelo").llr == pytest.approx(logged, abs=0.01)
    assert gsprt(*found, bounds, scale="elo").llr == pytest.approx(logistic, abs=0.005)
    assert gsprt(*found, (bounds[0] / NELO, bounds[1] / NELO), scale="effect").llr == pytest.approx(logged, abs=0.01)


def test_normalised_elo_of_a_public_log():
    mean, variance, blocks = moments(PAIRS, (200, 4860, 10023, 4742, 175))
    assert (mean - 0.5) / variance**0.5 * NELO == pytest.approx(-2.77, abs=0.005)
    assert 1.96 / blocks**0.5 * NELO == pytest.approx(3.4, abs=0.05)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_parity_is_one_nth_on_every_scale(seats):
    assert elo_share(0, seats) == pytest.approx(1 / seats)
    assert elo_share(400, seats) == pytest.approx(10 / (9 + seats))
    assert gsprt(1 / seats, 0.02, 500, (-0.01, 0.01), scale="effect", seats=seats).llr == pytest.approx(0)


LEAST = Stop(agent="a", null=0.3, alternative=0.4).least
BLOCKS = [  # null, alternative, games a block, how much a block's games share their luck
    (1 / 3, 0.4, 6, 0.0),
    (1 / 3, 0.4, 6, 0.5),
    (1 / 3, 0.4, 1, 0.0),
    (1 / 3, 0.15, 1, 0.0),
    (0.1, 0.2, 2, 0.0),
]


@pytest.mark.parametrize(("null", "alternative", "games", "luck"), BLOCKS)
def test_the_default_test_errs_as_rarely_as_it_says(null, alternative, games, luck):
    for truth, wrong in ((null, "alternative"), (alternative, "null")):
        answers = decided(null, alternative, truth, games, luck, LEAST)
        assert answers.count("open") <= 0.1 * len(answers)
        assert answers.count(wrong) / len(answers) <= 0.065  # 5 % and three times the error of 1500 tests


def test_with_the_first_twenty_blocks_it_would_err_more_often():
    assert decided(0.1, 0.2, 0.2, 2, 0.0, 20).count("null") / 1500 > 0.065


def decided(null, alternative, truth, games, luck, least):
    """The answers of 1500 tests that are looked at after every block from `least` on, of at most 800."""
    rng = np.random.default_rng(4)
    rates = np.full((1500, 800), truth)
    if luck:
        rates = rng.beta(truth * (1 - luck) / luck, (1 - truth) * (1 - luck) / luck, rates.shape)
    scores = rng.binomial(games, rates) / games
    blocks = np.arange(1, 801)
    means = np.cumsum(scores, axis=1) / blocks
    variances = np.cumsum(scores**2, axis=1) / blocks - means**2
    answers = []
    for mean, variance in zip(means, variances, strict=True):
        found = (
            gsprt(mean[n - 1], variance[n - 1], n, (null, alternative), scale="share", seats=3).answer
            for n in range(least, 801)
        )
        answers.append(next((answer for answer in found if answer != "open"), "open"))
    return answers


def test_an_unnamed_scale_is_refused():
    with pytest.raises(BadParameter, match="expected a scale of share, elo, effect, nelo, got 'points'"):
        gsprt(0.5, 0.1, 10, (0, 1), scale="points")


def test_too_few_blocks_leave_the_test_open():
    assert gsprt(1.0, 0.0, 1, (0.5, 0.6), scale="share").answer == "open"


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


@pytest.mark.parametrize(("games", "chance"), [(4, 0.25), (24, 0.5)])
def test_looks_after_every_block_err_rarely_where_the_usual_interval_errs_often(games, chance):
    runs, most = 500, 300
    scores = np.random.default_rng(5).binomial(games, chance, (runs, most)) / games
    blocks = np.arange(1, most + 1)
    means = scores.cumsum(axis=1) / blocks
    squares = (scores**2).cumsum(axis=1) / blocks - means**2
    errors = np.sqrt(np.maximum(squares, 0.0) / np.maximum(1, blocks - 1))
    levels = np.array([look_level(count, 15) for count in blocks])

    def wrong(level):
        bounds = -stdtrit(blocks[1:] - 1, np.broadcast_to(level, most)[1:] / 2) * errors[:, 1:]
        return ((np.abs(means - chance)[:, 1:] > bounds) & (errors[:, 1:] > 0)).any(axis=1).mean()

    assert wrong(levels) <= 0.05
    assert wrong(0.05) > 0.3


def test_an_interval_for_any_look_is_wider_by_about_two_thirds_and_one_block_has_none():
    assert widened(1, 50) == np.inf
    assert 1.5 < widened(50, 50) < widened(500, 50) < 1.9
    assert widened(5, 50) > 3  # the level is small there, so Student's t is large
