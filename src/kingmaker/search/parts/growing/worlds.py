"""Searches of many worlds: every world is dealt anew and searched as if it were true.

An agent of any kind is asked world by world. A depth-first search that needs nothing but a position and a limit of
depth or nodes is asked for many worlds in one call of machine code, which deals them too: a shallow search takes less
time than the Python code around it, and threads can run side by side only where Python does not. A limit of seconds
needs Python's clock in every world.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.errors import CannotCompile
from kingmaker.core.rng import RNG, stream
from kingmaker.core.secrets import redealt, world_of
from kingmaker.core.wide_records import wide, zeros
from kingmaker.search.parts.growing.many_worlds import DEPTH, MOVE, NODES, search_worlds
from kingmaker.search.parts.machinery.asking import asking, needs_only_a_position
from kingmaker.search.parts.machinery.driving import refuse_fault
from kingmaker.search.parts.machinery.node import FULL
from kingmaker.soundness.tracing import traced

ROOM = 4 * 2**20  # bytes that the workspaces of one call may take
FEW = 50_000  # nodes of a world, at most, that machine code looks at which was made quickly


@dataclass(frozen=True)
class Said:
    """What an agent said in one world."""

    move: int
    values: Any  # [legal move, seat]; NaN where a move was not looked at
    exact: Any  # [legal move]
    nodes: int
    depth: int
    playouts: int
    bytes: int


class OneByOne:
    """Any agent, asked in a call of its own for each world."""

    together = 1  # worlds that can be searched in one call
    can_halt = False  # can a search that is under way be stopped from outside?
    making = 0.0  # seconds that were spent on making machine code while worlds waited for it

    def __init__(self, agent, game, state, legal, words, wishes):
        self.agent, self.game, self.state, self.legal, self.words, self.wishes = (
            agent, game, state, legal, words, wishes,
        )  # fmt: skip
        self.deal = self.dealer() if len(words) > 1 else redealt

    def dealer(self):
        """How worlds are dealt: by machine code where that is possible."""
        if self.wishes.compiled is False or not self.game.compiles:
            return redealt
        try:
            return redealt.compiled.direct(self.game, self.game.new(0), 0, stream(0, "world"))
        except CannotCompile:
            return redealt

    def prepare(self):
        """Prepare in one thread what all threads share."""
        if self.wishes.compiled is not False:
            self.agent.prepare(self.game)

    def search(self, first, last):
        """What the agent says in the worlds from `first` on and before `last`, in their order."""
        return [self.said(self.words[i]) for i in range(first, last)]

    def said(self, words):
        game, state, luck, own = self.game, self.state, zeros((1,), RNG)[0], zeros((1,), RNG)[0]
        luck.word, own.word = words
        world = world_of(game, state, int(game.mover(state)), luck, self.deal)
        return self.told(self.agent.decide(game, world, own, self.wishes))

    def told(self, decided):
        """A decision as what is counted of it."""
        values = np.full((len(self.legal), self.game.seats), np.nan)
        exact, known = np.zeros(len(self.legal), bool), {entry.move: entry for entry in decided.moves}
        for i, move in enumerate(self.legal):
            entry = known.get(move)
            if entry is not None and entry.values is not None:
                values[i], exact[i] = entry.values, entry.exact
        counts = (decided.nodes, decided.depth, decided.playouts, decided.bytes)
        return Said(decided.move, values, exact, *counts)

    def halt(self, why):
        """An agent of any kind ends its world first."""


class Together(OneByOne):
    """A depth-first search, asked for many worlds in one call of machine code."""

    can_halt = True

    def __init__(self, ready, *others):
        super().__init__(ready.agent, ready.game, *others)
        self.ready, (self.run, self.kind) = ready, machine_code(ready)
        self.together, self.under_way = max(1, ROOM // self.kind.itemsize), {}

    def dealer(self):
        return redealt

    def prepare(self):
        self.run.make_full()

    @property
    def making(self):
        return self.run.making

    def search(self, first, last):
        """Machine code that was made quickly searches small worlds; a larger one is begun again at full speed."""
        most = self.agent.nodes or NO_LIMIT
        if not self.run.full:
            said, stop = self.within(min(most, FEW), first, last)
            if stop not in (0, FULL) or all(each.nodes < FEW for each in said):
                return said
            self.run.make_full()
        return self.within(most, first, last)[0]

    def within(self, most, first, last):
        """What is said in some worlds with so many nodes at most, and the highest reason for which one was stopped."""
        ready, game, count = self.ready, self.game, last - first
        memory, told = np.zeros(count, self.kind), np.zeros((count, 3), np.int64)
        memory["limit"] = most
        values, exact = (
            np.full((count, len(self.legal), game.seats), np.nan),
            np.zeros((count, len(self.legal)), np.int8),
        )
        self.under_way[first] = memory
        with traced(game, memory["states"].reshape(-1).view(wide(game.State)), (ready.estimate,)):
            call = given(ready, self.state, memory, self.words[first:last], self.legal, told, values, exact)
            self.run(*call)
        del self.under_way[first]
        for work in memory[memory["stop"] != 0]:
            refuse_fault(work["stop"], work["fault"], work["most"])
        said = [
            Said(int(told[i, MOVE]), values[i], exact[i] != 0, int(told[i, NODES]), int(told[i, DEPTH]), 0, ready.bytes)
            for i in range(count)
        ]
        return said, int(memory["stop"].max())

    def halt(self, why):
        for memory in list(self.under_way.values()):
            memory["stop"] = why


def given(ready, state, memory, words, legal, told, values, exact):
    """The arguments of `search_worlds`."""
    return (
        ready.game, ready.estimate, ready.switches, asking(type(ready.agent).kernel), ready.arguments,
        ready.agent.deepest, state, memory, np.array(words).view(RNG), np.array(legal, np.int32), told,
        values, exact,
    )  # fmt: skip


@lru_cache(maxsize=128)
def machine_code(ready):
    """The machine code of `search_worlds` for a search that was made ready, made quickly at first, and the dtype of its
    workspace.
    """
    kind, none = ready.fresh().memory.dtype, np.zeros((0, 2), np.uint64)
    told, values, exact = np.zeros((0, 3), np.int64), np.zeros((0, 1, 1)), np.zeros((0, 1), np.int8)
    call = given(ready, ready.game.new(0), np.zeros(0, kind), none, [0], told, values, exact)
    return search_worlds.compiled.two_speeds(*call, full=False), kind


def is_counted(agent):
    """Does a search end by what can be counted, depth or nodes, and not by the clock?"""
    return agent.seconds is None and (agent.depth is not None or agent.nodes is not None)


def worlds_for(agent, game, state, legal, words, wishes):
    """How an agent is asked in the worlds of a position; `words` are two random words for every world."""
    given = (state, legal, words, wishes)
    if len(words) > 1 and needs_only_a_position(agent) and is_counted(agent) and agent.threads == 1:
        ready = agent.ready(game, wishes)
        if ready.compiled:
            try:
                return Together(ready, *given)
            except CannotCompile:
                pass  # rules that deal by means of Python alone are asked world by world
    return OneByOne(agent, game, *given)
