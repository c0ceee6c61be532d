"""Where matches are played: in processes of this machine. `cluster.py` has a pool for many machines."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Protocol

from kingmaker.arena.running.worker import Mark, Played, play_numbers, unmarked
from kingmaker.core.errors import KingmakerError

MARK: list[Mark] = [unmarked]  # notes the match that is under way in this process; each worker sets its own function
Numbers = tuple[int, ...]
Done = Callable[[Numbers, Played | BaseException], None]  # called from any thread


class WorkerDied(Exception):
    """A worker ended before it had returned its results.

    `playing` holds the matches that were under way in the workers that ended: True if the match had begun, False if it
    was still being prepared. None means that this is not known; any match that was handed out may then be the cause.
    """

    def __init__(self, playing: dict[int, bool] | None = None) -> None:
        super().__init__()
        self.playing = playing


class Unreachable(KingmakerError):
    """The workers, or the scheduler that leads to them, do not answer any more."""


class Pool(Protocol):
    """A place where matches are played."""

    width: int  # workers

    def submit(self, numbers: Numbers, done: Done) -> None:
        """Queue these matches; `done` is called with their results, or with WorkerDied."""

    def renew(self) -> None:
        """Start new workers after one has died."""

    def abandon(self) -> None:
        """End workers that hang; what they were playing comes back as WorkerDied."""

    def check(self) -> None:
        """Raise Unreachable if nothing can come back any more."""

    def close(self) -> None:
        """End all workers at once."""


class Processes:
    """Workers in processes of this machine."""

    def __init__(self, text: str, workers: int) -> None:
        self.text, self.width = text, workers
        self.open()

    def open(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.reader, self.leash = context.Pipe(duplex=False)
        self.marks: Any = context.RawArray(
            "q", 3 * self.width
        )  # for every worker: process id, match number + 1, has it begun
        count = context.Value("i", 0)
        self.executor = ProcessPoolExecutor(
            self.width, mp_context=context, initializer=begin_worker, initargs=(self.reader, self.marks, count)
        )

    def submit(self, numbers: Numbers, done: Done) -> None:
        def finished(future: Future[Played]) -> None:
            try:
                done(numbers, future.result())
            except (BrokenProcessPool, CancelledError):
                done(numbers, WorkerDied(self.ended()))
            except BaseException as fault:  # if it were raised here, only this thread would end, not the coordinator
                done(numbers, fault)

        try:
            self.executor.submit(play_marked, self.text, list(numbers)).add_done_callback(finished)
        except BrokenProcessPool:
            done(numbers, WorkerDied({}))

    def ended(self) -> dict[int, bool]:
        """The matches under way in workers that ended by themselves; called before the executor ends the others."""
        processes = getattr(self.executor, "_processes", None) or {}
        found = {}
        for at in range(0, len(self.marks), 3):
            process, match, began = self.marks[at : at + 3]
            if match and (process not in processes or processes[process].exitcode is not None):
                found[match - 1] = bool(began)
        return found

    def renew(self) -> None:
        self.close()
        self.open()

    def check(self) -> None:
        """Processes of this machine are always within reach."""

    def abandon(self) -> None:
        for process in list((getattr(self.executor, "_processes", None) or {}).values()):
            process.kill()

    def close(self) -> None:
        self.leash.close()  # every worker has a thread that waits for this and then ends the worker
        self.abandon()  # for workers that never release Python's global lock, so that this thread cannot run
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.reader.close()


def begin_worker(reader: Connection, marks: Any, count: Any) -> None:
    """Prepare a worker: it leaves Ctrl-C to the coordinator, ends when the coordinator ends, and gets its own place in
    `marks`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with, args=(reader,), daemon=True).start()
    with count.get_lock():
        place = 3 * count.value
        count.value += 1
    marks[place] = os.getpid()
    MARK[0] = partial(leave_mark, marks, place)


def leave_mark(marks: Any, place: int, number: int | None, began: bool) -> None:
    """Write which match is under way to shared memory, which the coordinator can read even after this process ended."""
    marks[place + 1 : place + 3] = [0 if number is None else number + 1, began]


def play_marked(text: str, numbers: list[int]) -> Played:
    """Play matches in a worker that `begin_worker` has prepared."""
    return play_numbers(text, numbers, MARK[0])


def end_with(reader: Connection) -> None:
    try:
        reader.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
