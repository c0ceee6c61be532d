"""Estimates are found by name."""

import pytest

from kingmaker.core.errors import UnknownName
from tests.samples import BIKES, STICKS


def test_a_game_without_estimates_says_so():
    with pytest.raises(UnknownName, match=r"sticks\(.*\) has no estimates, so none called 'territory'; leave it out"):
        STICKS.estimate("territory")


def test_an_estimate_nobody_knows_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown estimate 'teritory' in light_bike.*; did you mean territory"):
        BIKES.estimate("teritory")
