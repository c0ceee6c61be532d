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
from kingmaker.search.parts.machinery.sampling import BATCH

TOGETHER = 16 * BATCH  # playouts of a round in every tree, where several wait for each other at its end
STOPPED = 5  # why work.stop of the other trees was set: the first tree has ended


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
        return made

    @property
    def playouts(self):
        return sum(int(work.playouts) for work in self.works)

    def rounds(self):
        while (left := self.most - self.playouts) > 0:
            if len(self.works) == 1:
                yield partial(self.ready.call, self.work, min(BATCH, left))
            else:
                yield partial(self.together, left)

    def together(self, left):
        """One batch of playouts in every tree, side by side; the nodes that are left are shared out too."""
        work, spent, limit = self.work, int(self.work.nodes), int(self.work.limit)
        share = -(-(limit - spent) // len(self.works))
        shares = [left // len(self.works) + (i < left % len(self.works)) for i in range(len(self.works))]
        for each in self.works:
            each.nodes, each.limit = 0, share
        faults = []

        def grow(each, count):
            try:
                self.ready.call(each, min(TOGETHER, count))
            except BaseException as fault:
                faults.append(fault)

        threads = [
            threading.Thread(target=grow, args=given, daemon=True)
            for given in zip(self.works[1:], shares[1:], strict=True)
        ]
        for thread in threads:
            thread.start()
        grow(work, shares[0])
        if work.stop or self.solved():
            for each in self.works[1:]:
                each.stop = each.stop or STOPPED
        for thread in threads:
            thread.join()
        work.limit, work.nodes = limit, spent + sum(int(each.nodes) for each in self.works)
        for each in self.works[1:]:
            if each.stop and each.stop != STOPPED and not work.stop:
                work.fault, work.most, work.stop = each.fault, each.most, each.stop
        if faults:
            raise faults[0]

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
