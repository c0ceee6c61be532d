"""Errors: one family, sentences with a way out."""

import pytest

from kingmaker.core import errors
from kingmaker.core.errors import KingmakerError, nearest, unknown

FAMILY = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, KingmakerError)]


@pytest.mark.parametrize("error", FAMILY)
def test_every_error_is_a_value_error(error):
    assert issubclass(error, ValueError)
    assert error.__doc__


def test_the_family_is_complete():
    assert len(FAMILY) == 10


def test_the_nearest_names_come_first():
    assert nearest("paranod", ["maxn", "paranoid", "random", "greedy"]) == ["paranoid", "random", "maxn"]
    assert nearest("PARANOID", ["maxn", "paranoid"])[0] == "paranoid"
    assert nearest("x", []) == []


def test_an_unknown_name_says_where_and_what_is_near():
    assert (
        str(unknown("game", "stick", ["sticks", "hearts"], "a.toml"))
        == "unknown game 'stick' in a.toml; did you mean sticks, hearts?"
    )
    assert str(unknown("game", "stick", [])) == "unknown game 'stick'"
