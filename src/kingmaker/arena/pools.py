"""Where matches are played: in processes of this machine. `cluster` has the same for many machines."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Protocol

from kingmaker.arena.play import Played, play_numbers
from kingmaker.core.errors import KingmakerError

Numbers = tuple[int, ...]
Done = Callable[[Numbers, Played | BaseException], None]  # called from any thread


class WorkerDied(Exception):
    """A worker ended in the middle of something; nobody knows through which match."""


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
        self.executor = ProcessPoolExecutor(self.width, mp_context=context, initializer=begin_worker, initargs=(self.reader,))

    def submit(self, numbers: Numbers, done: Done) -> None:
        def finished(future: Future[Played]) -> None:
            try:
                done(numbers, future.result())
            except (BrokenProcessPool, CancelledError):
                done(numbers, WorkerDied())
            except Exception as fault:
                done(numbers, fault)

        try:
            self.executor.submit(play_numbers, self.text, list(numbers)).add_done_callback(finished)
        except BrokenProcessPool:
            done(numbers, WorkerDied())

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


def begin_worker(reader: Connection) -> None:
    """Leave Ctrl-C to the coordinator, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with, args=(reader,), daemon=True).start()


def end_with(reader: Connection) -> None:
    try:
        reader.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
