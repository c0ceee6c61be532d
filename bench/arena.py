"""What the arena costs beside the searches: microseconds per move, the gain of a second worker, the coordinator's work,
and the report of many matches.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bench.row import Row, at_least, at_most
from kingmaker.arena.experiment.declaration import Experiment, Limits
from kingmaker.arena.experiment.schedule import Schedule, schedule_of
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.report import write_report
from kingmaker.arena.results.result import Result
from kingmaker.arena.results.store import claim_store, open_store
from kingmaker.arena.running.coordinator import Coordinator
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import Played, play_numbers

OVERHEAD = 150.0  # most microseconds per move
GAIN = 1.8  # two workers are at least so many times as fast as one
REPORT = 10.0  # most seconds for a million matches
TURNS = 200  # of a match
MILLION = 1_000_000
GAMES = {  # with agents that search as little as possible: the rest of the time is the arena's
    "light_bike(seats=3, starts=distinct)": "maxn(depth=1)",
    "sticks(seats=3, sticks=200)": "maxn(depth=1)",
    "chess(opening=4)": "alpha_beta(depth=1)",
    "chinese_checkers": "maxn(depth=1)",
    "abalone(seats=3)": "maxn(depth=1)",
}
THINKING = {"paranoid": "paranoid(depth=9)", "maxn": "maxn(depth=7)", "greedy": "greedy"}


def run(quick: bool) -> Iterator[Row]:
    for game, agent in GAMES.items():
        spent = min(overhead(game, agent, 4) for _ in range(2 if quick else 5))
        yield at_most(f"{game.partition('(')[0]}, {agent}: added to a move", spent, f"{spent:.0f} µs", OVERHEAD, " µs")
    with tempfile.TemporaryDirectory() as folder:
        yield from second_worker(Path(folder), 60 if quick else 200)
        yield from coordinating(Path(folder), 2000 if quick else 20_000)
        yield from reporting(Path(folder), MILLION // 10 if quick else MILLION)


def overhead(game: str, agent: str, matches: int) -> float:
    """Microseconds per move of whole matches, as a worker plays them, without the time inside the searches."""
    limits = Limits(turns=TURNS)
    text = Experiment(
        question="", game=game, agents={"one": agent}, seating="compositions", starts=matches, limits=limits
    ).as_text()
    play_numbers(text, [0])
    started = time.perf_counter()
    results = play_numbers(text, list(range(matches))).results
    seconds = time.perf_counter() - started - sum(sum(result.seconds) for result in results)
    return 1e6 * seconds / sum(sum(result.moves) for result in results)


def second_worker(folder: Path, starts: int) -> Iterator[Row]:
    """The same experiment with one worker and with two, timed from the first match that comes back to the last."""
    experiment = Experiment(question="", game="light_bike(seats=3, starts=distinct)", agents=THINKING, starts=starts)
    rates = {}
    for workers in (1, 2):
        watch = Pace()
        run_experiment(experiment, folder / f"{workers}.db", workers=workers, watch=watch)
        rates[workers] = watch.rate
        yield Row(f"{workers} worker{'s' * (workers > 1)}, Light Bike", watch.rate, f"{watch.rate:.1f} matches/s")
    gain = rates[2] / rates[1]
    yield at_least("two workers / one", gain, f"{gain:.2f}", GAIN, "")


class Pace:
    """Matches per second, from the first match that has come back."""

    def __init__(self) -> None:
        self.first: tuple[float, int] | None = None
        self.last = (0.0, 0)

    def __call__(self, running: Running) -> None:
        now = (time.perf_counter(), running.done)
        if running.done and self.first is None:
            self.first = now
        if running.done > self.last[1]:
            self.last = now

    @property
    def rate(self) -> float:
        assert self.first
        return (self.last[1] - self.first[1]) / (self.last[0] - self.first[0])


class AtOnce:
    """A pool that returns copies of matches played before, so that only the coordinator's own work takes time."""

    width = 2

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.sample = play_numbers(schedule.experiment.as_text(), list(range(schedule.per_block)))

    def submit(self, numbers: tuple[int, ...], done: Callable[..., None]) -> None:
        done(numbers, Played([self.like(number) for number in numbers], self.sample.code))

    def like(self, number: int) -> Result:
        """The result of a match, copied from one of the first block."""
        task, like = self.schedule.task(number), self.sample.results[number % self.schedule.per_block]
        return msgspec.structs.replace(like, number=number, block=task.block, seating=task.seating, seed=task.seed)

    def renew(self) -> None: ...
    def abandon(self) -> None: ...
    def check(self) -> None: ...
    def close(self) -> None: ...


def coordinating(folder: Path, starts: int) -> Iterator[Row]:
    agents = dict.fromkeys(("one", "two", "three"), "random")
    experiment = Experiment(question="", game="light_bike(seats=3, starts=distinct)", agents=agents, starts=starts // 6)
    schedule = schedule_of(experiment.as_text())
    with claim_store(folder / "coordinator.db", experiment, {}, {}) as store:
        coordinator: Any = Coordinator(schedule, store, AtOnce(schedule))
        started = time.perf_counter()
        coordinator.run()
        spent = 1e6 * (time.perf_counter() - started) / len(schedule)
    yield Row("the coordinator's work on a match", spent, f"{spent:.0f} µs")
    size = (folder / "coordinator.db").stat().st_size / len(schedule)
    yield Row("the store's size a match", size, f"{size:.0f} bytes")


def reporting(folder: Path, matches: int) -> Iterator[Row]:
    """Make a store of many matches with random winners, and time the report that is made from it."""
    agents = {name: f"maxn(depth={depth})" for depth, name in enumerate("abcd", 1)}
    experiment = Experiment(question="", game="sticks(seats=4)", agents=agents, starts=matches // 24 + 1)
    schedule, rng = schedule_of(experiment.as_text()), np.random.default_rng(1)
    with claim_store(folder / "many.db", experiment, {}, {}) as store:
        for begin in range(0, matches, 50_000):
            store.add(drawn(schedule, range(begin, min(matches, begin + 50_000)), rng))
    started = time.perf_counter()
    with open_store(folder / "many.db") as store:
        write_report(store, folder / "many.html")
    seconds, what = time.perf_counter() - started, f"a report of {matches:,} matches".replace(",", " ")
    yield (
        at_most(what, seconds, f"{seconds:.1f} s", REPORT, " s")
        if matches >= MILLION
        else Row(what, seconds, f"{seconds:.1f} s")
    )


def drawn(schedule: Schedule, numbers: range, rng: np.random.Generator) -> Iterator[Result]:
    for number in numbers:
        task, winner, spent = schedule.task(number), int(rng.integers(4)), tuple(rng.integers(1, 200, 4).tolist())
        yield Result(
            number=number,
            variant=0,
            block=task.block,
            seating=task.seating,
            seed=task.seed,
            status="finished",
            payoffs=tuple(float(seat == winner) for seat in range(4)),
            moves=(5, 5, 5, 5),
            nodes=spent,
            depths=spent,
            seconds=(0.0,) * 4,
        )
