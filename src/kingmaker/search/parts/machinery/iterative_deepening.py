"""Iterative deepening under any budget: one ply deeper each time, until something ends it.

The result is that of the last *finished* iteration. Node limits stop inside an iteration, and so does the clock: the
search then runs in a thread of its own without Python's lock, and this one waits, so that time and Ctrl-C are noticed
within a millisecond.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.agent import ASKED, Watch
from kingmaker.core.budget import NO_LIMIT, Budget
from kingmaker.core.decision import vector
from kingmaker.core.errors import BadGame
from kingmaker.search.parts.machinery.line import read_line
from kingmaker.search.parts.machinery.node import FAULT, FULL

LATE = 3  # why work.stop was set from outside: the clock; ASKED: somebody who watches
WHY = {0: "depth", FULL: "nodes", LATE: "seconds", ASKED: "asked"}
QUICK = 0.002  # seconds; a search that has run for longer gets a thread


@dataclass(frozen=True)
class Iteration:
    """What one iteration left in the workspace, copied before the next begins."""

    depth: int
    line: tuple[int, ...]
    movers: tuple[int, ...]  # who makes each move of the line
    values: np.ndarray  # [seat]
    moves: np.ndarray  # [root move]
    root_values: np.ndarray  # [root move, seat]
    root_exact: np.ndarray  # [root move]
    tree: np.ndarray | None
    tree_complete: bool


def copied(work: Any, depth: int) -> Iteration:
    tried, (line, movers) = int(work.tried), read_line(work.lines[0, : work.lengths[0]])
    tree = work.tree[: work.recorded].copy() if hasattr(work, "tree") else None
    if tree is not None:
        tree[0]["values"] = work.values[0]
    return Iteration(
        depth,
        line,
        movers,
        work.values[0].copy(),
        work.moves[0, :tried].copy(),
        work.root_values[:tried].copy(),
        work.root_exact[:tried].astype(bool),
        tree,
        tree is not None and not work.overflow,
    )


def deepen(
    search: Callable[[int], Any], work: Any, budget: Budget, deepest: int, started: float, watch: Watch | None = None
) -> tuple[Iteration, str]:
    """Search 1, 2, … plies deep; the last finished iteration and what ended it.

    `watch` is handed the workspace before the first iteration, with None, and after each; it may set work.stop to ASKED
    at any time.
    """
    if watch:
        watch(work, None)
    work.limit = budget.nodes or NO_LIMIT
    deadline = started + budget.seconds if budget.seconds is not None else None
    finished = None
    for depth in range(1, deepest + 1):
        work.beyond, work.tried, work.lengths[0] = 0, 0, 0
        if deadline is not None or time.perf_counter() - started > QUICK:
            watched(search, depth, work, deadline)
        else:
            search(depth)
        if work.stop:
            break
        finished = copied(work, depth)
        if watch:
            watch(work, finished)
        if not work.beyond:
            return finished, "solved"
    if work.stop == FAULT:
        raise BadGame(f"a position has {int(work.fault)} moves or outcomes, expected 1 to {int(work.most)}")
    return finished or copied(work, 0), WHY[int(work.stop)]


def watched(search: Callable[[int], Any], depth: int, work: Any, deadline: float | None) -> None:
    """Run one iteration in a thread; stop it at the deadline or when this thread is interrupted."""
    fault: list[BaseException] = []

    def run() -> None:
        try:
            search(depth)
        except BaseException as problem:
            fault.append(problem)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join(None if deadline is None else max(0.0, deadline - time.perf_counter()))
    finally:
        if thread.is_alive():
            work.stop = LATE
        thread.join()
    if fault:
        raise fault[0]


__all__ = ["Iteration", "deepen", "vector"]
