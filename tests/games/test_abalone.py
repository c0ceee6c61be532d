"""Abalone against a second generator in cube coordinates, counts from elsewhere, and a recorded match."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from bench.random_matches import random_matches

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import OVER
from kingmaker.games.abalone import PASS, Abalone
from tests.samples import TWIN, states_on_the_way

GOLDEN = Path(__file__).parents[1] / "golden"
STANDARD, BELGIAN, GERMAN, THREE = Abalone(layout="standard"), Abalone(), Abalone(layout="german"), Abalone(seats=3)
EVERY = [STANDARD, BELGIAN, GERMAN, THREE]

CUBE_WAYS = [(1, 0, -1), (0, 1, -1), (1, -1, 0), (-1, 0, 1), (0, -1, 1), (-1, 1, 0)]
CUBES = {cell for cell in product(range(-4, 5), repeat=3) if sum(cell) == 0}


def plus(cell, way, times=1):
    return tuple(a + times * b for a, b in zip(cell, way))


def cube(name):
    """Cell A1 to I9 as three coordinates with sum 0."""
    row, diagonal = ord(name[0]) - ord("E"), int(name[1]) - 5
    return (diagonal, -row, row - diagonal)


def board_of(game, state):
    """The position as {cube: seat}, read from the picture."""
    found = {}
    for line in game.show(state).splitlines()[:9]:
        letter, *signs = line.split()
        first = max(1, ord(letter) - ord("D"))
        for place, sign in enumerate(signs):
            if sign in ("A", "B", "C"):
                found[cube(f"{letter}{first + place}")] = "ABC".index(sign)
    return found


def shifts(board, seat):
    """Every set of marbles that may move together, with the way; found line by line and rule by rule."""
    lines = set()
    for cell in [cell for cell, owner in board.items() if owner == seat]:
        for way in CUBE_WAYS[:3]:
            second, third = plus(cell, way), plus(cell, way, 2)
            lines.add((cell,))
            if board.get(second) == seat:
                lines.add((cell, second))
                if board.get(third) == seat:
                    lines.add((cell, second, third))
    for line, way in product(lines, CUBE_WAYS):
        fronts = [cell for cell in line if plus(cell, way) not in line]
        moved = list(line)
        if len(fronts) == 1 and len(line) > 1:
            ahead = plus(fronts[0], way)
            while ahead in board and board[ahead] != seat:
                moved.append(ahead)
                ahead = plus(ahead, way)
            pushed = len(moved) - len(line)
            if pushed < len(line) and ahead not in board and (ahead in CUBES or pushed):
                yield moved, way
        elif all(plus(cell, way) in CUBES and plus(cell, way) not in board for cell in line):
            yield moved, way


def shifted(board, moved, way):
    after = {cell: owner for cell, owner in board.items() if cell not in moved}
    after.update({plus(cell, way): board[cell] for cell in moved if plus(cell, way) in CUBES})
    return after


def successors(board, seat):
    """Every board one move later, each with the number of marbles pushed off."""
    boards = [shifted(board, moved, way) for moved, way in shifts(board, seat)]
    return [(frozenset(after.items()), len(board) - len(after)) for after in boards]


def second_perft(board, seat, seats, depth):
    if depth == 1:
        return sum(1 for _ in shifts(board, seat))
    return sum(
        second_perft(shifted(board, moved, way), (seat + 1) % seats, seats, depth - 1)
        for moved, way in shifts(board, seat)
    )


def test_the_counts_on_record_hold_those_of_the_literature():
    record = json.loads((GOLDEN / "abalone_perft.json").read_text())
    assert record["abalone(layout='standard')"][:3] == [44, 1936, 98912]
    assert record["abalone(seats=3)"][:2] == [40, 1587]


@pytest.mark.parametrize(
    ("game", "depth", "count"), [(STANDARD, 3, 98912), (BELGIAN, 2, 2692), (GERMAN, 2, 6244), (THREE, 3, 62440)]
)
def test_a_second_generator_counts_the_same(game, depth, count):
    assert second_perft(board_of(game, game.new()), 0, game.seats, depth) == count


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_every_move_leads_where_the_second_generator_says(game):
    for state in states_on_the_way(game, matches=2, every=64):
        board, mover = board_of(game, state), game.mover(state)
        for seat in range(game.seats):
            reached = []
            for move in game.legal(state, seat):
                after = game.copy(state)
                game.play(after, seat, move)
                assert game.mover(after) in ((seat + 1) % game.seats, OVER)
                reached.append((frozenset(board_of(game, after).items()), int(after.pushed[seat] - state.pushed[seat])))
            expected = successors(board, seat)
            assert len(reached) == len(expected), f"seat {seat} out of turn" if seat != mover else ""
            assert set(reached) == set(expected)


def test_standard_opens_with_34_moves_along_lines_and_10_sideways():
    words = [STANDARD.say(STANDARD.new(), 0, move) for move in STANDARD.legal(STANDARD.new())]
    assert sum(word.count("-") == 1 for word in words) == 34
    assert sum(word.count("-") == 2 for word in words) == 10


@pytest.mark.parametrize(
    ("game", "sixths", "ahead"), [(STANDARD, 3, 1), (BELGIAN, 3, 0), (GERMAN, 3, 0), (THREE, 2, 1)], ids=str
)
def test_a_layout_is_fair(game, sixths, ahead):
    board = board_of(game, game.new())
    assert sorted(board.values()) == [seat for seat in range(game.seats) for _ in range(game.marbles)]
    for cell, seat in board.items():
        goal = cell
        for _ in range(sixths):
            goal = (-goal[1], -goal[2], -goal[0])  # clockwise
        assert board[goal] == (seat + ahead) % game.seats


@pytest.mark.parametrize("game", [BELGIAN, THREE], ids=str)
def test_ten_thousand_random_matches_end(game):
    ends = {"six": 0, "limit": 0}
    for state, length in random_matches(game, 10_000):
        assert 0 < length <= game.longest
        assert max(state.pushed) == 6 or length == game.longest
        ends["six" if max(state.pushed) == 6 else "limit"] += 1
    assert min(ends.values()) > 0


def test_a_state_is_small():
    assert [game.State.itemsize for game in (BELGIAN, THREE)] == [24, 32]


def placed(game, rows):
    """A position with as many marbles as the text says, for rules that need only a few."""
    state = game.blank()
    game.read_board(state, rows)
    return state


def row_after(game, rows, text):
    """The row of E1 after a move along it."""
    state = placed(game, rows)
    game.play(state, 0, game.parse(state, 0, text))
    return game.notation(state).split()[0].split("/")[4], [int(count) for count in state.pushed]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1a7", "2a6"),
        ("aaa6", "1aaa5"),
        ("aab6", "1aab5"),
        ("aaab5", "1aaab4"),
        ("aaabb4", "1aaabb3"),
        ("4aaabb", "5aaab"),
        ("6aab", "7aa"),
    ],
)
def test_a_line_moves_and_pushes_what_is_shorter(before, after):
    start = f"E{before.index('a') + 1 if before[0] == 'a' else int(before[0]) + 1}"
    goal = f"E{int(start[1]) + 1}"
    off = before.count("b") - after.count("b")
    assert row_after(BELGIAN, f"5/6/7/8/{before}/8/7/6/5", f"{start}-{goal}") == (after, [off, 0])


@pytest.mark.parametrize(
    ("before", "after", "off"),
    [("aaabc4", "1aaabc3", 0), ("aaacb4", "1aaacb3", 0), ("4aaabc", "5aaab", 1), ("4aaacb", "5aaac", 1)],
)
def test_marbles_of_two_colours_are_pushed_together(before, after, off):
    start = "E1" if before[0] == "a" else "E5"
    assert row_after(THREE, f"5/6/7/8/{before}/8/7/6/5", f"{start}-E{int(start[1]) + 1}") == (after, [off, 0, 0])


def test_whoever_pushes_off_six_has_won():
    state = BELGIAN.position("5/6/aaaaa2/aaaaaaa1/6aab/bbbb4/bbbb3/6/5 5,0 0 50")
    state = BELGIAN.after(state, BELGIAN.parse(state, 0, "E7-E8"))
    assert BELGIAN.mover(state) == OVER
    assert BELGIAN.payoffs(state) == (1.0, 0.0)


def test_at_the_limit_the_point_is_shared_by_those_who_pushed_off_the_most():
    game = Abalone(seats=3, rounds=2)
    start = game.notation(game.new()).split()[0]
    assert game.payoffs(game.position(f"{start} 0,0,0 0 6")) == (1 / 3, 1 / 3, 1 / 3)
    fewer = start.replace("aaaaa", "aaaa1", 1).replace("bb1", "b2", 1)
    assert game.payoffs(game.position(f"{fewer} 1,1,0 0 6")) == (0.5, 0.5, 0.0)
    assert game.mover(game.position(f"{fewer} 1,1,0 0 6")) == OVER
    assert game.mover(game.position(f"{fewer} 1,1,0 0 5")) == 0


def test_a_seat_that_cannot_move_passes():
    state = placed(THREE, "5/6/7/8/9/8/bb5/bbb3/abb2")
    assert THREE.legal(state, 0) == [PASS]
    assert THREE.parse(state, 0, " Pass") == PASS
    before = THREE.notation(state)
    THREE.play(state, 0, PASS)
    assert THREE.notation(state).split()[:2] == before.split()[:2]
    assert THREE.mover(state) == 1


def test_a_move_sideways_may_name_either_end_first():
    state = STANDARD.new()
    assert STANDARD.parse(state, 0, "C5-C3-D6") == STANDARD.parse(state, 0, "c3-c5-d4")


@pytest.mark.parametrize(
    ("rows", "text", "sentence"),
    [
        ("5/6/7/8/a8/8/7/6/5", "E1-J2", "there is no cell 'J2' in 'E1-J2'; cells are A1 to I9"),
        ("5/6/7/8/a8/8/7/6/5", "E1", "expected a move like A1-B2 or A1-A3-B1, got 'E1'"),
        ("5/6/7/8/a8/8/7/6/5", "E2-E3", "'E2-E3' moves a marble from E2, where seat 0 has none"),
        ("5/6/7/8/ab7/8/7/6/5", "E2-E3", "'E2-E3' moves a marble from E2, where seat 0 has none"),
        ("5/6/7/8/a8/8/7/6/5", "E1-E3", "'E1-E3' leads to no neighbouring cell; marbles move one cell"),
        ("5/6/7/8/aaaa5/8/7/6/5", "E1-E2", "'E1-E2' moves 4 marbles; at most three move at once"),
        ("5/6/7/8/7aa/8/7/6/5", "E8-E9", "'E8-E9' pushes a marble of one's own off the board"),
        ("5/6/7/8/ab7/8/7/6/5", "E1-E2", "'E1-E2' pushes 1 with 1; the line that pushes must be longer"),
        ("5/6/7/8/aaabbb3/8/7/6/5", "E1-E2", "'E1-E2' pushes 3 with 3; the line that pushes must be longer"),
        ("5/6/7/8/aaaba4/8/7/6/5", "E1-E2", "'E1-E2' pushes against a marble of one's own"),
        ("5/6/7/b7/aa7/8/7/6/5", "E1-E2-F1", "there is no cell 'F1'"),
        ("5/6/7/b7/aa7/8/7/6/5", "E1-E2-F2", "'E1-E2-F2' moves sideways, which needs empty cells on the board"),
        (
            "5/6/7/8/aa7/8/7/6/5",
            "E1-E2-E3",
            "'E1-E2-E3' does not move sideways; name the new cell of E1 beside the line",
        ),
        ("5/6/7/8/aaaa5/8/7/6/5", "E1-E4-F2", "E1 and E4 in 'E1-E4-F2' are not the ends of a line of two or three"),
        ("5/6/7/8/a1a6/8/7/6/5", "E1-E3-F2", "'E1-E3-F2' moves sideways, but E2 between is no marble of seat 0"),
        ("5/6/7/8/a8/8/7/6/5", "pass", "'pass' is no legal move here; a seat passes only when it cannot move"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_it_breaks(rows, text, sentence):
    with pytest.raises(IllegalMove) as refusal:
        BELGIAN.parse(placed(BELGIAN, rows), 0, text)
    assert str(refusal.value).startswith(sentence)


def test_an_illegal_number_is_refused():
    with pytest.raises(IllegalMove, match=r"3584 is no legal move in abalone\(\)"):
        BELGIAN.after(BELGIAN.new(), PASS)


ROWS = "aa1bb/aaabbb/1aa1bb1/8/9/8/1bb1aa1/bbbaaa/bb1aa"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ROWS, "expected board, marbles pushed off, seat and age in a position of abalone(), got"),
        (f"{ROWS[:-6]} 0,0 0 0", "expected 9 rows in a position of abalone(), got 8"),
        (f"{ROWS}b 0,0 0 0", "expected 5 cells in row A of a position of abalone(), got 'bb1aab'"),
        (
            f"{ROWS.replace('1bb1aa1', '1bb1ca1')} 0,0 0 0",
            "expected 7 cells in row C of a position of abalone(), got '1bb1ca1'",
        ),
        (
            f"{ROWS.replace('/9/', '/a8/')} 0,0 0 0",
            "seat 0 has 15 marbles in a position of abalone(); nobody has over 14",
        ),
        (f"{ROWS} 1,0 0 0", "0 marbles are missing, but 1 were pushed off in a position of abalone()"),
        (
            f"{ROWS.replace('aa1bb/', 'a2bb/')} 1,0 0 0",
            "seat 0 misses 1 marbles, more than the others pushed off, in a position of abalone()",
        ),
        (f"{ROWS} 0 0 0", "expected 2 numbers from 0 to 6, 6 once at most, in a position of abalone(), got '0'"),
        (f"{ROWS} 7,0 0 0", "expected 2 numbers from 0 to 6, 6 once at most, in a position of abalone(), got '7,0'"),
        (f"{ROWS} 6,6 0 0", "expected 2 numbers from 0 to 6, 6 once at most, in a position of abalone(), got '6,6'"),
        (f"{ROWS} 0,0 2 0", "nobody sits on seat 2 in a position of abalone(); the next seat is 0 to 1"),
        (f"{ROWS} 0,0 0 401", "401 moves cannot have been made in a position of abalone(); there are 0 to 400"),
        (f"{ROWS} 0,x 0 0", "expected 2 numbers from 0 to 6, 6 once at most, in a position of abalone(), got '0,x'"),
    ],
)
def test_an_impossible_position_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(BadPosition) as refusal:
        BELGIAN.position(text)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("abalone(seats=4)", "expected 2 or 3 seats, got 4 in abalone(seats=4)"),
        (
            "abalone(layout=dutch)",
            "expected for 2 seats the layout belgian or standard or german, got 'dutch' in abalone(layout='dutch')",
        ),
        (
            "abalone(seats=3, layout=belgian)",
            "expected for 3 seats the layout edges, got 'belgian' in abalone(seats=3, layout='belgian')",
        ),
        ("abalone(rounds=0)", "expected 1 to 1000 rounds, got 0 in abalone(rounds=0)"),
        ("abalone(rounds=2.5)", "expected a whole number for rounds, got 2.5 in abalone(rounds=2.5)"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text, sentence):
    with pytest.raises(BadParameter) as refusal:
        load_game(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_positions_survive_being_written_and_read(game):
    for state in states_on_the_way(game, matches=2, every=30):
        again = game.position(game.notation(state))
        assert again == state
        for move in game.legal(state):
            assert game.parse(again, game.mover(state), game.say(state, game.mover(state), move).lower()) == move


def test_the_source_s_estimate_counts_marbles_steps_to_the_rim_and_pairs():
    out, estimate = np.zeros(2), BELGIAN.estimate("pushed")
    with np.errstate(over="ignore"):
        estimate.value(BELGIAN, placed(BELGIAN, "5/6/7/8/4aa2b/8/7/6/5"), out)
        assert list(out * 1024) == [4 + 3 + 1, 0]
        state = placed(BELGIAN, "5/6/7/8/9/8/7/6/aaa2")
        state.pushed[0] = 2
        estimate.value(BELGIAN, state, out)
        assert list(out * 1024) == [2 * 128 + 2, 0]


def test_the_source_s_estimate_measures_in_marbles():
    out, estimate = np.zeros(2), BELGIAN.estimate("pushed")
    state = placed(BELGIAN, "5/6/7/8/4aa2b/8/7/6/5")
    state.pushed[1] = 2
    with np.errstate(over="ignore"):
        estimate.measure(BELGIAN, state, out)
    assert list(out) == [8 / 128, 2]
    assert estimate.unit == "marble"


def test_no_arrangement_is_better_than_the_widest_edge_says():
    """The best that eleven or fourteen marbles can have, grown cell by cell around the middle."""
    for game, blob in (
        (BELGIAN, "5/6/2aaa2/2aaaa2/2aaaaa2/3aa3/7/6/5"),
        (THREE, "5/6/2aaa2/2aaaa2/2aaaa3/8/7/6/5"),
    ):
        out, estimate = np.zeros(game.seats), game.estimate("pushed")
        state = placed(game, blob)
        state.pushed[0] = 5
        with np.errstate(over="ignore"):
            estimate.measure(game, state, out)
        assert estimate.widest_edge(game) - 3 / 128 <= out[0] <= estimate.widest_edge(game) < 6


@pytest.mark.parametrize("game", [BELGIAN, THREE], ids=str)
def test_estimates_and_their_intervals_keep_to_the_scale(game):
    low, high, out = np.zeros(game.seats), np.zeros(game.seats), np.zeros(game.seats)
    with np.errstate(over="ignore"):
        for estimate in game.estimates:
            assert estimate.has_intervals
            for state in states_on_the_way(game, matches=2, every=20):
                estimate.value(game, state, out)
                estimate.interval(game, state, low, high)
                assert (low == out).all()
                assert (out >= 0).all()
                assert (low <= high).all()
                assert (high == estimate.ceiling).all()
                assert estimate.ceiling <= 1
                if estimate.within_total:
                    assert 1 - game.seats * 2.0**-20 <= out.sum() <= 1
            end = game.position(game.notation(game.new()).rsplit(" ", 1)[0] + f" {game.longest}")
            estimate.interval(game, end, low, high)
            assert list(low) == list(high) == list(game.payoffs(end))


def test_a_search_for_marbles_beats_random_play():
    game = Abalone(rounds=60)
    agents = [load_agent("paranoid(depth=2)"), load_agent("random")]
    assert play_match(game, agents, seed=1).payoffs == (1.0, 0.0)
    assert play_match(game, agents[::-1], seed=1).payoffs == (0.0, 1.0)


@pytest.mark.parametrize("game", [BELGIAN, THREE], ids=str)
@pytest.mark.parametrize("estimate", ["pushed", "standing"])
def test_compiled_and_interpreted_search_alike(game, estimate):
    agent = load_agent(f"maxn(depth=1, estimate={estimate})")
    for state in states_on_the_way(game, matches=1, every=100):
        fast, slow = agent.decide(game, state), agent.decide(game, state, ask=TWIN)
        assert (fast.move, fast.values, fast.nodes, fast.moves) == (slow.move, slow.values, slow.nodes, slow.moves)


def test_weights_beyond_reason_are_refused():
    with pytest.raises(
        BadParameter, match=r"expected weights from -10000 to 10000, got 20000 in standing\(lost=20000\)"
    ):
        Abalone().estimate("standing(lost=20000)")
