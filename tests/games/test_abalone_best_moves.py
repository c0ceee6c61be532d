"""The best moves of a position of Abalone, found for all marbles at once, against playing every move."""

from functools import cache

import numpy as np
import pytest

from kingmaker.core.game import OVER
from kingmaker.core.rng import below, stream
from kingmaker.games.abalone import PASS, Abalone
from kingmaker.games.parts.abalone.arrangement import INWARDS, NEAR
from kingmaker.games.parts.abalone.best_moves import best_moves, places
from kingmaker.games.parts.grid import BIT
from kingmaker.games.parts.hexes import CELLS, DISCS
from kingmaker.probe.random_walk import wandered

THREE, TWO = Abalone(seats=3), Abalone()
PUSHED = THREE.estimates[0]
RARE = (  # one of the best moves is that of a row of which one end alone gains; of a pair of which no marble gains
    "2b2/5b/1b3b1/8/b1b1ab3/1b2a2b/4a2/2b1a1/5",
    "b2bb/bbbb1b/1bbbb1b/bbbbbbbb/1bbbbb1bb/b1b1ba1b/2b1bab/b1bbba/b2b1",
)
pytestmark = pytest.mark.usefixtures("wrapping")


def scattered(game, number):
    """A position with fewer and fewer marbles anywhere on the board."""
    rng, state = stream(number, "scattered"), game.blank()
    cells = list(range(CELLS))
    for seat in range(game.seats):
        for _ in range(1 + below(rng, game.marbles)):
            state.marbles[seat] |= BIT[cells.pop(below(rng, len(cells)))]
        state.pushed[seat] = below(rng, 6)
    return state


def gathered(game, size):
    """A position in which the first seat has gathered in the middle, where most moves are for the worse."""
    state = game.blank()
    state.marbles[0] = DISCS[size]
    return state


def rare(game, rows):
    state = game.blank()
    game.read_board(state, rows)
    return state


def positions(game):
    walks = [wandered(game, game.new(), stream(seed, "walk"), compiled=False) for seed in range(2)]
    return [
        *(state for walk in walks for state in list(walk)[:-1][::9]),
        *(scattered(game, number) for number in range(150)),
        *(gathered(game, size) for size in range(2)),
        *(rare(game, rows) for rows in RARE),
    ]


def played(game, state, seat):
    """The own entry after each move, None after a move that ends the match."""
    entries = {}
    for move in game.legal(state, seat):
        child, out = game.copy(state), np.zeros(game.seats)
        game.play(child, seat, move)
        PUSHED.value(game, child, out)
        entries[move] = out[seat] if game.mover(child) != OVER else None
    return entries


@cache
def compared():
    """For all positions what was found, and what playing every move finds."""
    cases = []
    for game in (THREE, TWO):
        for state in positions(game):
            for seat in range(game.seats):
                out = np.zeros(game.max_moves, np.int32)
                found, many = best_moves(game, state, seat, out)
                cases.append((game, state, seat, out[:found].tolist(), many, played(game, state, seat)))
    return cases


def test_the_best_moves_are_those_that_playing_finds_best():
    for game, state, _, found, many, entries in compared():
        if found:
            highest = max(entries.values())
            assert found == [move for move, entry in entries.items() if entry == highest], game.notation(state)
            assert many == len(entries)


def test_none_are_listed_only_where_a_move_ends_the_match_or_there_is_none():
    without = 0
    for game, state, _, found, _, entries in compared():
        if not found:
            without += 1
            assert None in entries.values() or list(entries) == [PASS], game.notation(state)
        else:
            assert None not in entries.values()
    assert 0 < without < len(compared()) / 10


def test_every_kind_of_move_is_among_the_best():
    kinds = {move >> 9 for *_, found, _, _ in compared() for move in found}
    assert kinds == {0, 1, 2, 3, 4, 5, 6}
    assert any(pushes(game, state, seat, found[0]) for game, state, seat, found, _, _ in compared() if found)
    assert any(
        max(entries.values()) < before(game, state, seat)
        for game, state, seat, found, _, entries in compared()
        if found
    )


def pushes(game, state, seat, move):
    child = game.copy(state)
    game.play(child, seat, move)
    return any(child.marbles[other] != state.marbles[other] for other in range(game.seats) if other != seat)


def before(game, state, seat):
    out = np.zeros(game.seats)
    PUSHED.value(game, state, out)
    return out[seat]


def test_the_binary_digits_of_a_place_are_its_steps_to_the_rim_and_its_neighbours():
    for number in range(20):
        own, digits = scattered(THREE, number).marbles[0], np.zeros(4, np.uint64)
        places(own, digits)
        for cell in range(CELLS):
            place = sum((int(digits[digit]) >> cell & 1) << digit for digit in range(4))
            assert place == INWARDS[cell] + (int(NEAR[cell]) & int(own)).bit_count()
