"""Estimates are found by name, and each has a unit."""

import math

import pytest

from kingmaker.core.errors import UnknownName
from kingmaker.core.estimate import Estimate, in_units
from kingmaker.search.parts.opponents.leader import standing
from tests.samples import BIKES, STICKS, SUM, UNIFORM


def test_a_game_without_estimates_says_so():
    with pytest.raises(UnknownName, match=r"sticks\(.*\) has no estimates, so none called 'territory'; leave it out"):
        STICKS.estimate("territory")


def test_an_estimate_nobody_knows_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown estimate 'teritory' in light_bike.*; did you mean territory"):
        BIKES.estimate("teritory")


class Plain(Estimate):
    """An estimate of one's own that says nothing of its unit."""

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 10.0 * seat


class Wild(Plain):
    within_bounds = False


class Counting(Plain):
    unit = "stick"

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 1000.0 * seat


def test_by_default_an_estimate_measures_its_value_in_points_of_the_payoffs():
    out = [0.0] * 3
    Plain().measure(UNIFORM, UNIFORM.new(), out)
    assert out == [0.0, 10.0, 20.0]
    assert (Plain().unit, Plain().widest_edge(UNIFORM), Plain().widest_edge(SUM)) == ("point", 99.0, 8.0)


def test_the_widest_edge_is_unknown_where_nothing_states_it():
    assert Wild().widest_edge(UNIFORM) == math.inf
    assert Counting().widest_edge(UNIFORM) == math.inf


def test_where_all_seats_are_worth_the_same_there_is_no_edge():
    assert STICKS.estimate().widest_edge(STICKS) == 0.0
    assert standing(STICKS, "", STICKS.new(), compiled=False) == (1 / 3,) * 3


@pytest.mark.parametrize(
    ("amount", "said"), [(1, "1 step"), (14.0, "14 steps"), (0.3 - 0.1, "0.2 steps"), (0, "0 steps"), (-1, "-1 steps")]
)
def test_amounts_are_said_with_their_unit(amount, said):
    assert in_units(amount, "step") == said
