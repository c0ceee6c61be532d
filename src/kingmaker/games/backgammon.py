"""Backgammon: two seats, fifteen checkers each, dice; whoever bears off all checkers first wins.

A move is a whole turn, all checkers that a roll moves, so that a ply of a search is what players call a ply. Turns that
lead to the same position are listed once. The roll before every turn is a chance event with 21 outcomes; in the opening
roll each seat throws one die, the higher one begins with both, and equal dice are thrown again. There is no doubling
cube. With `gammons=True` a loser who has borne off nothing pays two points, and three if a checker is also on the bar
or in the winner's home. With `layout="hyper"` (hypergammon) each seat has three checkers only.

Every seat counts the points from its own side, 24 the farthest and 1 the last before bearing off, so that point 5 of
one seat is point 20 of the other.
"""

import numpy as np

from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.rng import below
from kingmaker.games.parts.backgammon.estimates import Pips, Prospects
from kingmaker.games.parts.backgammon.texts import (
    picture,
    read_position,
    say_roll,
    say_turn,
    turn_meant,
    write_position,
)
from kingmaker.games.parts.backgammon.turns import BAR, FIVE, HOME, POINTS, list_turns

LAYOUTS = {"standard": {24: 2, 13: 5, 8: 3, 6: 5}, "hyper": {24: 1, 23: 1, 22: 1}}  # point: checkers, for either seat
LARGE, SMALL = np.array([(large, small) for large in range(1, 7) for small in range(1, large + 1)]).T.copy()
ROLLS = 21  # events from this number on are opening rolls in which seat 1 begins
# with equal dice, four moves shared out among all checkers; with others, a point for each die and either order
TURNS = {15: 3060, 3: 18}


class Backgammon(Game):
    """Race fifteen checkers home past the other seat's."""

    seats = 2
    max_outcomes = 30
    estimates = (Pips(), Prospects())
    State = np.dtype(
        [
            ("checkers", np.int8, (2, POINTS)),  # on every point as the seat counts; 0: borne off, 25: on the bar
            ("dice", np.int8, (2,)),  # the larger first; 0: to be rolled
            ("seat", np.int8),  # to move or to roll; -1: the opening roll is to come
        ],
        align=True,
    )

    def __init__(self, gammons=False, layout="standard"):
        self.gammons, self.layout = gammons, layout
        self.require(layout in LAYOUTS, f"expected layout 'standard' or 'hyper', got '{layout}'")
        self.checkers = sum(LAYOUTS[layout].values())
        self.max_moves = TURNS[self.checkers]
        self.most = 3.0 if gammons else 1.0  # points that a match may be worth
        self.facts = Facts(
            seats=(2, 2), chance=True, single_winner=True, low=-self.most, high=self.most, total=0.0, constant_sum=True
        )

    def start(self, state, rng):
        for seat in range(2):
            for point, checkers in LAYOUTS[self.layout].items():
                state.checkers[seat, point] = checkers
        state.seat = -1

    def mover(self, state):
        if state.checkers[0, 0] == self.checkers or state.checkers[1, 0] == self.checkers:
            return OVER
        return state.seat if state.dice[0] > 0 else CHANCE

    def moves(self, state, seat, out):
        return list_turns(state, seat, out)

    def outcomes(self, state, out, odds):
        count = 0
        for roll in range(ROLLS):
            double = LARGE[roll] == SMALL[roll]
            if state.seat >= 0:
                out[count] = roll
                odds[count] = 1 / 36 if double else 1 / 18
                count += 1
            elif not double:
                for first in range(2):
                    out[count] = roll + first * ROLLS
                    odds[count] = 1 / 30
                    count += 1
        return count

    def roll(self, state, rng):
        one, two = below(rng, 6) + 1, below(rng, 6) + 1
        while state.seat < 0 and one == two:
            one, two = below(rng, 6) + 1, below(rng, 6) + 1
        first = ROLLS if state.seat < 0 and two > one else 0
        large, small = max(one, two), min(one, two)
        return large * (large - 1) // 2 + small - 1 + first

    def play(self, state, seat, move):
        if seat == CHANCE:
            if state.seat < 0:
                state.seat = move // ROLLS
            state.dice[0], state.dice[1] = LARGE[move % ROLLS], SMALL[move % ROLLS]
            return
        for step in range(4):
            point = (move >> (5 * step)) & FIVE
            if point > 0:
                self.advance(state, seat, point, state.dice[0] if step == 0 else state.dice[1])
        state.dice[0] = state.dice[1] = 0
        state.seat = 1 - seat

    def advance(self, state, seat, point, die):
        """Move one checker and hit the blot that stands where it lands."""
        goal = max(point - die, 0)
        state.checkers[seat, point] -= 1
        state.checkers[seat, goal] += 1
        if goal > 0 and state.checkers[1 - seat, BAR - goal] == 1:
            state.checkers[1 - seat, BAR - goal] = 0
            state.checkers[1 - seat, BAR] += 1

    def payoff(self, state, out):
        winner = 0 if state.checkers[0, 0] == self.checkers else 1
        out[winner] = self.stake(state, 1 - winner)
        out[1 - winner] = -out[winner]

    def stake(self, state, loser):
        """The points that the loser pays."""
        if not self.gammons or state.checkers[loser, 0] > 0:
            return 1.0
        for point in range(BAR - HOME, BAR + 1):
            if state.checkers[loser, point] > 0:
                return 3.0
        return 2.0

    def is_race(self, state):
        """Have the seats passed each other, so that no checker can be hit or blocked any more?"""
        return self.rearmost(state, 0) + self.rearmost(state, 1) < BAR

    def rearmost(self, state, seat):
        """The highest point of the seat that holds a checker; 0 if all are off."""
        for point in range(BAR, 0, -1):
            if state.checkers[seat, point] > 0:
                return point
        return 0

    def phase(self, state):
        """The phase of the match by its name: `contact` or `race`."""
        return "race" if self.is_race(state) else "contact"

    def admits(self, state):
        """Each seat has all its checkers, no point holds both seats', and the dice are rolled or not."""
        large, small = state.dice.tolist()
        rolled = 1 <= small <= large <= 6 and state.seat >= 0
        counts = state.checkers.tolist()
        return (
            -1 <= state.seat <= 1
            and (rolled or large == small == 0)
            and all(min(row) >= 0 and sum(row) == self.checkers for row in counts)
            and not any(counts[0][point] and counts[1][BAR - point] for point in range(1, BAR))
            and not counts[0][0] == counts[1][0] == self.checkers
        )

    def say(self, state, seat, move):
        return say_roll(self, state, move) if seat == CHANCE else say_turn(state, seat, move)

    def parse(self, state, seat, text):
        return super().parse(state, seat, text) if seat == CHANCE else turn_meant(self, state, seat, text)

    def show(self, state):
        return picture(self, state)

    def notation(self, state):
        return write_position(state)

    def position(self, text):
        return read_position(self, text)
