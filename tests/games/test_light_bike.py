"""Light Bike against rules written with sets of cells, counted paths and flood fills over cells."""

import tracemalloc
from collections import Counter
from itertools import product

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadParameter, BadPosition
from kingmaker.core.rng import below, stream
from kingmaker.games.light_bike import LightBike
from kingmaker.games.parts.light_bike.estimates import Room, Survival, Territory
from kingmaker.search.maxn import Maxn
from tests import oracles
from tests.samples import TWIN

pytestmark = pytest.mark.usefixtures("wrapping")

GAMES = [
    LightBike(),
    LightBike(seats=2, width=3, height=3),
    LightBike(seats=4, width=5, height=9, starts="distinct"),
    LightBike(seats=6, walls="vanish"),
    LightBike(seats=3, width=4, height=4, walls="vanish"),
    LightBike(seats=8, width=20, height=7),
    LightBike(seats=3, width=40, height=5, starts="distinct"),
]


def name(game):
    return str(game).replace(" ", "")


def heads(game, state):
    return [(int(state.rows[seat]) - 1, int(state.columns[seat]) - 1) for seat in range(game.seats)]


def walls(game, state):
    cells = product(range(game.height), range(game.width))
    return {(row, column) for row, column in cells if not game.free(state, row + 1, column + 1)}


def alive(game, state):
    return {seat for seat in range(game.seats) if game.lives(state, seat)}


def rides(game, count, seed):
    """Random matches by simultaneous steps, each beside the oracle's: before the step, after it."""
    rng = stream(seed, "rides")
    for match in range(count):
        state = game.new(1000 * seed + match)
        bikes = oracles.Bikes(game.width, game.height, heads(game, state), game.walls == "vanish")
        yield state, bikes
        while game.mover(state) >= 0:
            joint = np.full(game.seats, -1, np.int32)
            for seat in game.acting(state):
                # mostly ways that are open, now and then any way at all: into a wall or off the board
                ways = game.legal(state, seat) if below(rng, 8) else [0, 1, 2, 3]
                joint[seat] = ways[below(rng, len(ways))]
            bikes.step(joint)
            game.step(state, joint)
            yield state, bikes


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_steps_are_the_oracles(game):
    steps = 0
    for state, bikes in rides(game, count=60, seed=1):
        steps += 1
        assert alive(game, state) == bikes.alive
        for seat in bikes.alive:
            assert heads(game, state)[seat] == bikes.heads[seat]
            assert game.legal(state, seat) == (bikes.open_ways(seat) or [0])
            assert game.stuck(state, seat) == (not bikes.open_ways(seat))
        assert (game.mover(state) == -2) == bikes.over()
        if not bikes.over():
            assert walls(game, state) == bikes.walls()
            assert game.acting(state) == sorted(bikes.alive)
            assert game.mover(state) == min(bikes.alive)
        else:
            assert game.payoffs(state) == pytest.approx(bikes.payoffs())
            assert game.acting(state) == []
    assert steps > 100


def test_thousands_of_steps_are_compared():
    assert sum(len(list(rides(game, count=60, seed=1))) for game in GAMES) > 3000


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_a_tie_shares_the_point(game):
    shared = Counter()
    for state, bikes in rides(game, count=80, seed=2):
        if bikes.over():
            shared[len(bikes.last)] += 1
            assert sum(game.payoffs(state)) == pytest.approx(1)
    assert len(shared) > 1


def test_meeting_in_a_cell_kills_both():
    game = LightBike(seats=2, width=3, height=2)
    state = game.position("#1#/3 0,0;0,2 0 0 3")
    game.step(state, np.array([1, 3], np.int32))
    assert alive(game, state) == set()
    assert game.payoffs(state) == (0.5, 0.5)


def test_riders_on_one_start_both_live():
    game = LightBike(seats=2, width=3, height=3)
    state = game.position("#2/3/3 0,0;0,0 0 0 3")
    game.step(state, np.array([1, 2], np.int32))
    assert alive(game, state) == {0, 1}
    assert heads(game, state) == [(0, 1), (1, 0)]


def test_walls_of_the_dead_stay_or_vanish():
    # three riders in row 0 of a 5 x 2 board; the middle one is caught between the others and dies going north
    for rule, cells in (
        ("stay", {(0, 0), (0, 2), (0, 4), (1, 0), (1, 4)}),
        ("vanish", {(0, 0), (0, 4), (1, 0), (1, 4)}),
    ):
        game = LightBike(seats=3, width=5, height=2, walls=rule)
        state = game.blank()
        game.fence(state)
        for seat, column in enumerate((1, 3, 5)):
            game.occupy(state, seat, 1, column)
        state.alive = state.last = 7
        state.left = 3
        game.step(state, np.array([2, 0, 2], np.int32))
        assert alive(game, state) == {0, 2}
        assert walls(game, state) == cells


def test_in_the_tree_a_stuck_rider_falls_in_its_turn_without_taking_time():
    game = LightBike(seats=3, width=3, height=2)
    state = game.position("##1/#2 0,0;0,1;1,0 0 4 7")
    assert game.stuck(state, 0)
    assert game.legal(state) == [0]
    after = game.after(state, 0)
    assert alive(game, after) == {1, 2}
    assert after.age == state.age
    assert game.mover(after) == 1
    onwards = game.after(after, 1)
    assert onwards.age == state.age + 1
    assert game.mover(onwards) == 2


def test_the_eight_starts_on_twelve_by_twelve():
    """The corners and (0,5), (5,11), (11,6), (6,0)."""
    cells = {(row - 1, column - 1) for row, column in LightBike().places()}
    assert cells == {(0, 0), (0, 11), (11, 0), (11, 11), (0, 5), (5, 11), (11, 6), (6, 0)}


@pytest.mark.parametrize(("seats", "share"), [(3, 336 / 512), (4, 1680 / 4096), (6, 20160 / 262144)])
def test_shared_starts_are_distinct_as_often_as_they_should(seats, share):
    """65.6, 41.0 and 7.7 per cent; the bound is five standard errors of 2,000 starts."""
    game, count = LightBike(seats=seats), 2000
    assert round(100 * share, 1) in (65.6, 41.0, 7.7)
    distinct = sum(len(set(heads(game, game.new(seed)))) == seats for seed in range(count))
    assert abs(distinct / count - share) < 5 * (share * (1 - share) / count) ** 0.5


@pytest.mark.parametrize("starts", ["shared", "distinct"])
def test_every_start_is_equally_likely(starts):
    """300 of 2,400 are expected for each of the eight places; 100 is six standard errors."""
    game = LightBike(seats=3, starts=starts)
    for seat in range(3):
        counts = Counter(heads(game, game.new(seed))[seat] for seed in range(2400))
        assert len(counts) == 8
        assert all(abs(count - 300) < 100 for count in counts.values())


def test_distinct_starts_are_distinct():
    for seats in (2, 6, 8):
        game = LightBike(seats=seats, starts="distinct")
        assert all(len(set(heads(game, game.new(seed)))) == seats for seed in range(200))


def lone(game, row, column):
    """Seat 0 alone on an empty board; seat 1 is out and stands where seat 0 does."""
    cells = "/".join(
        "".join("#" if (r, c) == (row, column) else "." for c in range(game.width)).replace(
            "." * game.width, str(game.width)
        )
        for r in range(game.height)
    )
    text = "/".join(squeezed(line) for line in cells.split("/"))
    return game.position(f"{text} {row},{column};x{row},{column} 0 0 1")


def squeezed(line):
    if line.isdecimal():
        return line
    left, right = line.split("#")
    return f"{len(left) or ''}#{len(right) or ''}"


def surviving(game, state, length):
    """Paths of a length on which seat 0 enters only free cells."""
    if length == 0:
        return 1
    if game.stuck(state, 0):
        return 0
    total = 0
    for way in game.legal(state, 0):
        after = game.copy(state)
        game.play(after, 0, way)
        total += surviving(game, after, length - 1)
    return total


@pytest.mark.parametrize(
    ("size", "cell", "counts"),
    [
        (12, (0, 0), [2, 4, 10, 24, 60, 146, 366, 912, 2302]),
        (12, (0, 5), [3, 7, 19, 49, 131, 338, 890]),
        (19, (9, 9), [4, 12, 36, 100, 284, 780, 2172]),
    ],
    ids=["corner", "side", "plane"],
)
def test_a_lone_rider_has_as_many_paths_as_were_counted(size, cell, counts):
    """Computed apart from this package: literature.md, L4."""
    game = LightBike(seats=2, width=size, height=size)
    assert [surviving(game, lone(game, *cell), length) for length in range(1, len(counts) + 1)] == counts


def test_the_oracle_counts_the_same_paths_to_the_full_length():
    def on_board(cell):
        return 0 <= cell[0] < 12 and 0 <= cell[1] < 12

    assert [oracles.self_avoiding((0, 0), length, on_board) for length in range(1, 10)] == [
        2,
        4,
        10,
        24,
        60,
        146,
        366,
        912,
        2302,
    ]
    assert [oracles.self_avoiding((0, 5), length, on_board) for length in range(1, 8)] == [3, 7, 19, 49, 131, 338, 890]
    plane = [oracles.self_avoiding((0, 0), length, lambda cell: True) for length in range(1, 9)]
    assert plane == [4, 12, 36, 100, 284, 780, 2172, 5916]


def joint_plays(game, state):
    """Complete joint plays of two riders by free moves: won by the first, by the second, drawn."""
    stuck = [game.stuck(state, seat) for seat in (0, 1)]
    if any(stuck):
        end = game.copy(state)
        game.step(end, np.array([game.legal(state, seat)[0] for seat in (0, 1)], np.int32))
        return Counter([game.payoffs(end)])
    found = Counter()
    for ways in product(game.legal(state, 0), game.legal(state, 1)):
        after = game.copy(state)
        game.step(after, np.array(ways, np.int32))
        found += joint_plays(game, after) if game.mover(after) >= 0 else Counter([game.payoffs(after)])
    return found


@pytest.mark.parametrize(
    ("size", "text", "plays"), [(2, "#1/1# 0,0;1,1 0 0 3", (0, 0, 4)), (3, "#2/3/2# 0,0;2,2 0 0 3", (4, 4, 12))]
)
def test_two_riders_have_as_many_joint_plays_as_were_counted(size, text, plays):
    """Computed apart from this package: literature.md, L4."""
    game = LightBike(seats=2, width=size, height=size)
    found = joint_plays(game, game.position(text))
    assert (found[1.0, 0.0], found[0.0, 1.0], found[0.5, 0.5]) == plays


ESTIMATED = [
    LightBike(seats=3, width=6, height=5),
    LightBike(seats=5, width=9, height=9, starts="distinct"),
    LightBike(seats=4, width=31, height=3),
]


def shares(amounts):
    grain = 2.0**-20
    return [np.floor(amount / sum(amounts) / grain) * grain for amount in amounts]


@pytest.mark.parametrize("game", ESTIMATED, ids=name)
@pytest.mark.parametrize(
    ("estimate", "oracle"), [(Room(), oracles.room), (Territory(), oracles.territory)], ids=["room", "territory"]
)
def test_estimates_are_flood_fills_over_cells(game, estimate, oracle):
    out = np.zeros(game.seats)
    for state, bikes in rides(game, count=12, seed=3):
        if bikes.over():
            continue
        estimate.value(game, state, out)
        living = [head if seat in bikes.alive else None for seat, head in enumerate(bikes.heads)]
        cells = oracle(game.width, game.height, bikes.walls(), living)
        assert list(out) == shares(cells)
        assert out.sum() <= 1
        estimate.measure(game, state, out)
        assert list(out) == cells
        assert max(cells) - min(cells) <= estimate.widest_edge(game) == game.width * game.height


def test_survival_is_how_long_the_ride_has_lasted():
    game, out = LightBike(seats=3, width=3, height=3), np.zeros(3)
    state = game.position("#1#/3/#2 0,0;0,2;2,0 0 5 7")
    Survival().value(game, state, out)
    assert list(out) == [5 / game.longest] * 3
    assert game.longest == 9 + 3


def test_survival_gives_everything_to_the_only_one_who_can_move():
    game, out = LightBike(seats=2, width=3, height=2), np.zeros(2)
    state = game.position("##1/##1 0,0;1,1 0 2 3")
    assert game.stuck(state, 0)
    Survival().value(game, state, out)
    assert list(out) == [2 / game.longest, 1.0]
    assert Survival().enough(game, state, 0)
    assert not Survival().enough(game, state, 1)


def test_survival_ends_a_ride_for_the_last_one_left_even_if_stuck():
    game, out = LightBike(seats=2, width=2, height=2), np.zeros(2)
    state = game.position("##/## 0,0;x1,1 0 2 1")
    Survival().final(game, state, out)
    assert out[0] == 1.0
    assert out[1] == 2 / game.longest


def test_survival_looks_no_deeper_once_the_searcher_is_out():
    game = LightBike(seats=3, width=6, height=6)
    state = game.position("3###/6/6/6/6/6 0,4;0,3;0,5 0 2 7")
    out_of_it = game.copy(state)
    out_of_it.alive = 6
    assert Survival().enough(game, out_of_it, 0)
    assert not Survival().enough(game, state, 0)
    decision = Maxn(depth=3).decide(game, state, ask=TWIN)
    assert decision.nodes == oracles.deepened_nodes(game, state, 3)
    assert (oracles.exact_vector(decision.values), decision.move) == oracles.maxn(game, state, 3)


@pytest.mark.parametrize(
    ("width", "height"), [(2, 2), (14, 14), (15, 3), (30, 4), (31, 4), (61, 5), (62, 5), (5, 62), (62, 62)]
)
def test_any_board_size_plays(width, height):
    game = LightBike(seats=4, width=width, height=height, starts="distinct")
    state = game.new(1)
    bikes = oracles.Bikes(width, height, heads(game, state))
    assert walls(game, state) == bikes.walls()
    assert all(game.legal(state, seat) == (bikes.open_ways(seat) or [0]) for seat in range(4))
    assert game.position(game.notation(state)) == state
    out, living = np.zeros(4), list(bikes.heads)
    for estimate, oracle in ((Room(), oracles.room), (Territory(), oracles.territory)):
        estimate.value(game, state, out)
        assert list(out) == shares(oracle(width, height, bikes.walls(), living))


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_positions_are_read_and_written_all_along_a_ride(game):
    for state, _ in rides(game, count=6, seed=4):
        again = game.position(game.notation(state))
        assert again.tobytes() == state.tobytes() or again == state
        assert game.notation(again) == game.notation(state)


def test_the_picture_and_the_line():
    game = LightBike(seats=3, width=4, height=2)
    state = game.position("##2/1#1# 0,0;x0,1;1,3 2 3 5")
    assert game.show(state) == "A b . .\n. # . C"
    assert game.notation(state) == "##2/1#1# 0,0;x0,1;1,3 2 3 5"
    assert [game.say(state, 0, way) for way in range(4)] == ["N", "E", "S", "W"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#3/4", "expected board, heads, seat, age and last riders in a position of light_bike"),
        ("#3 0,0;0,0 0 0 3", "expected 2 rows in a position of light_bike.*, got 1"),
        ("#4/4 0,0;0,0 0 0 3", "expected 4 cells in row 1 of a position of light_bike.*, got '#4'"),
        ("#?2/4 0,0;0,0 0 0 3", r"expected 4 cells in row 1 of a position of light_bike.*, got '#\?2'"),
        ("#3/4 0,0 0 0 3", "expected 2 heads in a position of light_bike.*, got 1"),
        ("#3/4 0,0;zero 0 0 3", "expected a head like 0,11 in a position of light_bike.*, got 'zero'"),
        ("#3/4 0,0;0,1 0 0 3", "the head 0,1 stands on no wall of a position of light_bike"),
        ("#3/4 0,0;9,9 0 0 3", "the head 9,9 stands on no wall"),
        ("#3/4 0,0;0,0 0 x 3", "expected three numbers at the end of a position of light_bike.*, got '0 x 3'"),
        ("#3/4 0,0;0,0 0 0 999", "expected three numbers at the end of a position of light_bike"),
        ("#3/4 0,0;0,0 2 0 3", "seat 2 is not alive and cannot be next in a position of light_bike"),
        ("#3/4 0,0;0,0 0 0 1", "the last riders 1 or the age 0 do not fit the heads in a position of light_bike"),
        ("#3/4 x0,0;x0,0 0 0 0", "the last riders 0 or the age 0 do not fit the heads"),
        ("#3/4 0,0;0,0 0 -1 3", "the last riders 3 or the age -1 do not fit the heads"),
    ],
)
def test_positions_that_are_none_are_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        LightBike(seats=2, width=4, height=2).position(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("light_bike(width=1)", r"expected a board of 2 to 62 cells a side, got 1 x 12 in light_bike\(width=1\)"),
        ("light_bike(height=63)", "expected a board of 2 to 62 cells a side, got 12 x 63"),
        ("light_bike(starts='corner')", "expected starts 'shared' or 'distinct', got 'corner'"),
        ("light_bike(walls='fall')", "expected walls 'stay' or 'vanish', got 'fall'"),
        ("light_bike(seats=9)", "expected 2 to 8 seats, got 9"),
        ("light_bike(seats=1)", "expected 2 to 8 seats, got 1"),
    ],
)
def test_nonsense_is_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(text)


def test_every_rider_is_in_the_picture_even_where_several_share_a_cell():
    for seats in (2, 5, 8):
        for walls in ("stay", "vanish"):
            game = LightBike(seats, 4, 4, walls=walls)
            for seed in range(20):
                state = game.new(seed)
                shown = game.show(state)
                assert sorted(shown.replace("#", "").replace(".", "").replace(" ", "").replace("\n", "")) == list(
                    "ABCDEFGH"[:seats]
                )
                assert len({len(line.split()) for line in shown.splitlines()}) == 1


@pytest.mark.parametrize("row", ["2000000000", "9" * 5000, "0" * 5000 + "7", "#" * 5000, "٣", "3٣"])
def test_a_row_of_any_length_is_refused_without_the_memory_for_it(row):
    game = LightBike(seats=2, width=6, height=2)
    tracemalloc.start()
    with pytest.raises(BadPosition, match=r"expected 6 cells in row 1 of a position of light_bike"):
        game.position(f"{row}/##4 1,0;1,1 0 2 3")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1_000_000


@pytest.mark.parametrize("age", ["-1", "30000", "99999999999"])
def test_an_age_that_no_match_reaches_is_refused(age):
    with pytest.raises(BadPosition, match=r"do not fit the heads|expected three numbers at the end"):
        LightBike(seats=2, width=6, height=2).position(f"6/##4 1,0;1,1 0 {age} 3")


@pytest.mark.parametrize(("width", "height", "cells"), [(2, 2, 4), (2, 3, 6), (3, 2, 6), (3, 3, 8), (12, 12, 8)])
def test_distinct_starts_share_no_cell(width, height, cells):
    game = LightBike(seats=min(8, cells), width=width, height=height, starts="distinct")
    for seed in range(20):
        state = game.new(seed)
        assert len(set(zip(state.rows.tolist(), state.columns.tolist()))) == game.seats
    if cells < 8:
        with pytest.raises(
            BadParameter,
            match=rf"expected at most {cells} seats with distinct starts on a board of {width} x {height}, got",
        ):
            LightBike(seats=cells + 1, width=width, height=height, starts="distinct")


def test_who_is_out_cannot_fall_again_and_never_comes_back():
    game = LightBike(seats=3, width=3, height=3, starts="distinct")
    state = game.position("###/###/3 x0,0;0,2;1,1 1 5 6")
    before = game.notation(state)
    game.fall(state, 0)
    assert game.notation(state) == before
    assert not game.active(state, 0)
