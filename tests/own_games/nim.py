"""Nim for any number of seats, written as a user would: five methods in a file outside the package."""

import numpy as np

import kingmaker as km

HEAPS = 3


def biggest(heaps):
    best = 0
    for heap in range(HEAPS):
        best = max(best, heaps[heap])
    return best


class Heaps(km.Estimate):
    """Whoever is to move has the better chances, the more so the bigger the biggest heap."""

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 0.25
        out[state.seat] = 0.5 + 0.5 * biggest(state.heaps) / (1.0 + game.size)


class Nim(km.Game):
    """Take any number from one heap; the last object wins."""

    State = np.dtype([("heaps", np.int8, (HEAPS,)), ("seat", np.int8)], align=True)
    facts = km.Facts(seats=(2, 6), low=0.0, high=1.0, total=1.0, constant_sum=True)
    estimates = (Heaps(),)

    def __init__(self, seats=3, size=3):
        self.seats, self.size = seats, size
        self.max_moves = HEAPS * size

    def start(self, state, rng):
        for heap in range(HEAPS):
            state.heaps[heap] = 1 + km.below(rng, self.size)

    def mover(self, state):
        return state.seat if biggest(state.heaps) > 0 else km.OVER

    def moves(self, state, seat, out):
        count = 0
        for heap in range(HEAPS):
            for taken in range(state.heaps[heap]):
                out[count] = heap * self.size + taken
                count += 1
        return count

    def play(self, state, seat, move):
        state.heaps[move // self.size] -= move % self.size + 1
        state.seat = (seat + 1) % self.seats

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = 0.0
        out[(state.seat - 1) % self.seats] = 1.0
