"""Random trees: uniform game trees of any size, made from a hash of the path.

A node is one 64-bit word that every move hashes further, so a tree of a million nodes needs no memory, and another tree
needs only another seed, not another compilation. This game is for experiments: the payoffs can be chosen, and there are
evaluation functions with a known error.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import GAMMA, S32, draw, mix

MOST_VALUES = 2**31  # more would not be drawn evenly from half a word
KINDS = ("uniform", "constant_sum", "binary")
SEAT_STEP = np.uint64(0xD1342543DE82EF95)


@kernel
def child(path, seat, move):
    """The path word after a move; it differs for every seat and every move."""
    return mix(path + GAMMA * np.uint64(move + 1) + SEAT_STEP * np.uint64(seat + 2))


@kernel
def pick(word, count):
    """A whole number from 0 to count - 1, from the upper half of a hashed word."""
    return np.int64(((word >> S32) * np.uint64(count)) >> S32)


class Guess(Estimate):
    """Evaluation function number `function`: the mean payoff of a few random leaves, mixed with noise of its own.

    `error` is the weight of the noise, from 0 (leaves only) to 1 (noise only). The guess never knows the value that the
    search is looking for, only a sample, like a real evaluation function. The interval reaches as far to both sides as
    the noise may have moved the guess.

    The leaves are as if drawn anew for every position, so a guess says nothing of how the match will go on; with
    `below` they are leaves that can be reached from the position by random moves.
    """

    has_intervals = True

    def __init__(self, function=0, error=0.25, leaves=4, below=False):
        self.function, self.error, self.leaves, self.below = function, error, leaves, below
        self.require(
            0 <= function < 2**31, f"expected an evaluation function numbered from 0 to {2**31 - 1}, got {function}"
        )
        self.require(0 <= error <= 1, f"expected an error from 0 to 1, got {error}")
        self.require(1 <= leaves <= 1000, f"expected 1 to 1000 leaves, got {leaves}")
        self.within_total = (64.0 * error).is_integer() and leaves in (1, 2, 4, 8)  # then sums are exact in binary

    def value(self, game, state, out):
        if state.ply >= game.height:
            game.payoff(state, out)
            return
        noise = np.uint64(self.function + 1) * SEAT_STEP
        for seat in range(game.seats):
            out[seat] = 0.0
        for leaf in range(self.leaves):
            word = self.leaf_word(game, state, mix(state.path + GAMMA * np.uint64(leaf + 1)))
            for seat in range(game.seats):
                out[seat] += game.prize(word, seat) * (1.0 - self.error) / self.leaves
        word = mix(state.path ^ noise)
        for seat in range(game.seats):
            out[seat] += self.error * game.prize(word, seat)

    def leaf_word(self, game, state, word):
        """The word itself, or that of a leaf below the state, to which the word leads."""
        if not self.below:
            return word
        path, seat = state.path, np.int64(state.seat)
        for ply in range(state.ply, game.height):
            move = pick(mix(path ^ word), game.branching)
            if game.chance > 0 and ply % game.chance == game.chance - 1:
                path = child(path, CHANCE, move)
            else:
                path = child(path, seat, move)
                seat = (seat + 1) % game.seats
        return path

    def interval(self, game, state, low, high):
        self.value(game, state, high)
        reach = self.error * game.high / 2 if state.ply < game.height else 0.0
        for seat in range(game.seats):
            low[seat] = max(0.0, high[seat] - reach)
            high[seat] = min(game.high, high[seat] + reach)


class RandomTree(Game):
    """A uniform random tree."""

    estimates = (Guess(0), Guess(1, 0.5), Guess(2, 0.75))

    def __init__(self, seats=3, branching=3, height=6, kind="uniform", values=100, chance=0):
        self.seats, self.branching, self.height, self.kind, self.values, self.chance = (
            seats,
            branching,
            height,
            kind,
            values,
            chance,
        )
        self.require(1 <= branching <= 1000, f"expected a branching of 1 to 1000, got {branching}")
        self.require(0 <= height <= 1000, f"expected a height of 0 to 1000, got {height}")
        self.require(kind in KINDS, f"expected payoffs of the kind {', '.join(KINDS)}, got '{kind}'")
        self.require(2 <= values <= MOST_VALUES, f"expected 2 to {MOST_VALUES} different values, got {values}")
        self.require(
            0 <= chance <= 1000,
            f"expected a roll of the dice every 1 to 1000 plies, or 0 for never, got {chance}",
        )
        self.max_moves = branching
        self.max_outcomes = branching if chance else 0
        high = self.high = 1.0 if kind == "binary" else values - 1.0
        sums = {"uniform": high * seats, "constant_sum": high, "binary": high * (seats - 1)}
        self.facts = Facts(
            seats=(1 if kind == "uniform" else 2, 16),
            chance=chance > 0,
            out_of_turn=True,
            low=0.0,
            high=high,
            total=sums[kind],
            constant_sum=kind == "constant_sum",
        )
        self.code = KINDS.index(kind)

    State = np.dtype([("path", np.uint64), ("ply", np.int16), ("seat", np.int16)], align=True)

    def start(self, state, rng):
        state.path = draw(rng)

    def mover(self, state):
        if state.ply >= self.height:
            return OVER
        if self.chance > 0 and state.ply % self.chance == self.chance - 1:
            return CHANCE
        return state.seat

    def moves(self, state, seat, out):
        for move in range(self.branching):
            out[move] = move
        return self.branching

    def outcomes(self, state, out, odds):
        total = 0.0
        for outcome in range(self.branching):
            out[outcome] = outcome
            odds[outcome] = 1.0 + pick(child(state.path, -1, outcome), 6)
            total += odds[outcome]
        for outcome in range(self.branching):
            odds[outcome] /= total
        return self.branching

    def play(self, state, seat, move):
        state.path = child(state.path, seat, move)
        state.ply += 1
        if seat != CHANCE:
            state.seat = (seat + 1) % self.seats

    def admits(self, state):
        return 0 <= state.ply <= self.height and 0 <= state.seat < self.seats

    def continues(self, previous, move):
        return previous == move

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = self.prize(state.path, seat)

    def prize(self, word, seat):
        """What a leaf with this word pays a seat."""
        if self.code == 0:
            return np.float64(pick(mix(word + GAMMA * np.uint64(seat + 1)), self.values))
        if self.code == 2:
            winners = 1 + pick(word, 2**self.seats - 2)  # at least one winner and at least one loser
            return np.float64((winners >> seat) & 1)
        return self.slice(word, seat)

    def slice(self, word, seat):
        """The seat's part of values - 1 points, cut at random places: the gap between the cuts just below and just
        above it.
        """
        points = self.values - 1
        lower, upper = 0, points
        for cut in range(self.seats - 1):
            at, rank = pick(mix(word + GAMMA * np.uint64(cut + 1)), self.values), 0
            for other in range(self.seats - 1):
                there = pick(mix(word + GAMMA * np.uint64(other + 1)), self.values)
                if there < at or (there == at and other < cut):
                    rank += 1
            if rank == seat - 1:
                lower = at
            if rank == seat:
                upper = at
        return np.float64(upper - lower)
