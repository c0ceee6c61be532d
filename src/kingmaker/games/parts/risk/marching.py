"""Armies on their way: placed before the first turn, moved over a border, and marching towards the front."""

import numpy as np

from kingmaker.core.scratch import scratch
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES

MOST_ARMIES = 16_000  # on one territory; more are lost to hunger
NOBODY = -1
DEPLOYING = 9  # the phase before the first turn in which seats place their first armies
PART, LAST_PART = 4, 5  # how many armies a seat places then


class Marching:
    """The part of Risk's rules that is about moving armies over the map."""

    def add(self, state, t, armies):
        state.armies[t] = min(MOST_ARMIES, state.armies[t] + armies)

    def shift(self, state, source, target, armies):
        state.armies[source] -= armies
        self.add(state, target, armies)

    def is_front(self, state, t):
        """Has the territory a neighbour of another owner?"""
        for i in range(self.degree[t]):
            if state.owner[self.near[t, i]] != state.owner[t]:
                return True
        return False

    def army_of(self, seat):
        """The armies that a seat begins with."""
        return self.begin_with + (seat if self.late_armies and seat >= 2 else 0)

    def deploy(self, state, seat):
        """Let the next seat that has armies left place four of them, or the last five; else the first turn begins."""
        for step in range(self.seats):
            each = (seat + step) % self.seats
            left = self.army_of(each)
            for t in range(self.size):
                if state.owner[t] == each:
                    left -= state.armies[t]
            if left > 0:
                state.seat, state.phase = each, DEPLOYING
                state.reserve = left if left <= LAST_PART else PART
                return
        self.begin_turn(state, 0)

    def march(self, state):
        """Every army of the seat that stands behind the front moves one step towards it; one stays everywhere.

        Behind means without a foreign neighbour. Beside the front the way is to the strongest territory of the front,
        further back to the first neighbour that is nearer.
        """
        steps, sent = scratch(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
        seat, waiting = state.seat, 0
        for t in range(self.size):
            steps[t], sent[t] = np.uint64(99), np.uint64(0)
            if state.owner[t] == seat:
                if self.is_front(state, t):
                    steps[t] = np.uint64(0)
                elif min(state.movable[t], state.armies[t] - 1) > 0:
                    sent[t] = np.uint64(min(state.movable[t], state.armies[t] - 1))
                    waiting += 1
        far = 0
        while waiting > 0 and far < self.size:
            far += 1
            for t in range(self.size):
                if state.owner[t] == seat and steps[t] == 99:
                    best = NOBODY
                    for i in range(self.degree[t]):
                        other = self.near[t, i]
                        nearer = steps[other] == far - 1 and state.owner[other] == seat
                        if nearer and (best == NOBODY or (far == 1 and state.armies[other] > state.armies[best])):
                            best = other
                    if best != NOBODY:
                        steps[t] = np.uint64(far)
                        if sent[t] > 0:
                            self.shift(state, t, best, np.int64(sent[t]))
                            waiting -= 1
