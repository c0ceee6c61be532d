"""Sticks: take one, two or three; whoever takes the last stick wins.

The teaching game: small enough to solve by hand, and with three seats already a game in which a seat that cannot win
may decide who does.
"""

import numpy as np

from kingmaker.core.game import OVER, Facts, Game


class Sticks(Game):
    """Take one, two or three; the last stick wins."""

    State = np.dtype([("left", np.int16), ("seat", np.int8), ("winner", np.int8)], align=True)
    max_moves = 3
    facts = Facts(seats=(2, 8), single_winner=True, low=0.0, high=1.0, total=1.0, constant_sum=True)

    def __init__(self, seats=3, sticks=15):
        self.seats, self.sticks = seats, sticks
        self.require(isinstance(sticks, int) and 1 <= sticks <= 10_000, f"expected 1 to 10000 sticks, got {sticks}")

    def start(self, state, rng):
        state.left = self.sticks

    def mover(self, state):
        return state.seat if state.left > 0 else OVER

    def moves(self, state, seat, out):
        count = min(3, state.left)
        for i in range(count):
            out[i] = i + 1
        return count

    def play(self, state, seat, move):
        state.left -= move
        state.winner = seat
        state.seat = (seat + 1) % self.seats

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = 1.0 if seat == state.winner else 0.0

    def admits(self, state):
        return 0 <= state.left <= self.sticks and 0 <= state.seat < self.seats and 0 <= state.winner < self.seats

    def show(self, state):
        return "| " * state.left + f"({state.left} left, seat {state.seat} to move)"
