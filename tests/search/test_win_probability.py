"""Eq. (1): the chance of each seat to end highest, from intervals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker import win_probability
from kingmaker.core.errors import BadParameter, UnknownName
from kingmaker.search.parts.opponents.win_probability import NODES, SEATS, WEIGHTS, chances_to_win
from tests.search import prob_oracles

KNOWN = [
    ([(4, 6), (3, 5), (0, 3)], ("7/8", "1/8", "0")),
    ([(4, 6), (3, 5), (0, 4)], ("7/8", "1/8", "0")),
    ([(0, 1), (0, 1), (0, 1)], ("1/3", "1/3", "1/3")),
    ([(0, 2), (1, 3)], ("1/8", "7/8")),
    ([(0, 2), (1, 3), (2, 4)], ("0", "1/8", "7/8")),
    ([(5, 5), (5, 5), (3, 3)], ("1", "1", "0")),
    ([(4, 4), (3, 5)], ("1/2", "1/2")),
    ([(10, 10), (0, 10)], ("1", "0")),
]


def ends(intervals):
    low, high = zip(*intervals)
    return low, high


def random_intervals(rng, seats, points):
    """Intervals on a coarse grid, so that ends often coincide; without points each is proper."""
    low = rng.integers(-6, 7, seats)
    return low / 4, (low + rng.integers(0 if points else 1, 9, seats)) / 4


def near(found, exact):
    return np.allclose(found, [float(value) for value in exact], rtol=0, atol=1e-13)


@pytest.mark.parametrize(("intervals", "chances"), KNOWN)
def test_the_known_values_come_out(intervals, chances):
    exact = tuple(Fraction(text) for text in chances)
    assert prob_oracles.win_probability(*ends(intervals)) == exact
    assert near(win_probability(*ends(intervals)), exact)
    assert near(win_probability([ends(intervals)[0]] * 2, [ends(intervals)[1]] * 2)[1], exact)


def test_split_divides_the_win_among_equal_points_alone():
    assert tuple(win_probability([5, 5, 3], [5, 5, 3], ties="split")) == (0.5, 0.5, 0.0)
    assert tuple(win_probability([5, 5, 4], [5, 5, 6], ties="split")) == (0.25, 0.25, 0.5)
    assert tuple(win_probability([5, 5, 4], [5, 5, 6])) == (0.5, 0.5, 0.5)


def test_two_seats_with_a_common_high_end_follow_the_closed_form():
    for first, second, top in ((0.5, 0.25, 1.0), (3.0, 3.0, 7.0), (2.0, -1.0, 2.5)):
        expected = (top + first - 2 * second) / (2 * (top - second))
        assert win_probability([first, second], [top, top])[0] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("seats", range(1, SEATS + 1))
def test_chances_equal_exact_fractions_for_any_number_of_seats(seats):
    rng = np.random.default_rng(seats)
    for _ in range(300 // seats if seats < 9 else 8):
        for points in (False, True):
            low, high = random_intervals(rng, seats, points)
            for ties in ("shared", "split"):
                assert near(win_probability(low, high, ties), prob_oracles.win_probability(low, high, ties == "split"))


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6)), min_size=1, max_size=SEATS))
def test_chances_of_proper_intervals_add_up_to_one(intervals):
    low = np.array([start for start, _ in intervals])
    high = low + np.array([width for _, width in intervals])
    chances = win_probability(low, high)
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert (chances >= 0).all()


def test_split_chances_add_up_to_one_with_points_too():
    rng = np.random.default_rng(5)
    for seats in (2, 3, 5, 8):
        low, high = (np.array(each) for each in zip(*(random_intervals(rng, seats, True) for _ in range(200))))
        assert np.allclose(win_probability(low, high, "split").sum(axis=1), 1.0, rtol=0, atol=1e-13)


def test_machine_code_and_the_twin_agree_to_the_last_bit():
    rng = np.random.default_rng(6)
    for seats in (1, 2, 3, 4, 7, 16):
        low = rng.normal(size=(50, seats))
        high = low + rng.exponential(size=(50, seats)) * rng.integers(0, 2, (50, seats))
        for ties in ("shared", "split"):
            machine = win_probability(low, high, ties)
            assert (machine == [win_probability(*row, ties) for row in zip(low, high)]).all()


def test_moving_and_stretching_the_line_changes_nothing():
    low, high = [1.0, 0.0, 2.0, 2.5], [4.0, 3.0, 2.5, 6.0]
    moved = win_probability(np.array(low) * 8 - 32, np.array(high) * 8 - 32)
    assert np.allclose(moved, win_probability(low, high), rtol=0, atol=1e-15)


def test_tiny_intervals_are_no_points():
    tiny = 5e-324
    assert tuple(win_probability([0.0, 0.0], [tiny, tiny])) == (0.5, 0.5)


def test_a_low_end_above_its_high_end_counts_as_the_high_end_inside_a_search():
    out, clamped = np.zeros(3), np.zeros(3)
    chances_to_win(np.array([7.0, 3.0, 0.0]), np.array([5.0, 6.0, 1.0]), 3, False, out)
    chances_to_win(np.array([5.0, 3.0, 0.0]), np.array([5.0, 6.0, 1.0]), 3, False, clamped)
    assert tuple(out) == tuple(clamped)
    assert out[0] == pytest.approx(2 / 3)


def test_the_rules_integrate_every_power_they_are_meant_for():
    for count in range(1, SEATS // 2 + 1):
        nodes, weights = NODES[count - 1, :count], WEIGHTS[count - 1, :count]
        for power in range(2 * count):
            assert (weights * nodes**power).sum() == pytest.approx(1 / (power + 1), abs=1e-15)


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        ([2, 0], [1, 3], r"expected low ends at or below high ends, got \[2.0, 1.0\] for seat 0; swap them"),
        (
            [0, 0],
            [1, 1, 1],
            r"expected low and high of the same shape, \[seats\] or \[many, seats\], got \(2,\) and \(3,\)",
        ),
        (0, 1, r"expected low and high of the same shape"),
        ([0] * 17, [1] * 17, "expected 1 to 16 seats in low and high, got 17"),
        (
            [0, 0],
            [1, np.inf],
            "expected finite ends, got an interval of no finite width; use the bounds of the payoffs",
        ),
        ([0, np.nan], [1, 1], "expected finite ends"),
        (["a", 0], [1, 1], r"expected numbers for low, got \['a', 0\]"),
    ],
)
def test_intervals_that_make_no_sense_are_refused(low, high, sentence):
    with pytest.raises(BadParameter, match=sentence):
        win_probability(low, high)


def test_an_unknown_tie_rule_is_refused():
    with pytest.raises(UnknownName, match="unknown tie rule 'halved' in win_probability; did you mean"):
        win_probability([0, 0], [1, 1], ties="halved")


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_points_that_differ_by_rounding_tie(size):
    points = [0.3 * size, (0.1 + 0.2) * size, 0.0]
    assert win_probability(points, points).tolist() == [1.0, 1.0, 0.0]
    assert win_probability(points, points, "split").tolist() == [0.5, 0.5, 0.0]
    assert win_probability([[*points]], [[*points]], "split").tolist() == [[0.5, 0.5, 0.0]]
    apart = [0.3 * size, 0.3000001 * size, 0.0]
    assert win_probability(apart, apart).tolist() == [0.0, 1.0, 0.0]
