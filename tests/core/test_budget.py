"""Budgets."""

import math

import pytest

from kingmaker.core.budget import DEFAULT, Budget
from kingmaker.core.errors import BadParameter


def test_no_limits_are_allowed_and_a_clock_is_not_reproducible():
    assert Budget() == Budget(None, None, None)
    assert Budget(depth=3, nodes=100).reproducible
    assert not Budget(seconds=0.5).reproducible
    assert DEFAULT.seconds == 1.0


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"depth": 0}, "expected a budget of at least 1 for depth, got 0"),
        ({"nodes": -5}, "expected a budget of at least 1 for nodes, got -5"),
        ({"depth": 2.5}, "expected a whole number for depth, got 2.5"),
        ({"depth": "3"}, "expected a whole number for depth, got '3'"),
        ({"nodes": True}, "expected a whole number for nodes, got True"),
        ({"seconds": 0}, "expected a budget of more than 0 seconds, got 0"),
        ({"seconds": -1.0}, "expected a budget of more than 0 seconds, got -1.0"),
        ({"seconds": math.inf}, "expected a budget of more than 0 seconds, got inf"),
        ({"seconds": math.nan}, "expected a budget of more than 0 seconds, got nan"),
        ({"seconds": "1"}, "expected a number of seconds, got '1'"),
        ({"seconds": True}, "expected a number of seconds, got True"),
    ],
)
def test_nonsense_is_refused(limits, sentence):
    with pytest.raises(BadParameter, match=sentence):
        Budget(**limits)
