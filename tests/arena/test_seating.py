"""Seatings."""

import pytest

from kingmaker.arena.table.seating import arrangements, schedule, sized
from kingmaker.core.errors import BadParameter


def test_seatings_are_all_rotations_or_fixed():
    assert len(arrangements(3, 3)) == 6
    assert len(arrangements(4, 3)) == 24
    assert len(arrangements(2, 3)) == 6  # eight fillings without the two that leave one agent out
    assert arrangements(3, 3, "rotations") == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert arrangements(3, 3, "fixed") == [(0, 1, 2)]


def test_a_start_is_played_by_every_seating_before_the_next_comes():
    found = list(schedule(2, 2, "all", 5))
    assert [start for start, _ in found] == [0, 0, 1, 1, 2]


def test_what_cannot_be_is_refused():
    with pytest.raises(BadParameter, match="expected a seating of all, rotations, fixed, got 'any'"):
        arrangements(3, 3, "any")
    with pytest.raises(BadParameter, match="expected 3 agents for a fixed seating, got 2"):
        arrangements(2, 3, "fixed")
    with pytest.raises(BadParameter, match="expected at least one agent for 3 seats, got none"):
        sized([], 3)
