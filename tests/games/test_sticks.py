"""Sticks."""

import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.games.sticks import Sticks
from tests import oracles


def test_one_two_or_three_are_taken_while_they_last():
    game = Sticks(3, 5)
    state = game.new()
    assert game.legal(state) == [1, 2, 3]
    assert game.legal(game.after(state, 3)) == [1, 2]
    assert game.legal(game.after(state, 3, 1)) == [1]
    assert game.legal(game.after(state, 3, 2)) == []


def test_the_last_stick_wins():
    game = Sticks(3, 5)
    assert game.payoffs(game.after(game.new(), 3, 2)) == (0.0, 1.0, 0.0)
    assert game.payoffs(game.after(game.new(), 1, 1, 3)) == (0.0, 0.0, 1.0)


def test_the_seats_take_turns():
    game = Sticks(4, 20)
    assert [game.mover(game.after(game.new(), *[1] * turns)) for turns in range(6)] == [0, 1, 2, 3, 0, 1]


def test_the_number_of_plays_is_the_tribonacci_number():
    """Ways to write n as an ordered sum of 1, 2 and 3."""
    ways = {
        n: sum(
            oracles.perft(Sticks(3, n), Sticks(3, n).new(), length) - still_going(n, length)
            for length in range(1, n + 1)
        )
        for n in range(1, 9)
    }
    assert ways == {1: 1, 2: 2, 3: 4, 4: 7, 5: 13, 6: 24, 7: 44, 8: 81}


def still_going(sticks, length):
    """Paths of a length that leave something."""
    game = Sticks(3, sticks)
    frontier = [game.new()]
    for _ in range(length):
        frontier = [game.after(state, move) for state in frontier for move in game.legal(state)]
    return len([state for state in frontier if state.left])


def test_it_is_shown():
    game = Sticks(3, 4)
    assert game.show(game.after(game.new(), 1)) == "| | | (3 left, seat 1 to move)"


def test_positions_are_read_and_written():
    game = Sticks(3, 9)
    assert game.notation(game.after(game.new(), 2)) == "left=7 seat=1 winner=0"
    assert game.position("left=7 seat=1 winner=0") == game.after(game.new(), 2)
    with pytest.raises(BadPosition, match="expected the fields left, seat, winner in a position of sticks"):
        game.position("right=7")
    with pytest.raises(BadPosition, match="the field 'seat' is missing in the position"):
        game.position("left=7")
    with pytest.raises(BadPosition, match="'many' does not fit the field 'left'"):
        game.position("left=many seat=0 winner=0")
    with pytest.raises(BadPosition, match="expected 1 numbers for 'left'"):
        game.position("left=1,2 seat=0 winner=0")


def test_nonsense_is_refused():
    for sticks in (0, 10_001, 2.5):
        with pytest.raises(BadParameter, match=f"expected 1 to 10000 sticks, got {sticks} in sticks"):
            Sticks(3, sticks)
    with pytest.raises(BadParameter, match=r"expected 2 to 8 seats, got 9 in sticks\(seats=9\)"):
        load_game("sticks(seats=9)")
    game = Sticks(3, 2)
    with pytest.raises(IllegalMove, match=r"3 is no legal move in sticks\(sticks=2\) at left=2 seat=0 winner=0"):
        game.after(game.new(), 3)
    with pytest.raises(IllegalMove, match="'five' is no legal move here; the moves are 1, 2"):
        game.parse(game.new(), 0, "five")
