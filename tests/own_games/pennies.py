"""Matching pennies: both seats show a side of a coin at once; equal sides are good for the first seat."""

import numpy as np

import kingmaker as km


class Pennies(km.Game):
    """Two heads bring the first seat `heads`, two tails 1, different sides nothing; the second seat gets the rest."""

    State = np.dtype([("shown", np.int8, (2,)), ("count", np.int8), ("seat", np.int8)], align=True)
    seats, max_moves = 2, 2

    def __init__(self, heads=1.0):
        self.heads = float(heads)
        self.facts = km.Facts(seats=(2, 2), simultaneous=True, low=0.0, high=1.0, total=1.0, constant_sum=True)
        self.require(0 < self.heads <= 1, f"expected more than 0 and at most 1 for two heads, got {heads}")

    def start(self, state, rng):
        return

    def mover(self, state):
        return state.seat if state.count < 2 else km.OVER

    def moves(self, state, seat, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, seat, move):
        state.shown[seat] = move
        state.count += 1
        state.seat = 1 - seat

    def turn_to(self, state, seat):
        state.seat = seat

    def step(self, state, joint):
        state.shown[0], state.shown[1] = joint[0], joint[1]
        state.count = 2

    def acting(self, state):
        return [0, 1] if state.count < 2 else []

    def payoff(self, state, out):
        out[0] = 0.0
        if state.shown[0] == state.shown[1]:
            out[0] = self.heads if state.shown[0] == 0 else 1.0
        out[1] = 1.0 - out[0]
