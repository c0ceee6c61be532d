"""A poll over worlds: which move an agent chose in each, and what it took every move to be worth."""

import math
from collections import Counter
from operator import add

from kingmaker.core.ask import Progress
from kingmaker.core.decision import Decision, RootMove

RULES = ("vote", "mean")
CLOSE = 1e-12  # means that differ by no more of their size are equal


def rounded(value):
    """A number for people to read: four significant digits."""
    return float(f"{value:.4g}")


class Poll:
    """What the agent said in the worlds so far."""

    def __init__(self, legal, seat, tie):
        self.legal, self.seat, self.tie, self.votes = legal, seat, tie, Counter()
        self.deals = self.nodes = self.playouts = self.depth = self.bytes = 0
        self.sums, self.seen, self.exact = {}, Counter(), dict.fromkeys(legal, True)

    def count(self, decided):
        self.deals += 1
        self.votes[decided.move] += 1
        self.nodes, self.playouts = self.nodes + decided.nodes, self.playouts + decided.playouts
        self.depth, self.bytes = max(self.depth, decided.depth), max(self.bytes, decided.bytes)
        for entry in decided.moves:
            if entry.values is not None:
                before = self.sums.get(entry.move)
                self.sums[entry.move] = entry.values if before is None else tuple(map(add, before, entry.values))
                self.seen[entry.move] += 1
                self.exact[entry.move] &= entry.exact

    def mean(self, move):
        """The mean vector of a move over the worlds in which it was looked at; None if there is none."""
        return tuple(each / self.seen[move] for each in self.sums[move]) if move in self.sums else None

    def best(self, by):
        """The move with most votes, then with the best mean, or the other way round; of equals one at random."""
        left = list(self.legal)
        for rule in (by, *(rule for rule in RULES if rule != by)):
            worth = {move: self.votes[move] if rule == "vote" else self.own_mean(move) for move in left}
            high = max(worth.values())
            left = [move for move in left if worth[move] >= high - CLOSE * max(1.0, abs(high))]
        return left[self.tie % len(left)]

    def own_mean(self, move):
        mean = self.mean(move)
        return -math.inf if mean is None else mean[self.seat]

    def entry(self, move):
        return RootMove(move, self.mean(move), self.exact[move])

    def progress(self, by, seconds):
        move = self.best(by)
        return Progress(move, self.entry(move).values, (move,), self.depth, self.playouts, self.nodes, seconds)

    def decision(self, by, seconds, why, threads, names):
        move = self.best(by)
        means = {names[each]: rounded(self.own_mean(each)) for each in self.legal if each in self.sums}
        notes = {"deals": self.deals, "votes": {names[each]: self.votes[each] for each in self.legal}, "means": means}
        return Decision(
            move, self.entry(move).values, tuple(map(self.entry, self.legal)), (move,), self.nodes, self.depth, seconds,
            why, notes, None, self.playouts, self.bytes * threads, (self.seat,),
        )  # fmt: skip
