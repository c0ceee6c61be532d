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
        (
            {"seconds": math.inf},
            "expected a budget of at most 1000000000 for seconds, got inf; leave it out for no limit",
        ),
        ({"seconds": 1e300}, "expected a budget of at most 1000000000 for seconds, got 1e[+]300"),
        ({"depth": 20_000}, "expected a budget of at most 1000 for depth, got 20000; leave it out for no limit"),
        (
            {"nodes": 99999999999999999999},
            "expected a budget of at most 4611686018427387904 for nodes, got 99999999999999999999",
        ),
        ({"nodes": 1 << 100_000}, "for nodes, got int that is too long to be written"),
        ({"seconds": math.nan}, "expected a budget of more than 0 seconds, got nan"),
        ({"seconds": "1"}, "expected a number of seconds, got '1'"),
        ({"seconds": True}, "expected a number of seconds, got True"),
    ],
)
def test_nonsense_is_refused(limits, sentence):
    with pytest.raises(BadParameter, match=sentence):
        Budget(**limits)
