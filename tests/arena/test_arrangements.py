"""Every kind of seating that an experiment can name."""

from collections import Counter
from math import comb, perm

import pytest

from kingmaker.arena.table.seating import arrangements, choices, schedule, sized, squares, table_arrangements
from kingmaker.core.errors import BadParameter


@pytest.mark.parametrize(("count", "seats"), [(3, 3), (4, 3), (5, 2)])
def test_all_arrangements_are_every_order_of_every_choice(count, seats):
    found = arrangements(count, seats)
    assert len(set(found)) == len(found) == perm(count, seats)


def test_fewer_agents_than_seats_fill_them_in_every_way_that_uses_each():
    assert sorted(arrangements(2, 3)) == [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)]


def test_rotations_put_every_agent_on_every_seat_equally_often():
    for seat in range(3):
        assert Counter(each[seat] for each in arrangements(4, 3, "rotations")) == dict.fromkeys(range(4), 1)


def test_compositions_of_five_agents_on_four_seats_are_625():
    assert len(arrangements(5, 4, "compositions")) == 5**4 == 625


@pytest.mark.parametrize(
    ("count", "seats", "kind"), [(4, 4, "all"), (4, 3, "all"), (2, 3, "all"), (5, 4, "compositions")]
)
def test_squares_split_the_seatings_and_each_has_every_agent_once_on_every_seat(count, seats, kind):
    found = squares(count, seats, kind)
    assert sorted(seating for square in found for seating in square) == sorted(arrangements(count, seats, kind))
    for square in found:
        for seat in range(seats):
            assert sorted(seating[seat] for seating in square) == list(range(count))


def test_lineups_of_the_light_bike_tables_are_70_and_28():
    assert len(choices(8, 4)) == comb(8, 4) == 70
    assert len(choices(8, 6)) == 28
    assert 20_020 == 70 * 286 == 28 * 715


def test_a_given_table_is_turned_or_permuted_without_repeats():
    assert table_arrangements([0, 0, 1], "fixed") == [(0, 0, 1)]
    assert table_arrangements([0, 0, 1], "rotations") == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    assert len(table_arrangements([0, 0, 1, 2], "all")) == 12
    assert table_arrangements([0, 1, 0, 1], "rotations") == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_every_seating_plays_a_start_before_the_next_comes():
    assert [start for start, _ in schedule(2, 2, "all", 5)] == [0, 0, 1, 1, 2]


def test_what_cannot_be_seated_is_refused():
    with pytest.raises(BadParameter, match="expected a seating of all, rotations, fixed, got 'round'"):
        arrangements(3, 3, "round")
    with pytest.raises(BadParameter, match="expected 3 agents for a fixed seating, got 2"):
        arrangements(2, 3, "fixed")
    with pytest.raises(BadParameter, match="expected at least 4 agents for line-ups of 4 seats, got 3"):
        choices(3, 4)
    with pytest.raises(BadParameter, match="expected at most 1000000 seatings a start, got 3991680 for 'all'"):
        arrangements(12, 7)
    with pytest.raises(
        BadParameter, match="expected a seating of all, rotations, fixed or random for a line-up, got 'lineups'"
    ):
        table_arrangements([0, 1], "lineups")
    with pytest.raises(BadParameter, match="expected at least one agent for 3 seats, got none"):
        sized([], 3)
