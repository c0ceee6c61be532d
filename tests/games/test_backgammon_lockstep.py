"""Backgammon beside OpenSpiel, turn by turn: the same boards, rolls, movers, turns and ends in thousands of matches.

There a double is two actions of two checker moves each, and two actions may lead to the same position; so turns are
compared by the positions to which they lead. Its points are numbered from 0 in one direction for both players.
"""

import random
from functools import cache

import pyspiel
import pytest

from kingmaker.arena.table.referee import referee_of
from kingmaker.core.game import CHANCE, OVER
from kingmaker.games.backgammon import Backgammon

BAR = 25
THEIR_BAR, THEIR_PASS, LONGEST = 100, -1, 3000


@cache
def their_game(scoring, hyper):
    settings = {"scoring_type": scoring, "max_player_turns": 5000, "hyper_backgammon": hyper}
    return pyspiel.load_game("backgammon", settings)


def their_board(theirs, checkers):
    """The checkers of both seats on points 0 to 25, as each seat counts."""
    rows = []
    for seat in range(2):
        points = [theirs.board(seat, place) for place in (range(23, -1, -1) if seat == 0 else range(24))]
        bar = theirs.board(seat, THEIR_BAR)
        rows.append([checkers - sum(points) - bar, *points, bar])
    return rows


def moved(board, seat, steps):
    """The board after checker moves (point, die), as a key."""
    mine, others = board[seat].copy(), board[1 - seat].copy()
    for point, die in steps:
        goal = max(point - die, 0)
        mine[point] -= 1
        mine[goal] += 1
        if goal and others[BAR - goal] == 1:
            others[BAR - goal] = 0
            others[BAR] += 1
    return (tuple(mine), tuple(others))


def their_steps(theirs, seat, action):
    """The checker moves of an action as (point, die)."""
    found = []
    for move in theirs.spiel_move_to_checker_moves(seat, action):
        if move.pos != THEIR_PASS:
            point = BAR if move.pos == THEIR_BAR else 24 - move.pos if seat == 0 else move.pos + 1
            found.append((point, move.num))
    return found


def their_turns(theirs, seat, board, double):
    """Every position that a turn can lead to."""
    found = {}
    for action in theirs.legal_actions():
        found.setdefault(moved(board, seat, their_steps(theirs, seat, action)), action)
    if not double:
        return set(found)
    whole = set()
    for key, action in found.items():
        child = theirs.child(action)
        if child.current_player() != seat:
            whole.add(key)
            continue
        half = [list(key[0]), list(key[1])] if seat == 0 else [list(key[1]), list(key[0])]
        whole |= {moved(half, seat, their_steps(child, seat, action)) for action in child.legal_actions()}
    return whole


def our_steps(move, dice):
    points = [move >> 5 * step & 31 for step in range(4)]
    return [(point, dice[min(step, 1)]) for step, point in enumerate(points) if point]


def rolled(theirs, rng):
    """Let OpenSpiel roll; the number of our event for the same dice, and the action."""
    action, _ = rng.choice(theirs.chance_outcomes())
    text = theirs.action_to_string(-1, action)
    one, two = int(text[-3]), int(text[-2])
    large, small = max(one, two), min(one, two)
    return large * (large - 1) // 2 + small - 1 + (21 if "O starts" in text else 0), action


def their_choice(theirs, seat, rng):
    """Let OpenSpiel make a whole turn at random; its checker moves as (point, die)."""
    steps = []
    while True:
        action = rng.choice(theirs.legal_actions())
        steps += their_steps(theirs, seat, action)
        theirs.apply_action(action)
        if theirs.current_player() != seat:
            return steps


def our_move(steps, dice):
    """The number of our turn that leaves these points."""
    if dice[0] == dice[1]:
        return sum(point << 5 * at for at, point in enumerate(sorted((point for point, _ in steps), reverse=True)))
    return sum(point << 5 * dice.index(die) for point, die in steps)


def lock_step(game, scoring, seed, every):
    """Play one match on both sides; compare the mover and the turn at every step, the board and all turns at one
    step in `every`, and the end. How many positions were compared in full, and the result.
    """
    rng, rules, full = random.Random(seed), referee_of(game), 0
    ours, theirs = game.new(), their_game(scoring, game.checkers == 3).new_initial_state()
    for turn in range(LONGEST):
        seat = rules.mover(game, ours)
        assert (seat == OVER) == theirs.is_terminal()
        if seat == OVER:
            break
        assert (seat == CHANCE) == theirs.is_chance_node()
        if seat == CHANCE:
            event, action = rolled(theirs, rng)
            rules.take(ours, ((CHANCE, event),))
            theirs.apply_action(action)
            continue
        assert seat == theirs.current_player()
        dice, board, moves = ours.dice.tolist(), ours.checkers.tolist(), game.legal(ours)
        if turn % every < 2:  # rolls and turns alternate
            assert board == their_board(theirs, game.checkers)
            reached = [moved(board, seat, our_steps(move, dice)) for move in moves]
            assert len(set(reached)) == len(reached)
            assert set(reached) == their_turns(theirs, seat, board, dice[0] == dice[1])
            full += 1
        steps = their_choice(theirs, seat, rng)
        move = our_move(steps, dice)
        if move not in moves:  # then another of our turns leads to the same position
            goal = moved(board, seat, steps)
            (move,) = [move for move in moves if moved(board, seat, our_steps(move, dice)) == goal]
        rules.take(ours, ((seat, move),))
    expected = theirs.returns() if game.checkers == 15 else result_on(their_board(theirs, game.checkers), game.checkers)
    assert list(game.payoffs(ours)) == expected
    return full, max(expected)


def result_on(board, checkers):
    """The result with gammons, from the last board: OpenSpiel 2.0.2 gives nobody anything at the end of hypergammon."""
    winner = 0 if board[0][0] == checkers else 1
    loser = board[1 - winner]
    assert board[winner][0] == checkers > loser[0]
    points = 1.0 if loser[0] else 3.0 if any(loser[19:]) else 2.0
    return [points, -points] if winner == 0 else [-points, points]


@pytest.mark.parametrize("part", range(4))
def test_two_thousand_random_matches_agree_from_the_opening_roll_to_the_end(part):
    game = Backgammon()
    results = [lock_step(game, "winloss_scoring", seed, every=40) for seed in range(500 * part, 500 * (part + 1))]
    assert sum(full for full, _ in results) > 2000


def test_two_hundred_random_matches_with_gammons_agree_to_the_end():
    game = Backgammon(gammons=True)
    assert {lock_step(game, "full_scoring", seed, every=100)[1] for seed in range(200)} == {1.0, 2.0, 3.0}


def test_five_hundred_random_matches_with_three_checkers_agree_in_every_position():
    game = Backgammon(layout="hyper", gammons=True)
    results = [lock_step(game, "full_scoring", seed, every=1) for seed in range(500)]
    assert sum(full for full, _ in results) > 5000
    assert {points for _, points in results} == {1.0, 2.0, 3.0}
