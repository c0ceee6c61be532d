"""Chinese Checkers beside OpenSpiel, turn by turn: the same boards, turns, movers and ends in two thousand matches.

There each hop is an action of its own and a chain ends by passing, so turns are compared whole: which pawn can end
where. Its rules are ours with `camp="all"`, except at the limit, where its players all get nothing and our point is
shared by the nearest.
"""

import random

import numpy as np
import pyspiel
import pytest

from kingmaker.arena.table.referee import referee_of
from kingmaker.core.game import OVER
from kingmaker.games.chinese_checkers import PASS, ChineseCheckers

STOP = 726  # the action that ends a chain of hops, and that passes
CELLS = 121
WAYS = (
    (-1, -1),
    (-1, 1),
    (0, -2),
    (0, 2),
    (1, -1),
    (1, 1),
)  # row and column of the picture; an action is 6 * cell + way
SEATS = (2, 3, 4, 6)


def geometry():
    """The next cell and the one behind it, for every cell and way, read off OpenSpiel's picture; -1 off the board."""
    lines = str(pyspiel.load_game("chinese_checkers(players=2)").new_initial_state()).splitlines()[:17]
    spots = [(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign != " "]
    at = {spot: cell for cell, spot in enumerate(spots)}
    return [
        [[at.get((row + far * down, column + far * right), -1) for down, right in WAYS] for row, column in spots]
        for far in (1, 2)
    ]


NEXT, BEHIND = geometry()


def their_board(theirs):
    """A sign a cell, `.` or the number of the player."""
    return "".join(str(theirs).partition("Player")[0].split())


def our_board(ours):
    """The same, from our two words a seat."""
    pawns = np.unpackbits(np.ascontiguousarray(ours.pawns).view(np.uint8), axis=1, bitorder="little")
    return (
        ((ord("1") - ord(".") + np.arange(len(pawns))) @ pawns[:, :CELLS] + ord("."))
        .astype(np.uint8)
        .tobytes()
        .decode()
    )


def their_turns(theirs, board):
    """Every (cell, goal) that a turn can come to, found by playing out all chains of hops and taking them back."""
    seat, found = theirs.current_player(), set()
    for action in theirs.legal_actions():
        if action == STOP:
            return {(0, 0)}
        cell, way = divmod(action, 6)
        if board[NEXT[cell][way]] == ".":
            found.add((cell, NEXT[cell][way]))
        else:
            follow(theirs, seat, cell, action, found, set())
    return found


def follow(theirs, seat, cell, action, found, seen):
    """Hop, note where the pawn is, and hop on from there to where this chain has not been."""
    goal = BEHIND[action // 6][action % 6]
    if goal in seen:
        return
    seen.add(goal)
    found.add((cell, goal))
    theirs.apply_action(action)
    if theirs.current_player() == seat:
        for further in theirs.legal_actions()[:-1]:
            follow(theirs, seat, cell, further, found, seen)
    theirs.undo_action(seat, action)


def actions_for(board, cell, goal):
    """A way for OpenSpiel to make a whole turn: one step, or the fewest hops and then, where the chain could go on, an
    end to it.
    """
    if goal in NEXT[cell]:
        return [6 * cell + NEXT[cell].index(goal)]
    came, todo = {cell: []}, [cell]
    for here in todo:
        for way, (over, beyond) in enumerate(zip(NEXT[here], BEHIND[here])):
            if beyond >= 0 and beyond not in came and over != cell and board[over] != "." and board[beyond] == ".":
                came[beyond] = [*came[here], 6 * here + way]
                todo.append(beyond)
    return came[goal]


def make_turn(theirs, board, move):
    """Play our move on OpenSpiel's state, every action of it legal there."""
    seat = theirs.current_player()
    for action in [STOP] if move == PASS else actions_for(board, move >> 7, move & 127):
        assert action in theirs.legal_actions()
        theirs.apply_action(action)
    if move != PASS and theirs.current_player() == seat:
        theirs.apply_action(STOP)


def lock_step(game, seed, turns, greed=0.0):
    """Play the last turns of one match on both sides; compare board, mover and all whole turns in every position, and
    the result. Who arrived, or -1.

    The share `greed` of the moves bring a pawn as far on as they can, so that somebody arrives.
    """
    rng, rules = random.Random(seed), referee_of(game)
    ours = game.new()
    ours.age = game.longest - turns
    theirs = pyspiel.load_game("chinese_checkers", {"players": game.seats, "max_moves": turns}).new_initial_state()
    for _ in range(turns + 1):
        board, seat = our_board(ours), rules.mover(game, ours)
        assert board == their_board(theirs)
        assert (seat == OVER) == theirs.is_terminal()
        if seat == OVER:
            break
        assert seat == theirs.current_player()
        moves = game.legal(ours)
        assert {(move >> 7, move & 127) for move in moves} == their_turns(theirs, board)
        move = rng.choice(moves)
        if rng.random() < greed:
            toil = game.toil[seat].tolist()
            move = min(moves, key=lambda move, toil=toil: toil[move & 127] - toil[move >> 7])
        make_turn(theirs, board, move)
        rules.take(ours, ((seat, move),))
    winner = int(ours.winner) - 1
    won, lost = (game.seats - 1.0, -1.0) if winner >= 0 else (0.0, 0.0)
    assert theirs.returns() == [won if seat == winner else lost for seat in range(game.seats)]
    return winner


GAMES = {seats: ChineseCheckers(seats=seats, camp="all", rounds=150) for seats in SEATS}


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("seats", SEATS)
def test_two_thousand_random_matches_of_80_turns_agree_in_every_position(seats, part):
    for seed in range(250 * part, 250 * (part + 1)):
        lock_step(GAMES[seats], seed, turns=80)


@pytest.mark.parametrize("seats", SEATS)
def test_matches_in_which_somebody_arrives_agree_to_the_end(seats):
    game = GAMES[seats]
    arrived = {lock_step(game, seed, game.longest, greed=0.8) for seed in range(20)} - {-1}
    assert len(arrived) > seats // 2
