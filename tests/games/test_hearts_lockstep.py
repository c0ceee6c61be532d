"""Hearts beside OpenSpiel, move by move: the same movers, moves and results in thousands of random hands.

There the options of the rules are parameters, and shooting the moon is always on; its returns are 26 minus the points.
"""

import random

import numpy as np
import pyspiel
import pytest

from kingmaker.arena.table.referee import referee_of
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.hearts import Hearts

SOURCE, PARLOUR = Hearts(), Hearts(rules="parlour")
OPTIONS = {
    SOURCE: "hearts(pass_cards=False,must_break_hearts=False,no_pts_on_first_trick=False)",
    PARLOUR: "hearts(pass_cards=True)",
}
DIRECTIONS = (1, 3, 2, 0)  # OpenSpiel's chance events for left, right, across and hold
THEIR_SUIT = (0, 1, 3, 2)  # clubs, diamonds, spades, hearts as OpenSpiel numbers them


def theirs_of(card):
    """A card as OpenSpiel numbers it."""
    return 4 * (card % 13) + THEIR_SUIT[card // 13]


def dealt(game, seed, way):
    """The same deal on both sides: ours, and OpenSpiel's after its chance events."""
    ours = game.blank()
    if game.parlour:
        ours.kept[0] = way
    with np.errstate(over="ignore"):
        game.start(ours, stream(seed, "lock-step"))
    theirs = pyspiel.load_game(OPTIONS[game]).new_initial_state()
    theirs.apply_action(DIRECTIONS[way] if game.parlour else 0)
    hands = [
        [13 * suit + rank for suit in range(4) for rank in range(13) if ours.hands[seat, suit] >> rank & 1]
        for seat in range(4)
    ]
    for place in range(13):
        for seat in range(4):
            theirs.apply_action(theirs_of(hands[seat][place]))
    return ours, theirs


def lock_step(game, seed, way):
    """Play a random hand on both sides and compare everything on the way; the points of the seats."""
    rng, rules = random.Random(seed), referee_of(game)
    ours, theirs = dealt(game, seed, way)
    while (seat := rules.mover(game, ours)) != OVER:
        assert seat == theirs.current_player()
        moves = game.legal(ours)
        assert sorted(map(theirs_of, moves)) == theirs.legal_actions()
        move = rng.choice(moves)
        rules.take(ours, ((seat, move),))
        theirs.apply_action(theirs_of(move))
    assert theirs.is_terminal()
    points = ours.points.tolist()
    counted = [0 if each == 26 else 26 for each in points] if 26 in points else points
    assert theirs.returns() == [26 - each for each in counted]
    assert game.payoffs(ours) == tuple(-each for each in (counted if game.parlour else points))
    return points


def test_sixteen_hundred_hands_by_the_source_s_rules_agree_in_every_position():
    for seed in range(1600):
        lock_step(SOURCE, seed, 3)


@pytest.mark.parametrize("way", range(4))
def test_two_hundred_hands_by_the_rules_of_the_parlour_agree_in_every_position(way):
    for seed in range(200):
        lock_step(PARLOUR, 4 * seed + way, way)
