"""How numbers, lines and sentences look."""

import math

import pytest

from kingmaker import load_game
from kingmaker.cli.parts import amount, duration, number, rate, vector, words_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
        (3.0, "3"),
        (-0.25, "-0.250"),
        (1234567.5, "1234568"),
    ],
)
def test_numbers_are_rounded_sensibly(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (950, "950"), (12345, "12.3 k"), (4_560_000, "4.56 M"), (7.2e9, "7.2 G")]
)
def test_large_amounts_have_three_figures(value, text):
    assert amount(value) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.00123, "1.23 ms"), (1.26, "1.3 s"), (600, "10 min")])
def test_durations_have_the_unit_that_fits(seconds, text):
    assert duration(seconds) == text


def test_what_was_not_measured_is_a_dash():
    assert rate(0, 1.0) == rate(5, 0.0) == vector(None) == "–"


def test_a_line_ends_where_it_can_no_longer_be_played():
    game = load_game("sticks(sticks=4)")
    assert words_of(game, game.new(), [1, 2, 3]) == ["1", "2"]
