"""Driving a search of any kind: round after round until the budget, the caller's `watch` or the search itself ends it.

A round is a piece of work that leaves a result: one iteration of iterative deepening, or some hundred playouts. The
node limit, the clock and `watch` can also stop a search inside a round. For the clock and `watch` the round runs in a
thread of its own without Python's global lock while the calling thread waits, so that a deadline, an answer of `watch`
or Ctrl-C is noticed within milliseconds.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kingmaker.core.ask import Progress, Watch
from kingmaker.core.budget import Budget
from kingmaker.core.errors import BadGame
from kingmaker.core.tree import Tree
from kingmaker.search.parts.machinery.node import FAULT, FULL

LATE, ASKED = 3, 4  # why work.stop was set from outside: by the clock, by `watch`
WHY = {FULL: "nodes", LATE: "seconds", ASKED: "asked"}
QUICK = 0.002  # seconds; a search that has run for longer gets a thread
TICK = 0.01  # seconds between two calls of `watch`

Round = Callable[[], Any]


@dataclass(frozen=True)
class Found:
    """What a search has found so far, copied out of its workspace."""

    line: tuple[int, ...]  # the principal variation, the best move first; empty if nothing is known
    movers: tuple[int, ...]  # who makes each move of the line
    values: np.ndarray | None  # [seat]
    moves: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))  # [root move]
    root_values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # [root move, seat]
    root_exact: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))  # [root move]
    depth: int = 0
    playouts: int = 0
    tree: np.ndarray | None = None
    tree_complete: bool = False


class Run(ABC):
    """One search of one position: its rounds, and what they leave in the workspace."""

    ended = "rounds"  # the reason given for the end when all rounds have been run
    keeps_unfinished = False  # is the result of an interrupted round valid? Then it may be asked for at any time
    watched = True  # does `watch` want a result after every round?
    threaded = False  # does every round run in a thread of its own, which can be stopped?

    def __init__(self, ready: Any, work: Any) -> None:
        self.ready, self.work = ready, work

    @abstractmethod
    def rounds(self) -> Iterator[Round]:
        """The rounds one after the other; each is run before the next is asked for."""

    @abstractmethod
    def found(self) -> Found:
        """What is known after a round."""

    def solved(self) -> bool:
        """Would more rounds find nothing else?"""
        return False

    def halt(self, why: int) -> None:
        """End the round that is under way in another thread."""
        self.work.stop = why

    def tree(self, found: Found) -> Tree | None:
        """The recorded tree, if one was asked for and the search has one."""
        return None if found.tree is None else Tree(found.tree, found.tree_complete)


def drive(run: Run, budget: Budget, started: float, watch: Watch | None = None) -> tuple[Found | None, str]:
    """Run the rounds; return what was found last (None if no round was finished) and what ended the search."""
    work = run.work
    if budget.nodes:
        work.limit = budget.nodes
    deadline = started + budget.seconds if budget.seconds is not None else None
    run.watched, run.threaded = watch is not None, watch is not None or deadline is not None
    found: Found | None = None

    def goes_on() -> bool:
        return watch is None or watch(progress(found, work, started))

    stop, late = 0, run.keeps_unfinished and not watch  # then the result is needed only at the end
    for once in run.rounds():
        if watch and not goes_on():
            stop = ASKED
            break
        if run.threaded or (time.perf_counter() - started > QUICK and interruptible()):
            in_a_thread(once, work, deadline, goes_on if watch else None, run.halt)
        else:
            once()
        stop = work.stop
        if stop and not run.keeps_unfinished:
            break
        if not late:
            found = run.found()
        if run.solved():
            found = run.found() if late else found
            if watch:
                watch(progress(found, work, started))
            return found, "solved"
        if not stop and budget.nodes and work.nodes >= budget.nodes:
            stop = FULL
        if stop:
            break
    else:
        goes_on()  # `watch` is told of the last round too
    if late and stop != FAULT:
        found = run.found()
    refuse_fault(stop, work.fault, work.most)
    return found, WHY[int(stop)] if stop else run.ended


def refuse_fault(stop: int, many: int, most: int) -> None:
    """Raise the error of a game that has listed a wrong number of moves, if that is why a search was stopped."""
    if stop == FAULT:
        raise BadGame(f"a position has {int(many)} moves or outcomes, expected 1 to {int(most)}")


def interruptible() -> bool:
    """Is this the thread that Ctrl-C interrupts? Only there a long round needs a thread of its own for that."""
    return threading.current_thread() is threading.main_thread()


def progress(found: Found | None, work: Any, started: float) -> Progress:
    """The report that `watch` is given."""
    nodes, seconds = int(work.nodes), time.perf_counter() - started
    if found is None or not found.line:
        return Progress(nodes=nodes, seconds=seconds)
    values = None if found.values is None else tuple(found.values.tolist())
    return Progress(found.line[0], values, found.line, found.depth, found.playouts, nodes, seconds)


def in_a_thread(
    once: Round,
    work: Any,
    deadline: float | None,
    goes_on: Callable[[], bool] | None = None,
    halt: Callable[[int], None] | None = None,
) -> None:
    """Run one round in a thread; stop it at the deadline, when `watch` says so, or when the calling thread is
    interrupted. `halt` stops it where that takes more than to set `work.stop`.
    """
    fault: list[BaseException] = []
    ended = threading.Event()  # Python 3.11 takes a thread for ended if Ctrl-C comes while one waits for it

    def run() -> None:
        try:
            once()
        except BaseException as problem:
            fault.append(problem)
        finally:
            ended.set()

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        wait(ended, work, deadline, goes_on)
    finally:
        if not ended.is_set():
            work.stop = work.stop or LATE
            if halt:
                halt(work.stop)
        if thread.ident is not None:  # it was started
            ended.wait()
    if fault:
        raise fault[0]


def wait(ended: threading.Event, work: Any, deadline: float | None, goes_on: Callable[[], bool] | None) -> None:
    """Wait until the thread has ended, the time is up or `watch` wants it to end."""
    while not ended.is_set():
        left = None if deadline is None else deadline - time.perf_counter()
        if left is not None and left <= 0:
            return
        if goes_on is None:
            ended.wait(left)
            continue
        ended.wait(TICK if left is None else min(TICK, left))
        if not ended.is_set() and not goes_on():
            work.stop = ASKED
            return
