"""A search that lets one or several trees grow: its rounds of playouts, and what the trees say of the root moves.

With several threads every thread has a tree of its own (root parallelisation), and the root moves' visits and rewards
are added up. The trees share nothing while they grow, so the result depends only on the number of threads and playouts.

    G. Chaslot, M. Winands, H. van den Herik. Parallel Monte-Carlo Tree Search. CG 2008.
"""

import threading
from functools import partial

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import GAMMA, mix
from kingmaker.search.parts.machinery.driving import Run
from kingmaker.search.parts.machinery.node import FULL
from kingmaker.search.parts.machinery.sampling import BATCH, batches

TOGETHER = 16 * BATCH  # playouts of the first round in every tree, where several wait for each other at its end
STOPPED = 5  # why work.stop of the other trees was set: the search has ended


class Growth(Run):
    """The rounds of one decision."""

    ended = "playouts"
    keeps_unfinished = True

    def __init__(self, ready, work, agent, most):
        super().__init__(ready, work)
        self.agent, self.most = agent, most
        self.works = [work, *(self.another(number) for number in range(1, agent.threads))]

    def another(self, number):
        """A workspace with the same position and random numbers of its own."""
        made, work = self.ready.fresh(), self.work
        made.states[0], made.root = work.states[0], work.root
        with np.errstate(over="ignore"):
            made.rng.word = mix(work.rng.word + GAMMA * np.uint64(number))
        self.agent.begin(made, self.ready.game)
        made.cut, made.spread = work.cut, work.spread
        return made

    def shared(self, whole):
        """What every tree gets of a budget, whatever the rounds are like: the result does not depend on the clock."""
        return [whole // len(self.works) + (i < whole % len(self.works)) for i in range(len(self.works))]

    def rounds(self):
        if len(self.works) == 1:
            for count in batches(self, lambda: self.most - int(self.work.playouts)):
                yield partial(self.ready.call, self.work, count)
            return
        self.quotas, self.limits = self.shared(self.most), self.shared(int(self.work.limit))
        self.spent = [0] * len(self.works)
        for count in batches(self, lambda: max(map(self.left, range(len(self.works)))), TOGETHER):
            yield partial(self.together, count)

    def left(self, tree):
        """How many playouts a tree may still make."""
        return self.quotas[tree] - int(self.works[tree].playouts) if self.spent[tree] < self.limits[tree] else 0

    def together(self, count):
        """At most `count` playouts in every tree, side by side."""
        work, limit = self.work, int(self.work.limit)
        for each, most, spent in zip(self.works, self.limits, self.spent, strict=True):
            each.nodes, each.limit = spent, most
        faults = []

        def grow(tree):
            try:
                self.ready.call(self.works[tree], min(count, self.left(tree)))
                if self.agent.is_solved(self.works[tree]):
                    self.end_others(tree)
            except BaseException as fault:
                faults.append(fault)

        threads = [threading.Thread(target=grow, args=(tree,), daemon=True) for tree in range(1, len(self.works))]
        for thread in threads:
            thread.start()
        grow(0)
        if work.stop:
            self.halt(work.stop)
        for thread in threads:
            thread.join()
        self.spent = [int(each.nodes) for each in self.works]
        work.limit, work.nodes = limit, sum(self.spent)
        for each in self.works:
            each.stop = 0 if each.stop == FULL else each.stop  # its share of the nodes is spent, those of others not
        for each in self.works[1:]:
            if each.stop and each.stop != STOPPED and not work.stop:
                work.fault, work.most, work.stop = each.fault, each.most, each.stop
        if faults:
            raise faults[0]

    def halt(self, why):
        """Stop all trees at once."""
        self.work.stop = why
        for each in self.works[1:]:
            each.stop = each.stop or STOPPED

    def end_others(self, tree):
        """What one tree has proven need not be proven by the others."""
        for number, each in enumerate(self.works):
            if number != tree:
                each.stop = each.stop or STOPPED

    def found(self):
        found = self.agent.found(self.ready, self.works)
        if not found.line and self.work.nodes >= self.work.limit:
            raise BadParameter(
                f"nodes={int(self.work.limit)} end {self.agent} before its first playout is finished in "
                f"{self.ready.game}; give it more nodes, or set playouts or seconds"
            )
        return found

    def solved(self):
        return any(self.agent.is_solved(work) for work in self.works)

    def tree(self, found):
        """The tree of the first thread."""
        return self.agent.tree_of(self.ready, self.work) if self.ready.record and found.line else None
