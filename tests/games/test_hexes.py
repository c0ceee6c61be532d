"""Geometry of hexagons and of the star, against plain coordinates and breadth-first search."""

from collections import deque

import numpy as np
import pytest

from kingmaker.games.parts.chinese_checkers.star import Star
from kingmaker.games.parts.grid import BIT
from kingmaker.games.parts.hexes import (
    CELLS,
    NAMES,
    WAYS,
    ahead,
    away,
    behind,
    hexagon,
    lowest,
    number,
    runs,
    size,
    turned,
)


@pytest.mark.parametrize("radius", range(1, 9))
def test_no_two_cells_of_a_hexagon_share_a_number_and_steps_are_additions(radius):
    cells = hexagon(radius)
    area = len(cells)
    assert area == 3 * radius * (radius + 1) + 1
    assert sorted(number(x, y, radius) for x, y in cells) == list(range(area))
    for dx, dy in WAYS:
        for x, y in cells:
            if away(x + dx, y + dy) <= radius:
                assert (number(x, y, radius) + number(dx, dy, radius)) % area == number(x + dx, y + dy, radius)


def test_ahead_and_behind_move_every_cell_as_its_coordinates_say():
    cells = hexagon(4)
    for way, (dx, dy) in enumerate(WAYS):
        for x, y in cells:
            there = BIT[number(x + dx, y + dy)] if away(x + dx, y + dy) <= 4 else 0
            assert ahead(BIT[number(x, y)], way) == there
            back = BIT[number(x - dx, y - dy)] if away(x - dx, y - dy) <= 4 else 0
            assert behind(BIT[number(x, y)], way) == back


def test_a_turn_by_a_sixth_takes_each_way_to_the_next():
    assert [turned(way) for way in WAYS] == [*WAYS[1:], WAYS[0]]
    assert all(turned(cell, 6) == cell for cell in hexagon(4))


def test_cells_are_named_by_row_and_diagonal():
    assert len(set(NAMES.values())) == CELLS
    assert [NAMES[number(*cell)] for cell in ((0, 0), (-4, -4), (0, -4), (-4, 0), (4, 0), (0, 4), (4, 4))] == [
        "E5", "A1", "A5", "E1", "E9", "I5", "I9",
    ]  # fmt: skip


def test_lowest_and_size_read_any_word():
    for bits in (1, 2, 3, 1 << 63, (1 << 64) - 1, 0xF0F0, 1 << 60 | 1 << 31, 0x123456789ABCDEF0):
        assert lowest(np.uint64(bits)) == (bits & -bits).bit_length() - 1
        assert size(np.uint64(bits)) == bits.bit_count()
    assert size(np.uint64(0)) == 0


def test_rows_are_written_in_short():
    assert runs("aa...b..........") == "aa3b10"


@pytest.mark.parametrize(("radius", "cells", "pawns"), [(4, 121, 10), (3, 73, 6), (2, 37, 3)])
def test_the_star_has_its_cells_and_six_camps(radius, cells, pawns):
    star = Star(radius)
    assert len(star.cells) == cells
    assert [len(camp) for camp in star.camps] == [pawns] * 6
    assert len(set().union(*star.camps)) == 6 * pawns
    assert all(star.tips[camp] in star.camps[camp] for camp in range(6))
    assert star.camps[0] == list(range(pawns))
    assert star.camps[3] == list(range(cells - pawns, cells))


@pytest.mark.parametrize("radius", [2, 3, 4])
def test_steps_on_the_star_are_those_of_a_breadth_first_search(radius):
    star = Star(radius)
    for start in range(len(star.cells)):
        found, queue = {start: 0}, deque([start])
        while queue:
            cell = queue.popleft()
            for beside in star.next[cell].tolist():
                if beside < len(star.cells) and beside not in found:
                    found[beside] = found[cell] + 1
                    queue.append(beside)
        assert [star.steps(start, goal) for goal in range(len(star.cells))] == [
            found[goal] for goal in range(len(star.cells))
        ]


def test_hops_keep_the_parity_that_bounds_the_number_of_moves():
    star = Star(4)
    for cell, (x, y) in enumerate(star.cells):
        for way in range(6):
            beyond = star.next[star.next[cell, way], way]
            if beyond < len(star.cells):
                assert (star.cells[beyond][0] % 2, star.cells[beyond][1] % 2) == (x % 2, y % 2)
    assert star.widest_reach() == 42
