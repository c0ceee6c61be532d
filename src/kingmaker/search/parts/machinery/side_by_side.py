"""All cores for one decision: threads search the root moves of an iteration side by side.

Each thread has a workspace of its own and takes the next root move that nobody has taken; machine code holds no lock,
so threads suffice. When all moves are done, the search runs once more from the root and finds what the threads left at
every child (`switches/known_children.py`), so move, values and principal variation are those of one thread.

A search without a window also looks at the same nodes. Alpha-beta looks at more: the first move is searched alone, and
each later one with the best value known when it begins. A thread may know the value of a move that comes later in the
order; of equal moves the first in order is played, so the window then stays open for a value equal to that.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.workspace import copied
from kingmaker.search.parts.machinery.driving import Found, Round
from kingmaker.search.parts.machinery.iterative_deepening import Deepening, search

FEWEST = 20_000  # nodes of the iteration before, from which on threads are worth their start
COUNTERS = ("evaluations", "cuts")  # what some searches count beside nodes, if they have such a field
TICK = 0.001  # seconds between two looks at whether the search is to stop
TIES = 8.0  # how many times the rounding error the window is opened for a value that may be equal


@dataclass
class Child:
    """What a thread has found of one root move."""

    values: Any
    exact: bool
    line: Any
    nodes: int
    beyond: int


class SideBySide(Deepening):
    """Search 1, 2, … plies deep, the root moves of every longer iteration in several threads."""

    def __init__(self, ready: Any, work: Any, deepest: int, threads: int) -> None:
        super().__init__(ready, work, deepest)
        self.seat = int(work.root)
        self.legal = ready.game.legal(work.states[0])
        self.teams = [copied(work, ready.game) for _ in range(min(threads, len(self.legal)))]
        self.windowed = bool(getattr(ready.switches, "cuts", False))  # then the last two arguments are the window
        self.exact: dict[int, bool] = {}

    def rounds(self) -> Iterator[Round]:
        before = 0
        for once in super().rounds():
            enough = self.work.nodes - before >= FEWEST and len(self.teams) > 1
            before = self.work.nodes
            self.exact = {}
            yield partial(self.iterate, self.depth) if enough else once

    def found(self) -> Found:
        found = super().found()
        for i, move in enumerate(found.moves.tolist()):
            found.root_exact[i] &= self.exact.get(move, True)
        return found

    def iterate(self, depth: int) -> None:
        """One iteration, by all threads."""
        order, work = self.order(), self.work
        results: dict[int, Child] = {}
        if self.windowed:
            self.together([order[0]], order, results, depth)
        self.together([move for move in order if move not in results], order, results, depth)
        if work.stop:
            return
        for i, (move, child) in enumerate(results.items()):
            work.known_moves[i], work.known_nodes[i], work.known_beyond[i] = move, child.nodes, child.beyond
            work.known_values[i] = child.values
            work.known_lengths[i] = len(child.line)
            work.known_lines[i, : len(child.line)] = child.line
            self.exact[move] = child.exact
        work.known_count, counted = len(results), self.counted()
        search(self.ready, work, depth)
        work.known_count = 0
        for name, total in counted.items():
            setattr(work, name, total)

    def counted(self) -> dict[str, Any]:
        """What the search counts beside nodes, added up over all threads, which begin to count anew."""
        totals = {}
        for name in COUNTERS:
            if hasattr(self.work, name):
                totals[name] = sum((getattr(team, name) for team in self.teams), start=getattr(self.work, name) + 0)
                for team in self.teams:
                    setattr(team, name, getattr(team, name) * 0)
        return totals

    def order(self) -> list[int]:
        """The root moves in the order in which the search lists them, as far as it matters: which of two is first."""
        best = int(self.work.best[0]) - 1 if hasattr(self.work, "best") else -1
        return sorted(self.legal, key=lambda move: move != best)

    def together(self, moves: list[int], order: list[int], results: dict[int, Child], depth: int) -> None:
        """Search these root moves in all threads and add what is found to `results`."""
        waiting, lock, faults = list(reversed(moves)), threading.Lock(), []

        def take_part(team: Any) -> None:
            try:
                while not team.stop:
                    with lock:
                        if not waiting or self.work.stop:
                            return
                        move = waiting.pop()
                        floor = self.floor(move, order, results)
                    child = self.searched(team, move, depth, floor)
                    with lock:
                        if not team.stop:
                            results[move] = child
            except BaseException as problem:
                faults.append(problem)
                self.work.stop = self.work.stop or 1

        threads = [threading.Thread(target=take_part, args=(team,), daemon=True) for team in self.teams[: len(moves)]]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(TICK)
                self.pass_on_stop()
        self.pass_on_stop()
        if faults:
            raise faults[0]

    def pass_on_stop(self) -> None:
        """When one workspace is told to stop, all are."""
        whole = [self.work, *self.teams]
        stopped = next((each for each in whole if each.stop), None)
        if stopped is not None:
            self.work.fault, self.work.most = stopped.fault, stopped.most
            for each in whole:
                each.stop = stopped.stop

    def floor(self, move: int, order: list[int], results: dict[int, Child]) -> float:
        """The value that a root move must exceed to be of interest."""
        best, place = -np.inf, order.index(move)
        for other, child in results.items() if self.windowed else ():
            value = float(child.values[self.seat])
            later = order.index(other) > place or self.ready.agent.last_of_equals
            best = max(best, value - TIES * self.ready.switches.rounding.margin(value) if later else value)
        return best

    def searched(self, team: Any, move: int, depth: int, floor: float) -> Child:
        """The result of one root move."""
        team.nodes, team.beyond, team.tried, team.lengths[0], team.only = 0, 0, 0, 0, move + 1
        own = list(self.ready.arguments)
        if self.windowed:
            own[-2] = floor
        self.ready.call(team, 0, depth, own=own)
        return Child(
            team.root_values[0].copy(),
            bool(team.root_exact[0]),
            team.lines[0, 1 : team.lengths[0]].copy(),
            int(team.nodes) - 1,
            int(team.beyond),
        )
