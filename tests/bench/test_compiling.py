"""What compiling costs: every row has its limit, and an earlier state of the code that lacks a search is no failure."""

import math

import pytest

from bench import compiling


def test_every_game_has_a_limit_for_every_row():
    for game, agents in compiling.GAMES.items():
        assert len(compiling.limits(game)) == len(agents) + 1
        assert compiling.limits(game)[-1] == compiling.FULL


def test_a_command_that_fails_has_no_time(tmp_path):
    assert math.isnan(compiling.processor_time("no_such_game", "maxn()", compiling.HERE / "src", str(tmp_path)))


def test_a_search_is_measured_and_a_failure_is_told(monkeypatch):
    monkeypatch.setattr(compiling, "GAMES", {"sticks": ("maxn(depth=1)",)})
    rows = compiling.measured("sticks", compiling.HERE / "src", 1)
    assert [row.what.partition(": ")[2] for row in rows] == ["first decision", "from a full cache"]
    assert all(row.value > 0 for row in rows)
    monkeypatch.setattr(compiling, "QUICK", ("sticks",))
    monkeypatch.setattr(compiling, "GAMES", {"sticks": ("no_such_search()",)})
    with pytest.raises(AssertionError, match="no_such_search\\(\\): first decision failed"):
        list(compiling.run(quick=True))
