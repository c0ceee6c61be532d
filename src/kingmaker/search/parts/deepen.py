"""Iterative deepening under any budget: one ply deeper each time, until something ends it.

The result is that of the last *finished* iteration. Node limits stop inside an iteration, and so does the clock: the search
then runs in a thread of its own without Python's lock, and this one waits, so that time and Ctrl-C are noticed within a
millisecond.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.budget import NO_LIMIT, Budget
from kingmaker.core.decision import vector
from kingmaker.core.errors import BadGame
from kingmaker.search.parts.node import FAULT

ASKED = 3  # why work.stop was set from outside
QUICK = 0.002  # seconds; a search that has run for longer gets a thread


@dataclass(frozen=True)
class Iteration:
    """What one iteration left in the workspace, copied before the next begins."""

    depth: int
    line: tuple[int, ...]
    values: np.ndarray  # [seat]
    moves: np.ndarray  # [root move]
    root_values: np.ndarray  # [root move, seat]
    root_exact: np.ndarray  # [root move]
    tree: np.ndarray | None
    tree_complete: bool


def copied(work: Any, depth: int) -> Iteration:
    tried = int(work.tried)
    tree = work.tree[: work.recorded].copy() if hasattr(work, "tree") else None
    if tree is not None:
        tree[0]["values"] = work.values[0]
    return Iteration(
        depth,
        tuple(int(move) for move in work.lines[0, : work.lengths[0]]),
        work.values[0].copy(),
        work.moves[0, :tried].copy(),
        work.root_values[:tried].copy(),
        work.root_exact[:tried].astype(bool),
        tree,
        tree is not None and not work.overflow,
    )


def deepen(search: Callable[[int], Any], work: Any, budget: Budget, deepest: int, started: float) -> tuple[Iteration, str]:
    """Search 1, 2, … plies deep; the last finished iteration and what ended it."""
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
        if not work.beyond:
            return finished, "solved"
    if work.stop == FAULT:
        raise BadGame(f"a position has {int(work.fault)} moves, expected 1 to max_moves = {work.moves.shape[1]}")
    why = "depth" if not work.stop else "seconds" if work.stop == ASKED else "nodes"
    return finished or copied(work, 0), why


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
            work.stop = ASKED
        thread.join()
    if fault:
        raise fault[0]


__all__ = ["Iteration", "deepen", "vector"]
