"""The coordinator: hands out matches by number, writes every row itself, and goes on where it stopped.

The result of a match does not depend on which worker played it or when. When a worker dies, only the matches that it
had been given are lost. The match that was under way in it is a suspect: it is played again while no other match is
under way, and if it kills its worker in every attempt, it is stored as failed. The other lost matches are simply played
again.
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

from kingmaker.arena.experiment.code import code_hash
from kingmaker.arena.experiment.schedule import Schedule
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.result import FAILED, Result
from kingmaker.arena.results.store import Store, StoreFault
from kingmaker.arena.running.pools import Numbers, Pool, Unreachable, WorkerDied
from kingmaker.arena.running.worker import Played
from kingmaker.arena.table.deadline import GRACE
from kingmaker.arena.table.table import told
from kingmaker.core.errors import KingmakerError

TASK_SECONDS = 0.25  # matches shorter than this are handed out several at a time
MOST_AT_ONCE = 1000
TASKS_A_SECOND = 100  # the most that a coordinator and its scheduler can handle; more workers get longer tasks
AHEAD = 2  # tasks handed out for each worker, so that no worker waits for the coordinator
TICK = 0.25
PATIENCE = 120.0  # seconds that starting the workers may take
MOST_DEATHS = 50  # deaths of workers in a row before any match has begun

Watch = Callable[[Running], None]


class Stopped(KingmakerError):
    """The user asked the run to stop; the matches played so far are stored."""


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
        self.flying: dict[Numbers, float] = {}  # tasks handed out, and the time when each is overdue
        self.again: deque[int] = deque()  # matches to play again: their worker died, but they were not under way in it
        self.suspects: deque[int] = deque()
        self.alone: int | None = None  # the suspect that is under way while no other match is
        self.attempts: dict[int, int] = {}  # for each suspect: how often its worker died while it was played alone
        self.false_starts: dict[int, int] = {}  # for each suspect: how often its worker died before the match had begun
        self.deaths = 0  # deaths of workers since a match was last under way
        self.mean = TASK_SECONDS  # seconds for a match
        self.broken = False

    def run(self) -> Running:
        """Play until every match has a row, or the experiment's sequential test is decided. SIGINT and SIGTERM stop the
        run between two writes.
        """
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
                    raise Stopped(
                        f"stopped after {self.running.done} of {self.running.total} "
                        "matches; run the same command to go on"
                    )

    def recounted(self) -> Running:
        running = Running(self.schedule)
        running.add_stored(self.store)
        return running

    def ended(self) -> Running:
        """End a run whose sequential test is decided: drop matches beyond the deciding block, because how many there
        are depends on the speed of the workers.
        """
        assert self.running.stopping
        self.store.forget_from(self.running.stopping.next * self.schedule.per_block)
        new, began, self.running = self.running.new, self.running.began, self.recounted()
        self.running.new, self.running.began = new, began
        return self.running

    def hand_out(self) -> None:
        """Keep every worker busy; while there are suspects, only one match is under way."""
        if self.suspects or self.alone is not None:
            if not self.flying:
                self.alone = self.suspects.popleft()
                self.send((self.alone,))
            return
        while len(self.flying) < AHEAD * self.pool.width and not self.suspects:
            long = max(TASK_SECONDS, self.pool.width / TASKS_A_SECOND)
            numbers = self.taken(max(1, min(MOST_AT_ONCE, int(long / max(self.mean, 1e-6)))))
            if not numbers:
                return
            self.send(numbers)

    def taken(self, several: int) -> Numbers:
        """The next matches to play."""
        back = [self.again.popleft() for _ in range(min(several, len(self.again)))]
        return (*back, *islice(self.todo, several - len(back)))

    def send(self, numbers: Numbers) -> None:
        overdue = (len(numbers) * AHEAD + 1) * (self.limits.seconds + GRACE) + PATIENCE
        self.flying[numbers] = time.monotonic() + overdue
        self.pool.submit(numbers, lambda *outcome: self.came.put(outcome))

    def take_in(self) -> None:
        """Store the results that have come back; replace workers that died or do not answer."""
        outcomes = self.waiting()
        results: list[Result] = []
        for numbers, outcome in outcomes:
            if self.flying.pop(numbers, None) is None:
                continue
            alone, self.alone = numbers == (self.alone,), None
            if isinstance(outcome, Played):
                results += self.trusted(outcome)
            elif isinstance(outcome, WorkerDied):
                self.broken = True
                results += self.retried(numbers, outcome.playing, alone)
            elif isinstance(outcome, KingmakerError):
                raise outcome
            else:
                results += [self.failure(number, told(outcome)) for number in numbers]
        if results:
            self.store.add(results)
            self.count(results)
            self.deaths = 0
        if self.broken and not self.flying:
            self.deaths += 1
            if self.deaths >= MOST_DEATHS:
                raise Unreachable(
                    f"workers end before they have played anything, {self.deaths} "
                    "times in a row; is there enough memory?"
                )
            self.pool.renew()
            self.broken = False
        if not outcomes:
            self.pool.check()
            if self.flying and time.monotonic() > min(self.flying.values()):
                self.pool.abandon()

    def waiting(self) -> list[tuple[Numbers, Played | BaseException]]:
        """The outcomes that have come in, after a short wait for the first."""
        outcomes = []
        try:
            outcomes.append(self.came.get(timeout=TICK))
            while True:
                outcomes.append(self.came.get_nowait())
        except queue.Empty:
            return outcomes

    def trusted(self, played: Played) -> list[Result]:
        if played.code != self.code:
            raise StoreFault(
                f"the worker {played.results[0].worker} runs other code than the coordinator; install the same on both"
            )
        return played.results

    def retried(self, numbers: Numbers, playing: dict[int, bool] | None, alone: bool) -> list[Result]:
        """Schedule a dead worker's matches again; a match that killed enough workers when played alone has failed."""
        if playing is None or playing:
            self.deaths = 0
        if alone:
            return self.survived(numbers[0], playing)
        for number in numbers:
            if playing is None or number in playing:
                self.suspects.append(number)
            else:
                self.again.append(number)
        return []

    def survived(self, number: int, playing: dict[int, bool] | None) -> list[Result]:
        """Handle the death of a worker while a suspect was played alone; it counts as an attempt only if that worker
        was at work on the suspect.
        """
        if playing is None or number in playing:
            began = playing is None or playing[number]
            counts, most = (self.attempts, self.limits.attempts) if began else (self.false_starts, MOST_DEATHS)
            counts[number] = counts.get(number, 0) + 1
            if counts[number] >= most:
                what = "to play it alone" if began else "to make it ready"
                return [self.failure(number, f"its worker died in each of {most} attempts {what}")]
        self.suspects.append(number)
        return []

    def failure(self, number: int, fault: str) -> Result:
        task = self.schedule.task(number)
        return Result(
            number=number,
            variant=task.variant,
            block=task.block,
            seating=task.seating,
            seed=task.seed,
            status=FAILED,
            fault=fault,
        )

    def count(self, results: list[Result]) -> None:
        for result in results:
            self.attempts.pop(result.number, None)
            self.false_starts.pop(result.number, None)
            self.running.add(result)
        recent = sum(result.wall for result in results) / len(results)
        self.mean += 0.3 * (recent - self.mean)


@contextmanager
def hearing(stop: threading.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set the event; a second Ctrl-C interrupts as usual."""
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
