"""Regret matching: all seats move at once, and each prefers the moves that it regrets not to have played.

A tree search by playouts for simultaneous moves. At a node every seat keeps for each of its moves the *regret*: how
much more it would have got, all in all, had it always played that move there. It draws its next move in proportion to
the positive regrets. The mean of the strategies so far is what it plays at the end. With two seats whose payoffs are
opposite, the means come to an equilibrium, which may be mixed. With more seats they only come to a point where no seat
would have done better with a single move against what the others did, which is no promise about the next match.

    S. Hart, A. Mas-Colell. A Simple Adaptive Procedure Leading to Correlated Equilibrium. Econometrica 68, 2000.
    M. Lanctot, V. Lisy, M. Winands. Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel.
    Computer Games Workshop 2013.

Differs from the papers: only the reward of the move that was played is known, so the others' are estimated by their
means so far, and the difference to the mean of the played move is weighed by how likely that move was. The estimate is
unbiased and works for any number of seats, where a table of all joint moves would be too large.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import unit
from kingmaker.search.parts.machinery.joint_sampling import JointSampler, root_row
from kingmaker.search.parts.switches.mixing import shares


class Regrets(Constant):
    """Regrets and mean strategies of every seat at every node; a share `exploration` of the moves is drawn evenly."""

    def __init__(self, exploration):
        self.exploration = exploration

    def fields(self, game, rows):
        shape = (rows, game.seats, game.max_moves)
        return [
            ("tries", np.int64, shape),
            ("rewards", np.float64, shape),
            ("regrets", np.float64, shape),
            ("strategies", np.float64, shape),  # the sums of all strategies so far
        ]

    def positive(self, work, row, seat, many):
        """The sum of the positive regrets."""
        total = 0.0
        for i in range(many):
            total += max(0.0, work.regrets[row, seat, i])
        return total

    def likely(self, work, row, seat, many, i, total):
        """How often the i-th move is played by the regrets, whose positive ones add up to `total`."""
        return max(0.0, work.regrets[row, seat, i]) / total if total > 0.0 else 1.0 / many

    def choose(self, work, row, seat, many):
        """Which of the seat's moves to play."""
        total, left = self.positive(work, row, seat, many), unit(work.rng)
        for i in range(many - 1):
            left -= self.explored(many, self.likely(work, row, seat, many, i, total))
            if left < 0.0:
                return i
        return many - 1

    def explored(self, many, likely):
        """How often a move is played if some moves are drawn evenly."""
        return (1.0 - self.exploration) * likely + self.exploration / many

    def learn(self, work, row, seat, many, pick, reward):
        """The seat's move brought a reward: correct all regrets, and take this turn's strategy into the mean."""
        total = self.positive(work, row, seat, many)
        known = self.mean(work, row, seat, pick)
        surprise = (reward - known) / self.explored(many, self.likely(work, row, seat, many, pick, total))
        value = 0.0
        for i in range(many):
            likely = self.likely(work, row, seat, many, i, total)
            value += likely * (self.mean(work, row, seat, i) + (surprise if i == pick else 0.0))
            work.strategies[row, seat, i] += likely
        for i in range(many):
            work.regrets[row, seat, i] += self.mean(work, row, seat, i) + (surprise if i == pick else 0.0) - value
        work.tries[row, seat, pick] += 1
        work.rewards[row, seat, pick] += reward

    def mean(self, work, row, seat, i):
        tries = work.tries[row, seat, i]
        return work.rewards[row, seat, i] / tries if tries > 0 else 0.5


@dataclass(frozen=True, kw_only=True)
class RegretMatching(JointSampler):
    """Regret matching in a sampled tree, for simultaneous moves; plays the mean strategy."""

    exploration: float = 0.1  # the share of moves that are drawn evenly

    def __post_init__(self):
        super().__post_init__()
        if not 0 < self.exploration <= 1:
            raise BadParameter(
                f"expected a share above 0 and up to 1 for exploration, got {self.exploration} in {self}; use 0.1"
            )

    def policy(self):
        return Regrets(float(self.exploration))

    def strategy(self, work):
        return shares(root_row(work, work.strategies))
