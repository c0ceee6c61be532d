"""Decoupled UCT: all seats move at once, and each learns alone which of its own moves pays.

A tree search by playouts for simultaneous moves. At a node every seat has its own bandit over its own moves: it takes
the one with the highest upper confidence bound, as if the others did not exist; what they do is part of the reward. It
needs no estimate and no model of the others, and costs the same for many seats as for few. The price: what it plays
need not be an equilibrium, not even in the long run; `regret_matching` comes to one.

    L. Kocsis, C. Szepesvari. Bandit Based Monte-Carlo Planning. ECML 2006.
    M. Lanctot, C. Wittlinger, M. Winands, N. Den Teuling. Monte Carlo Tree Search for Simultaneous Move Games: A Case
    Study in the Game of Tron. BNAIC 2013.

Differs from the papers: rewards are scaled to the range from 0 to 1 by the bounds of the payoffs, and moves that were
never tried come first, beginning with a random one.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below
from kingmaker.search.parts.machinery.joint_sampling import JointSampler, root_row
from kingmaker.search.parts.switches.mixing import shares


class Ucb1(Constant):
    """A bandit of its own for each seat at each node: the highest upper confidence bound is taken."""

    def __init__(self, exploration, tuned):
        self.exploration, self.tuned = exploration, tuned

    def fields(self, game, rows):
        shape = (rows, game.seats, game.max_moves)
        return [("tries", np.int64, shape), ("rewards", np.float64, shape), ("squares", np.float64, shape)]

    def choose(self, work, row, seat, many):
        """Which of the seat's moves to play."""
        total, first = 0, below(work.rng, many)
        for ahead in range(many):
            i = (first + ahead) % many
            if work.tries[row, seat, i] == 0:
                return i
            total += work.tries[row, seat, i]
        best, highest = 0, -np.inf
        for i in range(many):
            bound = self.bound(work, row, seat, i, np.log(np.float64(total)))
            if bound > highest:
                best, highest = i, bound
        return best

    def bound(self, work, row, seat, i, log_total):
        """The mean reward of a move and what it may be better by: UCB1, or UCB1-Tuned, which knows the variance."""
        tries = work.tries[row, seat, i]
        mean, spread = work.rewards[row, seat, i] / tries, 2.0
        if self.tuned:
            variance = work.squares[row, seat, i] / tries - mean * mean
            spread = min(0.25, max(0.0, variance) + np.sqrt(2.0 * log_total / tries))
        return mean + self.exploration * np.sqrt(spread * log_total / tries)

    def learn(self, work, row, seat, many, pick, reward):
        """The seat's move brought a reward."""
        work.tries[row, seat, pick] += 1
        work.rewards[row, seat, pick] += reward
        work.squares[row, seat, pick] += reward * reward


@dataclass(frozen=True, kw_only=True)
class DecoupledUct(JointSampler):
    """UCT for simultaneous moves, with a bandit of its own for each seat."""

    exploration: float = 1.0  # weight of what is not known yet
    tuned: bool = True  # UCB1-Tuned; false: UCB1
    mixed: bool = False  # play each move as often as it was tried; false: the one that was tried most

    def __post_init__(self):
        super().__post_init__()
        if not 0 <= self.exploration < np.inf:
            raise BadParameter(f"expected a finite exploration of at least 0, got {self.exploration} in {self}")

    def policy(self):
        return Ucb1(float(self.exploration), bool(self.tuned))

    def strategy(self, work):
        tries = root_row(work, work.tries)
        return shares(tries if self.mixed else (np.arange(len(tries)) == tries.argmax()).astype(np.float64))
