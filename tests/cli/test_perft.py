"""`kingmaker perft` and the counting behind it, against a count so slow that it is obvious."""

import json

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadGame, Mismatch
from kingmaker.probe.perft import perft

BIKES = "light_bike(seats=3, width=4, height=4, starts=distinct)"


def slow(game, state, depth):
    """All positions, breadth first, by what Python callers have."""
    counts, level = [1], [state]
    with np.errstate(over="ignore"):
        for _ in range(depth):
            level = [game.after(each, move) for each in level for move in game.legal(each)]
            counts.append(len(level))
    return counts


@pytest.mark.parametrize(
    ("text", "depth"),
    [(BIKES, 9), ("sticks(sticks=9)", 7), ("random_tree(seats=3, chance=2)", 6), ("sticks(sticks=1)", 3)],
)
def test_compiled_interpreted_and_slow_agree(text, depth):
    game = load_game(text)
    for seed in (1, 2):
        state = game.new(seed)
        assert perft(game, state, depth) == perft(game, state, depth, compiled=False) == slow(game, state, depth)


def test_light_bike_keeps_its_counts():
    game = load_game("light_bike(starts=distinct)")
    golden = [1, 3, 6, 18, 42, 84, 196, 532, 1311, 3553]
    assert perft(game, game.new(1), 9) == slow(game, game.new(1), 9) == golden


def test_games_without_records_are_counted_interpreted():
    game = load_game("explicit_tree(tree=[[(1, 2, 3), (2, 1, 1)], [(0, 0, 1)]])")
    assert perft(game, game.new(), 5) == [1, 2, 3, 0, 0, 0]
    with pytest.raises(Mismatch, match="cannot be compiled, for its states are not records; run it interpreted"):
        perft(game, game.new(), 2, compiled=True)


WRONG = {
    False: r"the rules of sticks\(sticks=9\) list -1 moves in a position, expected 1 to 3",
    True: r"expected at least one move for seat 0, got none",  # seen by the examination that machine code needs
}


@pytest.mark.parametrize("compiled", [True, False])
def test_a_game_that_lists_a_wrong_number_of_moves_is_refused(compiled):
    game = load_game("sticks(sticks=9)")
    state = game.new()
    state.left = -1
    with pytest.raises(BadGame, match=WRONG[compiled]):
        perft(Endless(), state, 3, compiled=compiled)
    assert perft(game, game.new(), 1) == [1, 3]


class Endless(type(load_game("sticks(sticks=9)"))):
    """Goes on with less than no sticks."""

    def mover(self, state):
        return state.seat

    def admits(self, state):
        return True

    def __str__(self):
        return "sticks(sticks=9)"


def test_the_table_and_the_document_hold_the_counts(run):
    ran = run("perft", "sticks(sticks=4)", "--depth", "3")
    assert [line.split() for line in ran.out.splitlines()[3:7]] == [["0", "1"], ["1", "3"], ["2", "6"], ["3", "4"]]
    document = json.loads(run("perft", "sticks(sticks=4)", "--depth", "3", "--moves", "1", "--json").out)
    assert document["leaves"] == [1, 3, 3, 1]
    assert document["nodes"] == 8
    assert document["position"] == "left=3 seat=1 winner=0"


def test_interpreted_counts_the_same(run):
    compiled, twin = (
        json.loads(run("perft", BIKES, "--depth", "6", "--seed", "3", "--json", *more).out)
        for more in ((), ("--interpreted",))
    )
    assert compiled["leaves"] == twin["leaves"]
