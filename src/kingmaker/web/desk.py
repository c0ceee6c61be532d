"""The desk: where visitors' searches wait for a worker.

Searches run in a few threads. Machine code runs there without Python's global lock, so that the page stays quick. Each
visitor has one search at a time, and whoever waits is served in order: nobody can starve the others. A visitor who
leaves has its search stopped.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, TypeVar

from kingmaker.core.ask import Watch
from kingmaker.core.errors import KingmakerError
from kingmaker.web.caps import MOST_SECONDS

WORKERS = 2
MOST_VISITORS = 200  # who may be on the page at the same time
Result = TypeVar("Result")


class Stopped(KingmakerError):
    """A search that was stopped because its visitor wanted something else, or has left."""


class Visitor:
    """One open tab: what it waits for, and whether that is still wanted."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.wanted = 0  # grows with every wish; a search for an older wish ends
        self.gone = False

    def stop(self) -> None:
        """Let the search that is under way end as soon as it can."""
        self.wanted += 1

    def leave(self) -> None:
        self.gone = True
        self.stop()


class Desk:
    """Workers for all visitors together."""

    def __init__(self, workers: int = WORKERS) -> None:
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="search")
        self.hurry = ThreadPoolExecutor(workers, thread_name_prefix="quick")
        self.workers = workers
        self.gates: dict[Any, asyncio.Semaphore] = {}
        self.visitors: set[Visitor] = set()

    def gate(self) -> asyncio.Semaphore:
        """The gate of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self.gates:
            self.gates = {loop: asyncio.Semaphore(self.workers)}
        return self.gates[loop]

    def welcome(self) -> Visitor:
        """A new visitor; refused if there are too many."""
        self.visitors = {each for each in self.visitors if not each.gone}
        if len(self.visitors) >= MOST_VISITORS:
            raise Stopped(f"there are {MOST_VISITORS} visitors already; come back later")
        visitor = Visitor()
        self.visitors.add(visitor)
        return visitor

    async def run(self, visitor: Visitor, work: Callable[[Watch], Result], quick: bool = False) -> Result:
        """Do some work in a thread; `work` is given a watch that ends its search when it is no longer wanted. What is
        `quick` need not wait for the searches of others.
        """
        wish = visitor.wanted
        async with visitor.lock, nullcontext() if quick else self.gate():
            begun: list[float] = []

            def watch(_progress: Any) -> bool:
                begun.append(time.monotonic()) if not begun else None
                return visitor.wanted == wish and time.monotonic() - begun[0] < MOST_SECONDS

            if visitor.wanted != wish or visitor.gone:
                raise Stopped("the search is no longer wanted")
            result = await asyncio.get_running_loop().run_in_executor(self.hurry if quick else self.pool, work, watch)
            if visitor.wanted != wish:
                raise Stopped("the search is no longer wanted")
            return result
