"""Chinese Checkers against a second generator in doubled coordinates and counts from elsewhere."""

import json
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from bench.random_matches import random_matches

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.chinese_checkers import PASS, ChineseCheckers
from kingmaker.probe.random_walk import wandered
from tests.samples import TWIN, states_on_the_way

GOLDEN = Path(__file__).parents[1] / "golden"
PERFT = json.loads((GOLDEN / "chinese_checkers_perft.json").read_text())
EVERY = [ChineseCheckers(seats=seats, radius=radius, camp="all") for radius in (4, 3, 2) for seats in (2, 3, 4, 6)]
USUAL = ChineseCheckers()
DUEL = ChineseCheckers(seats=2, radius=2)
STEPS = ((0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1))  # row and column of the picture


def picture(game, state):
    """The position as {(row, column): letter or dot}, read from the picture."""
    lines = [line[2:] for line in game.show(state).splitlines() if line[0] != " "]
    return {
        (row, column): sign
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if sign not in " 0123456789"
    }


def names(board):
    """Row letter and place from the left, for each cell of a picture."""
    found = {}
    for row in range(max(row for row, _ in board) + 1):
        for place, column in enumerate(sorted(column for line, column in board if line == row), 1):
            found[row, column] = f"{chr(ord('a') + row)}{place}"
    return found


def goals(board, cell):
    """All cells to which a pawn can go: one step, or hops until nothing new comes up."""
    empty = {**board, cell: "."}
    found = {
        (cell[0] + down, cell[1] + right)
        for down, right in STEPS
        if board.get((cell[0] + down, cell[1] + right)) == "."
    }
    hops, fresh = {cell}, [cell]
    while fresh:
        row, column = fresh.pop()
        for down, right in STEPS:
            over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if empty.get(over, ".") != "." and empty.get(landing) == "." and landing not in hops:
                hops.add(landing)
                fresh.append(landing)
    return (found | hops) - {cell}


def second_moves(board, seat):
    return [(cell, goal) for cell, sign in board.items() if sign == "ABCDEF"[seat] for goal in goals(board, cell)]


def second_perft(board, seat, seats, depth):
    below = second_moves(board, seat)
    if depth == 1:
        return len(below)
    return sum(
        second_perft({**board, cell: ".", goal: board[cell]}, (seat + 1) % seats, seats, depth - 1)
        for cell, goal in below
    )


def test_the_counts_on_record_hold_those_of_the_literature():
    known = {
        (4, 2): [14, 196, 4760], (4, 3): [14, 196, 2744], (4, 4): [14, 199], (4, 6): [14, 199],
        (2, 2): [6, 36, 396], (2, 3): [6, 36, 216], (2, 4): [6, 37], (2, 6): [6, 37],
    }  # fmt: skip
    for (radius, seats), counts in known.items():
        assert PERFT[f"chinese_checkers(seats={seats}, radius={radius}, camp='all')"][: len(counts)] == counts


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_a_second_generator_counts_the_same(game):
    depth = 3 if game.radius == 4 else 4
    text = f"chinese_checkers(seats={game.seats}, radius={game.radius}, camp='all')"
    assert second_perft(picture(game, game.new()), 0, game.seats, depth) == PERFT[text][depth - 1]


def chances(board, seat):
    """How likely each turn is if every step, hop and stop on the way is chosen by equal chances."""
    first = []
    for cell, sign in board.items():
        if sign == "ABCDEF"[seat]:
            first += [
                (cell, (cell[0] + down, cell[1] + right))
                for down, right in STEPS
                if board.get((cell[0] + down, cell[1] + right)) == "."
            ]
            first += [(cell, landing) for landing in hops(board, cell, {cell})]
    found = {}
    for cell, goal in first:
        share(found, {**board, cell: "."}, cell, goal, {cell, goal}, 1 / len(first))
    return found


def hops(board, cell, been):
    """Where one hop leads that has not been passed."""
    for down, right in STEPS:
        landing = (cell[0] + 2 * down, cell[1] + 2 * right)
        if (
            board.get((cell[0] + down, cell[1] + right), ".") != "."
            and board.get(landing) == "."
            and landing not in been
        ):
            yield landing


def share(found, board, cell, here, been, chance):
    stepped = max(abs(here[0] - cell[0]), abs(here[1] - cell[1]) / 2) <= 1 and len(been) == 2
    further = [] if stepped else list(hops(board, here, been))
    found[cell, here] = found.get((cell, here), 0) + chance / (len(further) + 1)
    for landing in further:
        share(found, board, cell, landing, been | {landing}, chance / (len(further) + 1))


@pytest.mark.parametrize("game", [USUAL, ChineseCheckers(seats=6), ChineseCheckers(seats=2, radius=3)], ids=str)
def test_a_random_turn_is_chosen_step_by_step_with_equal_chances(game):
    rng, out, draws = stream(2, "any"), np.zeros(game.max_moves, np.int32), 4000
    for state in islice(states_on_the_way(game, matches=1, every=80), 1, 4):
        board, seat = picture(game, state), game.mover(state)
        name, expected = names(board), chances(board, seat)
        assert sum(expected.values()) == pytest.approx(1)
        with np.errstate(over="ignore"):
            said = Counter(game.say(state, seat, game.any_move(state, seat, rng, out)) for _ in range(draws))
        assert set(said) <= {f"{name[cell]}-{name[goal]}" for cell, goal in expected}
        for (cell, goal), chance in expected.items():
            spread = (draws * chance * (1 - chance)) ** 0.5
            assert abs(said[f"{name[cell]}-{name[goal]}"] - draws * chance) < 5 * spread + 1


def test_a_random_turn_of_a_seat_that_cannot_move_is_to_pass():
    game = ChineseCheckers(seats=6, radius=2)
    state = game.position("a/aa/2bbb2/1cccd1/ddeee/fff3/7/2/1 0 10")
    with np.errstate(over="ignore"):
        assert game.any_move(state, 0, stream(1), np.zeros(game.max_moves, np.int32)) == PASS


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_every_seat_has_the_moves_that_the_second_generator_finds(game):
    for state in states_on_the_way(game, matches=1, every=25):
        board = picture(game, state)
        name = names(board)
        for seat in range(game.seats):
            said = [game.say(state, seat, move) for move in game.legal(state, seat)]
            expected = [f"{name[cell]}-{name[goal]}" for cell, goal in second_moves(board, seat)] or ["pass"]
            assert sorted(said) == sorted(expected)


@pytest.mark.parametrize("game", [USUAL, ChineseCheckers(seats=2, radius=2)], ids=str)
def test_ten_thousand_random_matches_end(game):
    arrived = 0
    for state, length in random_matches(game, 10_000):
        assert 0 < length <= game.longest
        assert state.winner > 0 or length == game.longest
        arrived += state.winner > 0
    assert arrived > 0 or game.radius > 2


def test_the_seats_go_clockwise():
    board = picture(EVERY[3], EVERY[3].new())
    tips = [(0, 12), (4, 24), (12, 24), (16, 12), (12, 0), (4, 0)]
    assert [board[tip] for tip in tips] == list("ABCDEF")
    assert "".join(picture(EVERY[2], EVERY[2].new())[tip] for tip in tips) == "AB.CD."
    assert "".join(picture(EVERY[1], EVERY[1].new())[tip] for tip in tips) == "A.B.C."
    assert "".join(picture(EVERY[0], EVERY[0].new())[tip] for tip in tips) == "A..B.."


def test_a_state_is_small():
    assert [ChineseCheckers(seats=seats).State.itemsize for seats in (2, 3, 4, 6)] == [80, 96, 112, 152]


@pytest.mark.parametrize("game", [USUAL, *EVERY], ids=str)
def test_the_steps_to_go_and_the_quarters_are_kept_up_to_date(game):
    for before, after in pairwise(wandered(game, game.new(), stream(3, "far"), compiled=False)):
        fresh = game.position(game.notation(after))
        assert list(fresh.far) == list(after.far)
        assert list(fresh.taken) == list(after.taken)
        assert fresh.winner == after.winner
        assert before.age + 1 == after.age


def test_the_quarters_hold_all_pawns_and_nothing_else():
    state = USUAL.new()
    pawns = {cell for cell in range(USUAL.cells) if USUAL.sign(state, cell) != "."}
    of, bit = USUAL.quarters.of, USUAL.quarters.bit
    assert {cell for cell in range(USUAL.cells) if state.taken[of[cell]] & bit[cell]} == pawns
    assert USUAL.admits(state)
    state.taken[of[60]] ^= bit[60]
    assert not USUAL.admits(state)


def test_whoever_fills_the_camp_with_its_own_pawns_has_won():
    state = DUEL.position("1/2/bbb4/6/5/6/2a4/aa/1 0 10")
    assert DUEL.mover(state) == 0
    state = DUEL.after(state, DUEL.parse(state, 0, "g3-i1"))
    assert DUEL.mover(state) == OVER
    assert DUEL.payoffs(state) == (1.0, 0.0)


@pytest.mark.parametrize(("camp", "won_with"), [("one", 1), ("most", 2), ("all", 3)])
def test_a_full_camp_is_won_with_enough_own_pawns(camp, won_with):
    game = ChineseCheckers(seats=2, radius=2, camp=camp)
    for own, full in enumerate(("bb/b", "ab/b", "aa/b", "aa/a")):
        rows = f"1/2/{'a' * (3 - own)}{'b' * own}4/6/5/6/7/{full}"
        state = game.position(f"{rows} 0 10")
        assert (game.mover(state) == OVER) == (own >= won_with)
        if own >= won_with:
            assert game.payoffs(state) == (1.0, 0.0)


def test_a_blocker_that_stays_at_home_cannot_keep_the_others_from_winning():
    text = "1/2/bb5/6/a4/6/3a3/a1/b 0 10"
    for game, seat in ((DUEL, OVER), (ChineseCheckers(seats=2, radius=2, camp="all"), 1)):
        state = game.position(text)
        after = game.after(state, game.parse(state, 0, "g4-h2"))
        assert game.mover(after) == seat
        assert after.winner == (1 if seat == OVER else 0)


def test_another_seat_s_move_can_complete_a_camp():
    state = DUEL.position("1/2/b6/b5/a4/6/3b3/a1/a 1 10")
    after = DUEL.after(state, DUEL.parse(state, 1, "g4-h2"))
    assert DUEL.mover(after) == OVER
    assert DUEL.payoffs(after) == (1.0, 0.0)


def test_at_the_limit_the_point_is_shared_by_those_with_the_fewest_steps_to_go():
    game = ChineseCheckers(radius=2, rounds=5)
    start = game.notation(game.new()).split()[0]
    assert game.payoffs(game.position(f"{start} 0 15")) == (1 / 3, 1 / 3, 1 / 3)
    nearer = start.replace("a/aa/", "1/aa/").replace("/5/", "/2a2/")
    assert game.payoffs(game.position(f"{nearer} 0 15")) == (1.0, 0.0, 0.0)
    assert game.mover(game.position(f"{nearer} 0 15")) == OVER
    assert game.mover(game.position(f"{nearer} 0 14")) == 0


def test_a_seat_that_cannot_move_passes():
    game = ChineseCheckers(seats=6, radius=2)
    state = game.position("a/aa/2bbb2/1cccd1/ddeee/fff3/7/2/1 0 10")
    assert game.legal(state, 0) == [PASS]
    assert game.parse(state, 0, " PASS ") == PASS
    after = game.after(state, PASS)
    assert game.mover(after) == 1
    assert game.notation(after).split()[0] == game.notation(state).split()[0]


def test_a_pawn_never_ends_where_it_began():
    state = DUEL.position("1/2/a6/6/1ab2/6/7/ab/b 0 10")
    said = {DUEL.say(state, 0, move) for move in DUEL.legal(state)}
    assert "e2-e4" in said
    assert not any(word.split("-")[0] == word.split("-")[1] for word in said)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b1-d9", "there is no cell 'd9' in 'b1-d9'; cells are a1 to i1"),
        ("b1", "expected a pawn and where it ends, like a1-c3, got 'b1'"),
        ("c1-d1", "'c1-d1' moves a pawn from c1, where seat 0 has none"),
        ("h1-g3", "'h1-g3' moves a pawn from h1, where seat 0 has none"),
        ("a1-b1", "'a1-b1' ends on b1, which is taken; a pawn ends on a free cell"),
        ("b1-e3", "neither a step nor a chain of hops leads from b1 to e3 in 'b1-e3'"),
        ("b1-b1", "neither a step nor a chain of hops leads from b1 to b1 in 'b1-b1'"),
        ("pass", "'pass' is no legal move here; a seat passes only when it cannot move"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_it_breaks(text, sentence):
    with pytest.raises(IllegalMove) as refusal:
        DUEL.parse(DUEL.new(), 0, text)
    assert str(refusal.value) == sentence


def test_an_illegal_number_is_refused():
    with pytest.raises(IllegalMove, match=r"0 is no legal move in chinese_checkers\(seats=2, radius=2\)"):
        DUEL.after(DUEL.new(), PASS)


GAME = "chinese_checkers(seats=2, radius=2)"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a/aa/7/6/5/6/7/bb/b", f"expected board, seat and age in a position of {GAME}, got"),
        ("a/aa/7/6/5/6/7/bb 0 0", f"expected 9 rows in a position of {GAME}, got 8"),
        ("a/aa/8/6/5/6/7/bb/b 0 0", f"expected 7 cells in row c of a position of {GAME}, got '8'"),
        ("a/aa/c6/6/5/6/7/bb/b 0 0", f"expected 7 cells in row c of a position of {GAME}, got 'c6'"),
        ("a/aa/a6/6/5/6/7/bb/b 0 0", f"expected 3 pawns of seat 0 in a position of {GAME}, got 4"),
        ("a/aa/7/6/5/6/7/bb/1 0 0", f"expected 3 pawns of seat 1 in a position of {GAME}, got 2"),
        ("a/aa/7/6/5/6/7/bb/b 2 0", f"nobody sits on seat 2 in a position of {GAME}; the next seat is 0 to 1"),
        ("a/aa/7/6/5/6/7/bb/b 0 -1", f"-1 moves cannot have been made in a position of {GAME}; there are 0 to 400"),
        (
            "a/aa/7/6/5/6/7/bb/b 0 x",
            f"expected the next seat and the moves made at the end of a position of {GAME}, got '0 x'",
        ),
        (
            "b/bb/7/6/5/6/7/aa/a 0 9",
            f"the seats [0, 1] have all arrived, but the first ends the match, in a position of {GAME}",
        ),
    ],
)
def test_an_impossible_position_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(BadPosition) as refusal:
        DUEL.position(text)
    assert str(refusal.value).startswith(sentence)


def test_eleven_pawns_are_refused():
    rows = USUAL.notation(USUAL.new()).replace("/9/", "/a8/")
    with pytest.raises(BadPosition, match=r"expected 10 pawns of seat 0 in a position of chinese_checkers\(\), got 11"):
        USUAL.position(rows)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("chinese_checkers(seats=5)", "expected 2, 3, 4 or 6 seats, got 5 in chinese_checkers(seats=5)"),
        ("chinese_checkers(radius=5)", "expected a radius of 2, 3 or 4, got 5 in chinese_checkers(radius=5)"),
        (
            "chinese_checkers(camp=none)",
            "expected a text for camp, got None in chinese_checkers(camp=none); put it in quotes",
        ),
        (
            "chinese_checkers(camp=few)",
            "expected camp 'most', 'one' or 'all', got 'few' in chinese_checkers(camp='few')",
        ),
        ("chinese_checkers(rounds=1001)", "expected 1 to 1000 rounds, got 1001 in chinese_checkers(rounds=1001)"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text, sentence):
    with pytest.raises(BadParameter) as refusal:
        load_game(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("game", [USUAL, *EVERY[3::4]], ids=str)
def test_positions_survive_being_written_and_read(game):
    for state in states_on_the_way(game, matches=1, every=40):
        again = game.position(game.notation(state))
        assert again == state
        for move in game.legal(state):
            assert game.parse(again, game.mover(state), game.say(state, game.mover(state), move).upper()) == move


def test_the_source_s_estimate_counts_steps_to_the_destination_camp():
    out, estimate = np.zeros(2), DUEL.estimate("distance")
    estimate.value(DUEL, DUEL.new(), out)
    assert list(out) == [(32 - 19) / 32] * 2
    estimate.value(DUEL, DUEL.position("1/aa/7/6/2a2/6/7/bb/b 1 1"), out)
    assert list(out) == [(32 - 6 - 6 - 3) / 32, (32 - 19) / 32]


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_the_source_s_estimate_measures_the_steps_that_pawns_have_come(game):
    out, estimate = np.zeros(game.seats), game.estimate("distance")
    estimate.measure(game, game.new(), out)
    assert list(out) == [0] * game.seats
    state = game.new()
    state.far[0] -= 3
    estimate.measure(game, state, out)
    assert list(out) == [3] + [0] * (game.seats - 1)
    assert estimate.unit == "step"
    for seat in range(game.seats):  # no cells are farther away than home, and who has come all the way has won
        assert estimate.widest_edge(game) == sum(sorted(game.away[seat].tolist())[-game.pawns :]) - 1


@pytest.mark.parametrize("game", [USUAL, DUEL, EVERY[3]], ids=str)
def test_estimates_and_their_intervals_keep_to_the_scale(game):
    low, high, out = np.zeros(game.seats), np.zeros(game.seats), np.zeros(game.seats)
    for estimate in game.estimates:
        assert estimate.has_intervals
        for state in states_on_the_way(game, matches=1, every=20):
            estimate.value(game, state, out)
            estimate.interval(game, state, low, high)
            assert (low == out).all()
            assert (out >= 0).all()
            assert (out <= high).all()
            assert (high == 1).all()
            if estimate.within_total:
                assert 1 - game.seats * 2.0**-20 <= out.sum() <= 1
        end = game.position(game.notation(game.new()).rsplit(" ", 1)[0] + f" {game.longest}")
        estimate.interval(game, end, low, high)
        assert list(low) == list(high) == list(game.payoffs(end))


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_the_tables_of_the_estimates_are_wide_enough(game):
    for seat in range(game.seats):
        assert sum(sorted(game.away[seat].tolist())[-game.pawns :]) <= game.scale
        assert sum(sorted(game.toil[seat].tolist())[-game.pawns :]) < 4096


def test_a_search_that_counts_steps_arrives_before_random_play():
    agents = [load_agent("paranoid(depth=2)"), load_agent("random")]
    assert play_match(DUEL, agents, seed=1).payoffs == (1.0, 0.0)
    assert play_match(DUEL, agents[::-1], seed=1).payoffs == (0.0, 1.0)


@pytest.mark.parametrize("estimate", ["distance", "journey"])
def test_compiled_and_interpreted_search_alike(estimate):
    agent = load_agent(f"maxn(depth=1, estimate={estimate})")
    for state in states_on_the_way(USUAL, matches=1, every=100):
        fast, slow = agent.decide(USUAL, state), agent.decide(USUAL, state, ask=TWIN)
        assert (fast.move, fast.values, fast.nodes, fast.moves) == (slow.move, slow.values, slow.nodes, slow.moves)


@pytest.mark.parametrize("radius", [2, 3, 4])
def test_the_picture_has_numbers_for_every_row_and_column(radius):
    game = ChineseCheckers(seats=2, radius=radius)
    lines = game.show(game.new()).splitlines()
    rulers = [at for at, line in enumerate(lines) if line.startswith(" ")]
    assert len(rulers) == 2
    for at, beside in ((rulers[0], rulers[0] + 1), (rulers[1], rulers[1] - 1)):
        _, *cells, count = lines[beside].split()
        assert lines[at].split() == [str(number % 10) for number in range(1, len(cells) + 1)]
        assert [column for column, sign in enumerate(lines[at]) if sign != " "] == [
            column for column, sign in enumerate(lines[beside][: -len(count)]) if column > 0 and sign != " "
        ]
    for line in lines:
        if not line.startswith(" "):
            _, *cells, count = line.split()
            assert int(count) == len(cells)
            assert f"{line[0]}{count}" in game.star.names
            assert f"{line[0]}{int(count) + 1}" not in game.star.names
