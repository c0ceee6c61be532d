"""Sticks as users write it, each with one fault. In a file, so that its source can be read."""

import random
import time
from random import randint

import numpy as np

import kingmaker as km
from kingmaker import CHANCE, OVER, below

SEEN = []
COUNTS = {}
TOTALS = np.zeros(3)


def list_moves(state, out):
    count = min(3, state.left)
    for i in range(count):
        out[i] = i + 1
    return count


def take(game, state, seat, move):
    state.left -= move
    state.winner = seat
    state.seat = (seat + 1) % game.seats


class Pile(km.Game):
    """Take one, two or three; whoever takes the last wins."""

    State = np.dtype(
        [("left", np.int16), ("seat", np.int8), ("winner", np.int8), ("taken", np.int16, (3,))], align=True
    )
    max_moves = 3
    facts = km.Facts(low=0.0, high=1.0)

    def __init__(self, seats=3, sticks=9):
        self.seats, self.sticks = seats, sticks

    def start(self, state, rng):
        state.left = self.sticks

    def mover(self, state):
        return state.seat if state.left > 0 else OVER

    def moves(self, state, seat, out):
        return list_moves(state, out)

    def play(self, state, seat, move):
        take(self, state, seat, move)

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = 1.0 if seat == state.winner else 0.0


class OnlyTheWinner(Pile):
    def payoff(self, state, out):
        out[state.winner] = 1.0


class AddingUp(Pile):
    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] += seat == state.winner


class ReturnedPayoff(Pile):
    def payoff(self, state, out):
        return [1.0 if seat == state.winner else 0.0 for seat in range(self.seats)]


class ReturnedState(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        return state


class Uncounted(Pile):
    def moves(self, state, seat, out):
        list_moves(state, out)


class Listed(Pile):
    def moves(self, state, seat, out):
        return [1, 2, 3][: state.left]


class Overcounted(Pile):
    def moves(self, state, seat, out):
        return list_moves(state, out) + 1


class Crowded(Pile):
    def moves(self, state, seat, out):
        for i in range(4):
            out[i] = i + 1
        return 4


class Unwritten(Pile):
    def moves(self, state, seat, out):
        out[0] = 1
        return min(2, state.left)


class HalfMover(Pile):
    def mover(self, state):  # noqa: RET503
        if state.left > 0:
            return state.seat


class FarMover(Pile):
    def mover(self, state):
        return state.seat + 3 * (state.left == 2) if state.left > 0 else OVER


class LowMover(Pile):
    def mover(self, state):
        return -3 if state.left == 2 else state.seat if state.left > 0 else OVER


class FloatMover(Pile):
    def mover(self, state):
        return state.seat / 1 if state.left > 0 else OVER


class Dicey(Pile):
    def mover(self, state):
        return CHANCE if state.left == 2 else state.seat if state.left > 0 else OVER


class Acting(Pile):
    def acting(self, state):
        return state.seat


class Stepping(Pile):
    def step(self, state, joint):
        state.left -= joint[0]


class RandomNumpy(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        if state.left == 1 and np.random.random() < 0.001:
            state.seat = 0


class RandomModule(Pile):
    def start(self, state, rng):
        state.left = self.sticks
        if random.random() < 0.001:
            state.left += 1


class RandomName(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[0] = randint(0, 9) // 10


class RandomOwn(Pile):
    def __init__(self, seats=3, sticks=9):
        super().__init__(seats, sticks)
        self.dice = np.random.default_rng(1)


def tick():
    return time.time() < 0


class Clock(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[0] = tick()


class Remembering(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        SEEN.append(move)


class Counting(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        COUNTS[move] = COUNTS.get(move, 0) + 1


class Totalling(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        TOTALS[seat] += move


class SelfChanging(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        self.last = move


class ClassChanging(Pile):
    last = 0

    def play(self, state, seat, move):
        take(self, state, seat, move)
        ClassChanging.last = move


class Aliased(Pile):
    """Changes what lasts by another name, which only running it shows."""

    memory = [0]

    def play(self, state, seat, move):
        take(self, state, seat, move)
        memory = self.memory
        memory[0] += 1
        state.taken[0] = memory[0]


class Peeking(Pile):
    def moves(self, state, seat, out):
        state.taken[0] += 1
        return list_moves(state, out)


class OneTooFar(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[move] = 1


class Endless(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        while state.left == 2:
            pass


class Rare(Pile):
    """Reads beyond its array only after eight single sticks in a row."""

    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[1] = state.taken[1] + 1 if move == 1 else 0
        if state.taken[1] > 7:
            state.taken[3] = 1


class Trap(Pile):
    """Sound wherever a match can get to; from a position with a trap it reads beyond its array, and from another it
    never ends.
    """

    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[state.taken[0]] += 0
        while state.taken[1] == 1:
            state.taken[2] = 1 - state.taken[2]


class Unreadable(Pile):
    def notation(self, state):
        return f"{state.left} sticks"

    def position(self, text):
        return self.new(0)


class Grasping(km.Estimate):
    """Sets one entry only."""

    def value(self, game, state, out):
        out[state.seat] = 0.5


class Telling(km.Estimate):
    """Returns what it should write."""

    def value(self, game, state, out):
        return [0.5] * game.seats


class Weighing(km.Estimate):
    """Counts ounces, a quarter of the value each."""

    unit = "ounce"
    amounts = (3.0, 1.0, 2.0)

    def value(self, game, state, out):
        out[0], out[1], out[2] = 0.75, 0.25, 0.5

    def measure(self, game, state, out):
        for seat in range(3):
            out[seat] = self.amounts[seat]

    def widest_edge(self, game):
        return 2.0


class Skipping(Weighing):
    def measure(self, game, state, out):
        out[0], out[2] = 3.0, 2.0


class Boundless(Weighing):
    amounts = (np.inf, 0.0, 0.0)


class Contrary(Weighing):
    """Has another leader."""

    amounts = (1.0, 1.0, 2.0)


class Level(Weighing):
    """Lets two lead where one does."""

    amounts = (3.0, 1.0, 3.0)


class Swapped(Weighing):
    """Has the right leader, and the other two the wrong way round."""

    amounts = (3.0, 2.0, 1.0)


class Wider(Weighing):
    amounts = (3.0, 0.0, 2.0)


class Mute(Weighing):
    def widest_edge(self, game):
        return None


class Below(Weighing):
    def widest_edge(self, game):
        return -1.0


class Torn(Weighing):
    def widest_edge(self, game):
        return 1 / 0


class Numbered(Weighing):
    unit = 3


class Reaching(Weighing):
    """Reads beyond its array only after eight single sticks in a row."""

    def measure(self, game, state, out):
        out[0], out[1], out[2] = 3.0, 1.0, 2.0
        if state.taken[1] > 7:
            out[0] += state.taken[3]


class Overflowing(Weighing):
    """Counts with words of 64 bits what Python counts without end."""

    def measure(self, game, state, out):
        out[0], out[1], out[2] = (state.left << 62) >> 62, 0.0, 0.0

    def widest_edge(self, game):
        return game.sticks


class Patient(Pile):
    """Counts single sticks in a row, and is sound."""

    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[1] = state.taken[1] + 1 if move == 1 else 0


class Heap:
    """A state that is no record."""

    def __init__(self):
        self.left, self.seat, self.winner, self.past = 0, 0, 0, []


class Objects(Pile):
    """The same game over objects, without texts for its positions."""

    State = Heap

    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.past.append(move)


class Drawn(Pile):
    """A start by the numbers of rng, as it should be."""

    def start(self, state, rng):
        state.left = self.sticks + below(rng, 3)


class Game(km.Game):
    """A class that is itself called Game."""

    State, max_moves, seats = Pile.State, 3, 3
    sticks = 9
    start, mover, moves, play, payoff = Pile.start, Pile.mover, Pile.moves, Pile.play, Pile.payoff


class Elsewhere(Pile):
    def equivalent(self, state, seat, move):
        return 9


class AllAlike(Pile):
    def equivalent(self, state, seat, move):
        return 1
