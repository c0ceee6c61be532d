"""A poll over worlds: which move an agent chose in each, and what it took every move to be worth."""

import math
from collections import Counter

import numpy as np

from kingmaker.core.ask import Progress
from kingmaker.core.decision import Decision, RootMove

RULES = ("vote", "mean")
CLOSE = 1e-12  # means that differ by no more of their size are equal


def rounded(value):
    """A number for people to read: four significant digits."""
    return float(f"{value:.4g}")


class Poll:
    """What the agent said in the worlds so far; arrays have a row for each legal move."""

    def __init__(self, legal, seats, seat, tie):
        self.legal, self.seat, self.tie = legal, seat, tie
        self.votes, self.sums, self.seen = Counter(), np.zeros((len(legal), seats)), np.zeros(len(legal), np.int64)
        self.exact = np.ones(len(legal), bool)
        self.deals = self.nodes = self.playouts = self.depth = self.bytes = 0

    def count(self, said):
        self.deals += 1
        self.votes[said.move] += 1
        self.nodes, self.playouts = self.nodes + said.nodes, self.playouts + said.playouts
        self.depth, self.bytes = max(self.depth, said.depth), max(self.bytes, said.bytes)
        seen = ~np.isnan(said.values[:, 0])
        self.sums += np.where(seen[:, None], said.values, 0.0)
        self.seen += seen
        self.exact &= said.exact | ~seen

    def mean(self, i):
        """The mean vector of the i-th move over the worlds in which it was looked at; None if there is none."""
        return tuple((self.sums[i] / self.seen[i]).tolist()) if self.seen[i] else None

    def best(self, by):
        """Which move has most votes, then with the best mean, or the other way round; of equals one at random."""
        left = range(len(self.legal))
        for rule in (by, *(rule for rule in RULES if rule != by)):
            worth = {i: self.votes[self.legal[i]] if rule == "vote" else self.own_mean(i) for i in left}
            high = max(worth.values())
            left = [i for i in left if worth[i] >= high - CLOSE * max(1.0, abs(high))]
        return left[self.tie % len(left)]

    def own_mean(self, i):
        return float(self.sums[i, self.seat] / self.seen[i]) if self.seen[i] else -math.inf

    def entry(self, i):
        return RootMove(self.legal[i], self.mean(i), bool(self.exact[i]))

    def progress(self, by, seconds):
        best = self.entry(self.best(by))
        return Progress(best.move, best.values, (best.move,), self.depth, self.playouts, self.nodes, seconds)

    def decision(self, by, seconds, why, threads, names):
        best, moves = self.best(by), tuple(map(self.entry, range(len(self.legal))))
        means = {names[move]: rounded(self.own_mean(i)) for i, move in enumerate(self.legal) if self.seen[i]}
        notes = {"deals": self.deals, "votes": {names[move]: self.votes[move] for move in self.legal}, "means": means}
        return Decision(
            moves[best].move, moves[best].values, moves, (moves[best].move,), self.nodes, self.depth, seconds,
            why, notes, None, self.playouts, self.bytes * threads, (self.seat,),
        )  # fmt: skip
