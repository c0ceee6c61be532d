"""The coordinator: hands out matches by number, writes every row itself, and goes on where it stopped.

Nothing that a match comes to depends on who played it or when. A worker that dies takes its matches with it and nothing else:
those that were under way are played again one at a time, and one that then kills its worker again and again is stored as failed.
"""

import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from kingmaker.arena.code import code_hash
from kingmaker.arena.deadline import GRACE
from kingmaker.arena.play import FAILED, Played, Result
from kingmaker.arena.pools import Numbers, Pool, WorkerDied
from kingmaker.arena.running import Running
from kingmaker.arena.schedule import Schedule
from kingmaker.arena.store import Store, StoreFault
from kingmaker.core.errors import KingmakerError

TASK_SECONDS = 0.25  # matches shorter than this are handed out several at a time
MOST_AT_ONCE = 1000
TASKS_A_SECOND = 100  # that a coordinator with its scheduler copes with; more workers get longer tasks
AHEAD = 2  # tasks a worker, so that none waits for the coordinator
TICK = 0.25
PATIENCE = 120.0  # seconds that a start of workers may take

Watch = Callable[[Running], None]


class Stopped(KingmakerError):
    """Somebody asked the run to stop; what was played is stored."""


class Coordinator:
    """Runs the matches of one experiment that have no row yet."""

    def __init__(self, schedule: Schedule, store: Store, pool: Pool, watch: Watch | None = None) -> None:
        self.schedule, self.store, self.pool = schedule, store, pool
        self.watch = watch or (lambda running: None)
        self.limits = schedule.experiment.limits
        self.code = code_hash(schedule.experiment.as_text())
        self.running = Running(schedule)
        self.todo = store.missing(len(schedule))
        self.came: queue.SimpleQueue[tuple[Numbers, Played | BaseException]] = queue.SimpleQueue()
        self.flying: dict[Numbers, float] = {}  # and when they are overdue
        self.suspects: deque[int] = deque()
        self.attempts: dict[int, int] = {}
        self.mean = TASK_SECONDS  # seconds a match
        self.broken = False

    def run(self) -> Running:
        """Play until every match has a row, or the experiment's test is decided. SIGINT and SIGTERM stop it between two writes."""
        self.running = self.recounted()
        stop = threading.Event()
        with hearing(stop):
            while True:
                if self.running.decided:
                    return self.ended()
                self.hand_out()
                self.watch(self.running)
                if not self.flying:
                    return self.running
                self.take_in()
                if stop.is_set():
                    raise Stopped(f"stopped after {self.running.done} of {self.running.total} matches; run the same command to go on")

    def recounted(self) -> Running:
        running = Running(self.schedule)
        running.add_stored(self.store)
        return running

    def ended(self) -> Running:
        """The test is decided: drop what was played beyond the block that decided it, which depends on who was fast."""
        assert self.running.stopping
        self.store.forget_from(self.running.stopping.next * self.schedule.per_block)
        new, began, self.running = self.running.new, self.running.began, self.recounted()
        self.running.new, self.running.began = new, began
        return self.running

    def hand_out(self) -> None:
        """Keep every worker busy; while there are suspects, only one match is under way."""
        if self.suspects:
            if not self.flying:
                self.send((self.suspects.popleft(),))
            return
        while len(self.flying) < AHEAD * self.pool.width and not self.suspects:
            long = max(TASK_SECONDS, self.pool.width / TASKS_A_SECOND)
            several = max(1, min(MOST_AT_ONCE, int(long / max(self.mean, 1e-6))))
            numbers = tuple(islice(self.todo, several))
            if not numbers:
                return
            self.send(numbers)

    def send(self, numbers: Numbers) -> None:
        overdue = (len(numbers) * AHEAD + 1) * (self.limits.seconds + GRACE) + PATIENCE
        self.flying[numbers] = time.monotonic() + overdue
        self.pool.submit(numbers, lambda *outcome: self.came.put(outcome))

    def take_in(self) -> None:
        """Store what has come back; look after what has not."""
        outcomes = self.waiting()
        results: list[Result] = []
        for numbers, outcome in outcomes:
            if self.flying.pop(numbers, None) is None:
                continue
            if isinstance(outcome, Played):
                results += self.trusted(outcome)
            elif isinstance(outcome, WorkerDied):
                self.broken = True
                results += self.suspect(numbers, str(outcome))
            elif isinstance(outcome, KingmakerError):
                raise outcome
            else:
                results += [self.failure(number, f"{type(outcome).__name__}: {outcome}") for number in numbers]
        if results:
            self.store.add(results)
            self.count(results)
        if self.broken and not self.flying:
            self.pool.renew()
            self.broken = False
        if not outcomes:
            self.pool.check()
            if self.flying and time.monotonic() > min(self.flying.values()):
                self.pool.abandon()

    def waiting(self) -> list[tuple[Numbers, Played | BaseException]]:
        """What has come in, after a short wait for the first."""
        outcomes = []
        try:
            outcomes.append(self.came.get(timeout=TICK))
            while True:
                outcomes.append(self.came.get_nowait())
        except queue.Empty:
            return outcomes

    def trusted(self, played: Played) -> list[Result]:
        if played.code != self.code:
            raise StoreFault(f"the worker {played.results[0].worker} runs other code than the coordinator; install the same on both")
        return played.results

    def suspect(self, numbers: Numbers, why: str) -> list[Result]:
        """Play again alone what a dead worker may have died of; give up what has killed enough of them."""
        if len(numbers) == 1 and numbers[0] in self.attempts:
            self.attempts[numbers[0]] += 1
            if self.attempts[numbers[0]] >= self.limits.attempts:
                return [self.failure(numbers[0], why or f"its worker died in each of {self.limits.attempts} attempts to play it alone")]
        for number in numbers:
            self.attempts.setdefault(number, 0)
            self.suspects.append(number)
        return []

    def failure(self, number: int, fault: str) -> Result:
        task = self.schedule.task(number)
        return Result(
            number=number, variant=task.variant, block=task.block, seating=task.seating, seed=task.seed, status=FAILED, fault=fault
        )

    def count(self, results: list[Result]) -> None:
        for result in results:
            self.attempts.pop(result.number, None)
            self.running.add(
                result.variant, result.block, result.seating, result.status, result.payoffs, result.moves, result.nodes, result.depths
            )
        recent = sum(result.wall for result in results) / len(results)
        self.mean += 0.3 * (recent - self.mean)


@contextmanager
def hearing(stop: threading.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set the event; the second Ctrl-C interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}

    def heard(number: int, _frame: Any) -> None:
        stop.set()
        signal.signal(number, before[number])

    for name in (signal.SIGINT, signal.SIGTERM):
        before[name] = signal.signal(name, heard)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
