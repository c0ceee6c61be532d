"""The door of a game: what comes from outside is looked at before machine code sees it."""

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.door import admitted
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove, Mismatch
from kingmaker.games.abalone import NUMBERS, step
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.light_bike import LightBike
from kingmaker.games.sticks import Sticks
from kingmaker.probe.perft import perft
from tests.samples import TWIN

SMALL, LARGE = LightBike(width=6, height=6), LightBike(width=12, height=12)
STICKS = Sticks(seats=3, sticks=9)
FOREIGN = [LARGE.new(), LARGE.new().tobytes(), np.zeros(1, SMALL.State), None, 3, "text"]
WAYS_IN = {
    "legal": lambda game, state: game.legal(state),
    "legal of a seat": lambda game, state: game.legal(state, 0),
    "after": lambda game, state: game.after(state, 0),
    "parse": lambda game, state: game.parse(state, 0, "N"),
    "decide": lambda game, state: load_agent("maxn(depth=1)").decide(game, state),
    "decide interpreted": lambda game, state: load_agent("maxn(depth=1)").decide(game, state, ask=TWIN),
    "random": lambda game, state: load_agent("random").decide(game, state),
    "mp_mix": lambda game, state: load_agent("mp_mix(depth=1)").decide(game, state),
    "perft": lambda game, state: perft(game, state, 1),
}


@pytest.mark.parametrize("state", FOREIGN, ids=lambda state: type(state).__name__)
@pytest.mark.parametrize("enter", WAYS_IN.values(), ids=list(WAYS_IN))
def test_a_state_of_another_game_is_refused_everywhere(enter, state):
    with pytest.raises(
        Mismatch,
        match=r"expected a state of light_bike\(width=6, height=6\), got .*; make one with new\(\) or position\(\)",
    ):
        enter(SMALL, state)


def test_a_match_begins_at_a_state_of_its_own_game():
    with pytest.raises(
        Mismatch, match=r"expected a state of light_bike\(width=6, height=6\), got a record with other fields"
    ):
        play_match(SMALL, [load_agent("random")] * 3, state=LARGE.new())


def test_a_record_with_the_same_size_and_other_fields_is_refused():
    alike = np.zeros(1, np.dtype([("left", np.int16), ("winner", np.int8), ("seat", np.int8)], align=True))[0]
    assert alike.nbytes == STICKS.new().nbytes
    with pytest.raises(Mismatch, match="got a record with other fields"):
        STICKS.legal(alike)


def test_a_plain_record_with_the_fields_of_the_game_is_welcome():
    plain = np.zeros(1, STICKS.State)[0]
    plain["left"] = 2
    assert admitted(STICKS, STICKS.copy(STICKS.new())) == 0
    assert STICKS.legal(STICKS.position("left=2 seat=1 winner=0")) == [1, 2]


@pytest.mark.parametrize("seat", [100, -3, True, 1.0, "0", 10**30])
def test_a_seat_that_nobody_has_is_refused(seat):
    with pytest.raises(BadParameter, match=r"expected a seat from 0 to 2, got .* in sticks\(sticks=9\)"):
        STICKS.legal(STICKS.new(), seat)
    with pytest.raises(BadParameter, match="expected a seat from 0 to 2, got"):
        STICKS.parse(STICKS.new(), seat, "1")


def test_dice_that_do_not_roll_have_no_outcomes():
    with pytest.raises(BadParameter, match="expected a seat from 0 to 2, got -1"):
        STICKS.legal(STICKS.new(), -1)


@pytest.mark.parametrize("move", [True, 1.0, "1", None])
def test_a_move_is_a_whole_number(move):
    with pytest.raises(
        IllegalMove, match=r"expected a move as a whole number, got .* in sticks\(sticks=9\); read texts with parse\(\)"
    ):
        STICKS.after(STICKS.new(), move)


def test_a_move_that_is_not_legal_is_refused_at_any_size():
    for move in (0, -1, 4, 2_000_000_000, 10**30):
        with pytest.raises(IllegalMove, match=r"is no legal move in sticks\(sticks=9\)"):
            STICKS.after(STICKS.new(), move)


SPOILT = {
    "sticks": [("seat", 100), ("seat", -1), ("left", -5), ("left", 10_000), ("winner", 77)],
    "random_tree": [("seat", 100), ("seat", -7), ("ply", -1), ("ply", 1000)],
    "light_bike": [
        ("seat", 100),
        ("alive", 255),
        ("left", 5),
        ("age", -1),
        ("rows", 100),
        ("columns", -1),
        ("walls", 0),
        ("last", 0),
    ],
    "abalone": [("seat", 2), ("marbles", 2**64 - 1), ("pushed", 100), ("pushed", -1), ("over", 1), ("age", -1)],
    "chinese_checkers": [
        ("seat", 5),
        ("pawns", 0),
        ("pawns", 2**64 - 1),
        ("winner", 9),
        ("age", -4),
        ("far", 30_000),
        ("over", 1),
    ],
    "chess": [
        ("seat", 5),
        ("pieces", 0),
        ("sides", 2**64 - 1),
        ("length", 101),
        ("rights", 99),
        ("passing", 99),
        ("over", 50),
        ("clock", -1),
    ],
}


@pytest.mark.parametrize(
    ("name", "field", "value"), [(name, *each) for name, fields in SPOILT.items() for each in fields]
)
def test_a_state_that_does_not_hold_together_is_no_position(name, field, value):
    game = load_game(name)
    state = game.new()
    assert admitted(game, state) == 0
    state[field] = value
    with pytest.raises(
        BadPosition, match=rf"the state is no position of {name}\(\): .*; make one with new\(\) or position\(\)"
    ):
        load_agent("maxn(depth=1)").decide(game, state)


def test_a_king_that_could_be_captured_is_no_position_of_chess():
    game = load_game("chess")
    state = game.position("4k3/8/8/8/4R3/8/8/4K3 b - - 0 1")
    state.seat = 0
    with pytest.raises(BadPosition, match="the state is no position of chess"):
        admitted(game, state)


def test_the_line_of_a_chess_state_holds_only_kinds_of_pieces():
    game = load_game("chess")
    state = game.new()
    state.length, state.line[0] = 1, 0xFFFF
    with pytest.raises(BadPosition, match="the state is no position of chess"):
        admitted(game, state)


class Lenient(Sticks):
    """A game of one's own that admits everything."""

    def admits(self, state):
        return True

    def moves(self, state, seat, out):
        table = np.ones(self.seats, np.int8)
        out[0] = table[state.winner]
        return 1


def test_a_mover_out_of_range_is_refused_in_every_game():
    game = Lenient(seats=3)
    state = game.new()
    state.seat = 100
    with pytest.raises(
        BadPosition, match=r"expected a seat from 0 to 2 to move in lenient\(\), got 100 at left=15 seat=100"
    ):
        load_agent("maxn(depth=1)").decide(game, state, ask=TWIN)


def test_a_text_from_which_the_rules_cannot_go_on_is_refused():
    with pytest.raises(
        BadPosition,
        match=r"the rules of lenient\(\) cannot go on from the position 'left=3 seat=0 winner=50' \(IndexError: ",
    ):
        Lenient(seats=3).position("left=3 seat=0 winner=50")
    with pytest.raises(BadPosition, match=r"the state is no position of sticks\(\): left=3 seat=100"):
        load_game("sticks").position("left=3 seat=100 winner=0")


def test_a_place_in_another_tree_is_refused():
    one, other = ExplicitTree([[(1, 2, 3), (3, 2, 1)], (0, 0, 1)]), ExplicitTree([(1, 1, 1), [(2, 2, 2)]])
    with pytest.raises(BadPosition, match=r"the state is no position of explicit_tree"):
        load_agent("maxn(depth=1)").decide(one, other.new())
    with pytest.raises(Mismatch, match=r"expected a state of explicit_tree.*, got WideRecord"):
        one.legal(STICKS.new())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("light_bike", r"is no move of light_bike\(\); the moves are 0 to 3 for N, E, S, W"),
        ("abalone", r"is no move of abalone\(\); ask legal\(\) for the moves"),
        (
            "chinese_checkers",
            r"is no move of chinese_checkers\(\); a move is 128 times the number of a cell plus that of another",
        ),
        ("chess", r"is no move of white at rnbqkbnr.*; ask legal\(\) for the moves"),
        (
            "explicit_tree(tree=[[1, 2, 3], [3, 2, 1]])",
            r"is no move at / of explicit_tree.*; there are 2, counted from 0",
        ),
    ],
)
def test_a_move_that_cannot_be_said_is_refused(name, sentence):
    game = load_game(name)
    for move in (-1, 1 << 14, 2**31 - 1):
        with pytest.raises(IllegalMove, match=sentence):
            game.say(game.new(), 0, move)


def test_a_marble_that_would_leave_the_board_is_not_said():
    game = load_game("abalone")
    off = next(way for way in range(6) if step(NUMBERS["A1"], way) is None)
    with pytest.raises(IllegalMove, match=r"leads off the board of abalone\(\); ask legal\(\) for the moves"):
        game.say(game.new(), 0, off << 6 | NUMBERS["A1"])
