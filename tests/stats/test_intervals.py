"""The printed Light Bike intervals, the exact interval, and whether nominal 95 % is 95 %."""

import numpy as np
import pytest

from kingmaker.stats.intervals import exact, wilson

PRINTED = [  # wins, games, printed per cent
    (2524, 5000, 49.09, 51.86), (2982, 5000, 58.27, 60.99), (2932, 5000, 57.27, 60.0), (3338, 5000, 65.44, 68.05),
    (2979, 5000, 58.21, 60.93), (3326, 5000, 65.2, 67.81), (3152, 5000, 61.69, 64.37), (3715, 5000, 73.07, 75.49),
    (2793, 5000, 54.48, 57.23), (3254, 5000, 63.75, 66.39), (3229, 5000, 63.24, 65.89), (3663, 5000, 72.02, 74.47),
    (3304, 5000, 64.76, 67.38), (3643, 5000, 71.61, 74.07), (3475, 5000, 68.21, 70.76), (4009, 5000, 79.05, 81.26),
    (1345, 10010, 12.78, 14.12), (1853, 10010, 17.76, 19.28), (1813, 10010, 17.37, 18.88), (2569, 10010, 24.82, 26.53),
    (1975, 10010, 18.96, 20.52), (2495, 10010, 24.09, 25.78), (2220, 10010, 21.37, 23.0), (3667, 10010, 35.69, 37.58),
    (2351, 10010, 22.67, 24.33), (3108, 10010, 30.15, 31.96), (2543, 10010, 24.56, 26.27), (3079, 10010, 29.86, 31.67),
    (2825, 10010, 27.35, 29.11), (4331, 10010, 42.3, 44.24), (1385, 15015, 8.77, 9.70), (2354, 15015, 15.10, 16.27),
    (2010, 15015, 12.85, 13.94), (2257, 15015, 14.47, 15.61), (2508, 15015, 16.12, 17.31), (1745, 15015, 11.12, 12.14),
    (4708, 15015, 30.62, 32.10),
]  # fmt: skip


@pytest.mark.parametrize(("wins", "games", "low", "high"), PRINTED)
def test_wilson_gives_the_published_light_bike_intervals_to_the_last_digit(wins, games, low, high):
    assert [round(100 * end, 2) for end in wilson(wins, games)] == [low, high]


def test_the_sole_winners_of_the_four_seat_table_add_up():
    assert sum((1345, 1853, 1813, 2569, 1975, 2495, 2220, 3667)) == 17_937


def test_nothing_played_means_nothing_known():
    assert wilson(0, 0) == exact(0, 0) == (0.0, 1.0)


def test_the_exact_interval_of_no_success_is_known_in_closed_form():
    low, high = exact(0, 20)
    assert low == 0.0
    assert high == pytest.approx(1 - 0.025 ** (1 / 20))


@pytest.mark.parametrize("truth", [0.1, 1 / 3, 0.5])
def test_wilson_covers_the_truth_in_95_percent_of_independent_games(truth):
    wins = np.random.default_rng(11).binomial(600, truth, 4000)
    covered = np.mean([low <= truth <= high for low, high in (wilson(int(count), 600) for count in wins)])
    assert 0.93 <= covered <= 0.97


def test_the_exact_interval_never_covers_less_than_it_promises():
    wins = np.random.default_rng(12).binomial(40, 0.2, 1000)
    ends = [exact(count, 40) for count in range(41)]
    covered = np.mean([ends[count][0] <= 0.2 <= ends[count][1] for count in wins])
    assert covered >= 0.95
