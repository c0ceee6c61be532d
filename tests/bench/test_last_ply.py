"""The last ply's part of the bench: both sides look at the same nodes, and whoever finds otherwise is a fault."""

import pytest

from bench import last_ply
from kingmaker.games.parts.chinese_checkers.estimates import Distance

SMALL, START = "chinese_checkers(seats=2)", ("a/aa/aaa/aaaa/13/12/11/10/9/10/11/12/13/bbbb/bbb/bb/b 0 0",)


def test_both_sides_are_measured_and_compared():
    rows = list(last_ply.compared(SMALL, "maxn(depth=2)", START, 0.01, 1))
    assert [row.what.partition("middle game")[2] for row in rows] == [
        ", last ply foreseen",
        ", last ply played",
        ": foreseen to played",
    ]
    assert all(row.value > 0 for row in rows)
    assert rows[-1].ok


def test_whoever_finds_something_else_is_a_fault(monkeypatch):
    monkeypatch.setattr(Distance, "own_after", lambda self, game, state, seat, move, room: 0.0 - move)
    with pytest.raises(AssertionError, match=r"maxn\(depth=2\) at chinese_checkers.* found .* but .* without"):
        list(last_ply.compared(SMALL, "maxn(depth=2)", START, 0.01, 1))
