"""Chance nodes in a search with one number and a window: Star1 and Star2 stop once the expectation is known to lie
outside the window.

If every value lies between two known bounds, the expectation lies between `least`, where each outcome counts with the
lowest value that it may still have, and `most`, where it counts with the highest. Star1 searches the outcomes one after
the other, each with the widest window outside of which the whole chance node is outside of its own. Star2 first probes
every outcome: it searches only the first move there, which is already a bound, a lower one where the root seat moves
and an upper one where an opponent does. What a probe found is kept (`probe_memory.py`).

    B. Ballard. The *-Minimax Search Procedure for Trees Containing Chance Nodes. Artificial Intelligence 21, 1983.

Differs from the paper: returned values are fail-soft, outcomes need not be equally likely, and the successors of a
chance node may be of any kind; those that are chance nodes themselves are not probed.
"""

import numpy as np

from kingmaker.core.door import OVER
from kingmaker.core.errors import Mismatch
from kingmaker.search.parts.machinery.node import blend
from kingmaker.search.parts.switches.bounds import told_by
from kingmaker.search.parts.switches.every_outcome import EveryOutcome
from kingmaker.search.parts.switches.probe_memory import NoMemory, ProbeMemory
from kingmaker.search.parts.switches.transposition_table import UNKNOWN

MINE, THEIRS = 1, 2  # whose nodes are worth probing: those of the root seat, of the others, or both
PROBED = 4  # added to whose node it was, once it has been probed
MOST_STAR = 2


class Star(EveryOutcome):
    """Star1, or Star2 if it probes, for values from `low` to `high`; `total` is the sum of two seats' values where it
    is always the same, else not a number.
    """

    def __init__(self, low, high, total, probes):
        self.low, self.high, self.total, self.probes = low, high, total, probes
        self.memory = ProbeMemory() if probes else NoMemory()

    def fields(self, game, plies):
        return [
            ("weights", np.float64, (plies, game.max_outcomes)),  # the probabilities of the outcomes
            ("floors", np.float64, (plies, game.max_outcomes)),  # no outcome is worth less
            ("ceilings", np.float64, (plies, game.max_outcomes)),  # no outcome is worth more
            ("least", np.float64, (plies,)),  # the mean of the floors
            ("most_worth", np.float64, (plies,)),  # the mean of the ceilings
            ("probing", np.int8, (plies,)),  # of a chance node: whose nodes below it are worth probing
            ("asked", np.int8, (plies,)),  # of any node, if it is only to be probed: whose it must be, or was; else 0
            *self.memory.fields(game, plies),
        ]

    def rounds(self, work, ply, chance, mine, count, alpha, beta):
        if self.probes and work.asked[ply]:
            side = MINE if mine else THEIRS
            worth = not chance and work.asked[ply] & side
            work.asked[ply] = PROBED | side if worth else PROBED
            return min(count, 1) if worth else 0
        if not chance:
            return count
        left = 1.0
        for i in range(count - 1, -1, -1):  # `rolled` has made shares of the probabilities
            work.weights[ply, i] = work.odds[ply, i] * left
            left *= 1.0 - work.odds[ply, i]
            work.floors[ply, i], work.ceilings[ply, i] = self.low, self.high
            self.memory.begun(work, ply, i)
        work.least[ply], work.most_worth[ply] = self.low, self.high
        work.probing[ply] = 0
        if self.probes:
            work.probing[ply] = (MINE if beta < self.high else 0) | (THEIRS if alpha > self.low else 0)
        return count + self.probed(work, ply)

    def probed(self, work, ply):
        """How many outcomes of a chance node are probed before they are searched: all or none."""
        return work.counts[ply] if work.probing[ply] else 0

    def turn(self, work, ply, chance, j):
        if not chance or not self.probes:
            self.memory.handed_down(work, ply, False, j)
            return j
        first = j < self.probed(work, ply)
        i = j if first else j - self.probed(work, ply)
        work.asked[ply + 1] = work.probing[ply] if first else 0
        self.memory.handed_down(work, ply, not first, i)
        return i

    def reach(self, work, ply, i, alpha, beta):
        """A value of the i-th outcome at or below the first number brings the expectation to alpha or below, one at or
        above the second brings it to beta or above.
        """
        weight = work.weights[ply, i]
        if weight <= 0.0:
            return -np.inf, np.inf
        lowest = work.ceilings[ply, i] - (work.most_worth[ply] - alpha) / weight
        return lowest, work.floors[ply, i] + (beta - work.least[ply]) / weight

    def window(self, work, ply, chance, i, low, high):
        if not chance:
            return low, high
        lowest, highest = self.reach(work, ply, i, low, high)
        return max(lowest, work.floors[ply, i]), min(highest, work.ceilings[ply, i])

    def decides(self, game, switches, work, ply, j, value, alpha, beta):
        probed = self.probes and j < self.probed(work, ply)
        i = j if probed else j - self.probed(work, ply)
        lowest, highest = self.reach(work, ply, i, alpha, beta)
        rises = falls = True
        if probed:
            side, work.asked[ply + 1] = work.asked[ply + 1], 0
            if side == PROBED | MINE or side == PROBED | THEIRS:
                self.memory.noted(game, work, ply, i)
            ended = game.mover(work.states[ply + 1]) == OVER
            rises = ended or (side == PROBED | MINE and value > max(lowest, work.floors[ply, i]))
            falls = ended or (side == PROBED | THEIRS and value < min(highest, work.ceilings[ply, i]))
            switches.record.taken_back(work, ply)
        else:
            known = min(max(value, work.floors[ply, i]), work.ceilings[ply, i])
            if known != value:  # the probe had left no window between floor and ceiling
                value = known
                self.put(game, work, ply + 1, False, known)
            blend(game, work, ply, i)
        if rises:
            work.least[ply] += work.weights[ply, i] * (value - work.floors[ply, i])
            work.floors[ply, i] = value
        if falls:
            work.most_worth[ply] += work.weights[ply, i] * (value - work.ceilings[ply, i])
            work.ceilings[ply, i] = value
        if rises and value >= highest:
            self.put(game, work, ply, probed, max(beta, work.least[ply]))
            return True
        if falls and value <= lowest:
            self.put(game, work, ply, probed, min(alpha, work.most_worth[ply]))
            return True
        return False

    def put(self, game, work, ply, probed, bound):
        """Leave a bound of the expectation as the root seat's value. The value of a single opponent follows from it;
        those of several are the ones met last.
        """
        for seat in range(game.seats):
            if not np.isnan(self.total):
                work.values[ply, seat] = self.total - bound
            elif probed:
                work.values[ply, seat] = work.values[ply + 1, seat]
        work.values[ply, work.root] = bound

    def complete(self, work, ply):
        return not self.probes or work.asked[ply] == 0

    def told(self, work, ply, best, alpha, beta):
        return told_by(best, alpha, beta) if self.complete(work, ply) else UNKNOWN


def star_for(agent, game, estimate):
    """The chance nodes of a search with the setting `star`; refused where no bounds of its values are known."""
    if not agent.star:
        return EveryOutcome()
    if not getattr(agent, "prune", True):
        raise Mismatch(f"star={agent.star} needs the window of alpha-beta in {agent}; use prune=true or star=0")
    if not game.max_outcomes:
        return EveryOutcome()
    facts = game.facts
    if not (facts.low > -np.inf and facts.high < np.inf):
        raise Mismatch(
            f"star={agent.star} needs a lowest and a highest payoff, which the facts of {game} do not state; "
            f"give them low and high or use star=0"
        )
    if not estimate.within_bounds:
        raise Mismatch(
            f"star={agent.star} needs values within the bounds of the payoffs, which {estimate} of {game} may leave; "
            f"use another estimate or star=0"
        )
    total = float(facts.total) if game.seats == 2 and facts.constant_sum else np.nan
    return Star(float(facts.low), float(facts.high), total, agent.star == MOST_STAR)
