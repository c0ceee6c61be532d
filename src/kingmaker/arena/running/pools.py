"""Where matches are played: in processes of this machine. `cluster` has the same for many machines."""

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

MARK: list[Mark] = [unmarked]  # how a match of this process is marked; each worker puts its own here
Numbers = tuple[int, ...]
Done = Callable[[Numbers, Played | BaseException], None]  # called from any thread


class WorkerDied(Exception):
    """A worker ended in the middle of something.

    `playing` are the matches that were under way in the workers that ended, and whether each had begun or was being
    made ready; None where nobody knows, and any match that was handed out may be to blame.
    """

    def __init__(self, playing: dict[int, bool] | None = None) -> None:
        super().__init__()
        self.playing = playing


class Unreachable(KingmakerError):
    """The place where matches are played does not answer any more."""


class Pool(Protocol):
    """A place where matches are played."""

    width: int  # workers

    def submit(self, numbers: Numbers, done: Done) -> None:
        """Play these matches some time; `done` gets what came of it, or WorkerDied."""

    def renew(self) -> None:
        """Have living workers again after one has died."""

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
        self.marks: Any = context.RawArray("q", 3 * self.width)  # for every worker: process, match, has it begun
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
            except (
                BaseException
            ) as fault:  # here an exit would end nothing but this thread, and the coordinator would wait for ever
                done(numbers, fault)

        try:
            self.executor.submit(play_marked, self.text, list(numbers)).add_done_callback(finished)
        except BrokenProcessPool:
            done(numbers, WorkerDied({}))

    def ended(self) -> dict[int, bool]:
        """What the workers were at that have ended by themselves; when this is asked, the others have not been ended
        yet.
        """
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
        self.leash.close()  # every worker waits for this in a thread, and ends
        self.abandon()  # one that holds Python's lock for ever does not hear it
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.reader.close()


def begin_worker(reader: Connection, marks: Any, count: Any) -> None:
    """Leave Ctrl-C to the coordinator, and end with it, however it ends; have a place of one's own among the marks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with, args=(reader,), daemon=True).start()
    with count.get_lock():
        place = 3 * count.value
        count.value += 1
    marks[place] = os.getpid()
    MARK[0] = partial(leave_mark, marks, place)


def leave_mark(marks: Any, place: int, number: int | None, began: bool) -> None:
    """Say which match is under way where the coordinator sees it even after the end of this process."""
    marks[place + 1 : place + 3] = [0 if number is None else number + 1, began]


def play_marked(text: str, numbers: list[int]) -> Played:
    """Play matches in a worker that `begin_worker` has made ready."""
    return play_numbers(text, numbers, MARK[0])


def end_with(reader: Connection) -> None:
    try:
        reader.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
