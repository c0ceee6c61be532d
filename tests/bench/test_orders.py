"""The default order of moves is compared with the game's own: the same moves, and a difference would be told."""

import pytest

from bench import orders
from kingmaker import load_game
from kingmaker.core.decision import Decision
from kingmaker.search.paranoid import Paranoid


def test_a_row_tells_nodes_and_time_of_both():
    (row,) = orders.run(quick=True)
    assert (
        row.what == "sticks, paranoid(depth=9): nodes in the default order (killer) in parts of those in the game's own"
    )
    assert 0 < row.value < 1
    assert row.text.startswith("0.")
    assert row.text.endswith("of the time")


def test_positions_are_of_matches_of_their_own_and_leave_a_choice():
    game = load_game("sticks")
    states = orders.positions(game)
    assert len(states) > 3
    assert all(len(game.legal(state)) > 1 for state in states)
    assert len({game.notation(state) for state in states}) > 2


def test_another_move_is_no_row(monkeypatch):
    game, decide = load_game("sticks"), Paranoid.decide

    def other(agent, *given, **named):
        found = decide(agent, *given, **named)
        return found if agent.order == "given" else Decision(99, found.values, (), (), 0, 1, 0.0, "depth")

    monkeypatch.setattr(Paranoid, "decide", other)
    with pytest.raises(AssertionError, match=r"paranoid\(depth=3\) at .*: \(99, "):
        orders.compared(game, orders.positions(game), "paranoid(depth=3)")
