"""How much of a paper is played: to a scale, or for so many minutes, which are shared out.

Of given minutes every table first gets the blocks without which nothing can be said of it, the cheapest table first.
Then come the open claims whose effect is found as large as the source prints it clearly: their tables are played on
until they are decided, or the effect is found smaller. After these that table is played on whose next claim is expected
to be decided soonest, by what was found and printed, and so on; half of the time is for what the sources claim. A table
of the sources for which the first blocks take a large part of the time gets one block then, before any other reading of
their tables is begun; another reading that takes so long comes last and gets one block, for which time is kept back.
Where no claim is expected to be decided in time, the time goes to what is least decided. What does not fit into the
time is told, with the time it needs.
"""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.results.live import Running
from kingmaker.arena.results.standings import Standings
from kingmaker.arena.results.store import open_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.repeating.as_printed import as_large_as_printed
from kingmaker.repeating.forecast import missing, next_verdict
from kingmaker.repeating.pace import per_block, remember_rate, seconds_a_match
from kingmaker.repeating.paired import detailed
from kingmaker.repeating.paper import Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.sampling import sample, stored
from kingmaker.repeating.verdicts import OPEN, judge_claims, openness

FEWEST = 2  # blocks; from one block nothing can be concluded
Told = Callable[[Part, int], Any]
LARGE = 0.03  # a table whose first blocks take more than this part of the time gets one, later than the others
DECIDING = 0.5  # of the time is for the claims of tables that are not like another, before others are begun
TELLING = 4  # matches a worker after which their time counts for more than what was measured before
READINGS = 4  # a table that is like another gets so much less of the time
SHORT = 10.0  # seconds; a table is played for at least so long at a time, for its workers take some to start
MOST_KEPT = 1 / 3  # of the time is kept back for such tables of other readings at most
PATIENCE = 1.5  # times the time of a table, after which it ends although its blocks are not complete


def store_of(part: Part, folder: Path) -> Path:
    return folder / f"{part.paper}-{part.name}.{'db' if part.samples is None else 'json'}"


def scaled(part: Part, scale: float) -> int:
    """How many starts a scale means."""
    if not 0 < scale <= 1:
        raise BadParameter(f"expected a scale above 0 and up to 1, got {scale:g}")
    if scale * part.starts < 1:
        raise BadParameter(
            f"a scale of {scale:g} is less than one block of {part.full_name}, which has {part.starts}; "
            f"use at least {1 / part.starts:.2g}"
        )
    return round(scale * part.starts)


def positive(minutes: float) -> float:
    if not minutes > 0:
        raise BadParameter(f"expected more than 0 minutes, got {minutes:g}")
    return minutes


def played(part: Part, folder: Path) -> Standings | Found | None:
    """What is stored of a table; None if nothing is."""
    path = store_of(part, folder)
    if part.samples is not None:
        return stored(part.samples, path)
    if not path.exists():
        return None
    with open_store(path) as store:
        return detailed(store)


def blocks_stored(part: Part, folder: Path) -> int:
    found = played(part, folder)
    return 0 if found is None else found.matches // per_block(part)


def shares(parts: Sequence[Part], folder: Path) -> list[float]:
    """Which part of the time each table gets: in proportion to what is not decided of it; equal parts if all is.

    A table that is like another repeats its claims under other conditions, so it gets less.
    """
    weights = [openness(part, played(part, folder)) / (READINGS if part.table.like else 1) for part in parts]
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / len(parts) for _ in parts]


def needed(part: Part, folder: Path, blocks: int, workers: int) -> float:
    """Seconds that are missing until so many blocks of a table are played."""
    hands = workers if part.samples is None else 1
    missing = max(0, min(blocks, part.starts) - blocks_stored(part, folder))
    return missing * per_block(part) * seconds_a_match(part, folder) / hands


def repeat(
    parts: Sequence[Part],
    folder: Path,
    *,
    minutes: float | None = None,
    scale: float | None = None,
    workers: int,
    options: dict[str, Any],
    told: Told,
) -> list[tuple[Part, float]]:
    """Play tables to a scale, or for so many minutes in all; what is stored already is not played again.

    Returns the tables of which not even one block fits into the minutes, each with the seconds that a block takes.
    `told` is called before each table with the blocks that it is to have, and returns a function that watches the run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if minutes is None:
        for part in parts:
            play_starts(part, folder, scaled(part, 1.0 if scale is None else scale), workers, options, told)
        return []
    everything = 60 * positive(minutes)
    end = time.monotonic() + everything
    own, readings = ([part for part in parts if bool(part.table.like) == like] for like in (False, True))
    (own_small, own_large), (small, large) = (split(each, folder, workers, everything) for each in (own, readings))

    left = play_first(own_small, folder, end, workers, options, told, FEWEST)
    decide(without(own_small, left), folder, time.monotonic() + DECIDING * everything, workers, options, told)
    left += play_first(own_large, folder, end, workers, options, told, 1)
    left += play_first(small, folder, end, workers, options, told, FEWEST)

    costs = [PATIENCE * needed(part, folder, 1, workers) for part in large]
    kept_back = min(MOST_KEPT * everything, sum(cost for cost in costs if cost <= everything))
    begun = without([*own, *small], left)
    go_on(begun, folder, end - time.monotonic() - kept_back, workers, options, told)
    return left + play_first(large, folder, end, workers, options, told, 1)


def split(parts: Sequence[Part], folder: Path, workers: int, seconds: float) -> tuple[list[Part], list[Part]]:
    """Tables whose first blocks take a small and a large part of so many seconds."""
    large = [part for part in parts if needed(part, folder, FEWEST, workers) > LARGE * seconds]
    return [part for part in parts if part not in large], large


def without(parts: Sequence[Part], left: Sequence[tuple[Part, float]]) -> list[Part]:
    """The tables of which something fitted into the time."""
    return [part for part in parts if part not in dict(left)]


def play_first(
    parts: Sequence[Part], folder: Path, end: float, workers: int, options: dict[str, Any], told: Told, most: int
) -> list[tuple[Part, float]]:
    """Play the first blocks of tables, at most so many of each, the cheapest table first.

    Returns the tables of which not even one block fits before the end, each with the seconds that a block takes.
    """
    left = []
    for part in sorted(parts, key=lambda part: needed(part, folder, most, workers)):
        rest = end - time.monotonic()
        blocks = next((n for n in range(most, 0, -1) if needed(part, folder, n, workers) <= rest), 0)
        if not blocks:
            left.append((part, needed(part, folder, 1, workers)))
        elif needed(part, folder, blocks, workers):
            seconds = max(1.0, PATIENCE * needed(part, folder, blocks, workers))
            play_starts(part, folder, min(blocks, part.starts), workers, options, told, seconds)
    return left


def go_on(
    parts: Sequence[Part], folder: Path, seconds: float, workers: int, options: dict[str, Any], told: Told
) -> None:
    """Play tables on for so many seconds: first where a claim will be decided soonest, then what is least decided.

    Time that is shared out is half of what is left, so that claims which come into reach by it can be decided in the
    other half.
    """
    end = time.monotonic() + seconds
    while parts and decide(parts, folder, end, workers, options, told) > SHORT:
        rest = end - time.monotonic()
        share_out(parts, folder, rest / 2 if rest > 4 * SHORT else rest, workers, options, told)
        if end - time.monotonic() > 0.9 * rest:  # nothing that is open fits into the time
            return


def decide(parts: Sequence[Part], folder: Path, end: float, workers: int, options: dict[str, Any], told: Told) -> float:
    """Play tables on where a claim whose effect is as large as printed is open, then where a claim will be decided
    soonest, until none is expected to be before the end; returns the seconds that are left then. What is expected of a
    table is looked at again when its blocks have doubled.
    """
    large = {part: as_printed(part, folder, workers) for part in parts}
    expected = {part: soonest(part, folder, workers) for part in parts}
    while expected and (rest := end - time.monotonic()) > SHORT:
        part = min(parts, key=lambda part: (large[part], expected[part] * (READINGS if part.table.like else 1)))
        until = min(large[part], expected[part])
        if math.isinf(large[part]) and until > rest:
            break
        begun, block = blocks_stored(part, folder), needed_more(part, folder, 1, workers)
        more = max(1, min(begun, math.ceil(until / block)), int(SHORT / block))
        play_starts(part, folder, min(part.starts, begun + more), workers, options, told, PATIENCE * rest)
        comes_on = blocks_stored(part, folder) > begun
        large[part] = as_printed(part, folder, workers) if comes_on else math.inf
        expected[part] = soonest(part, folder, workers) if comes_on else math.inf
    return end - time.monotonic()


def as_printed(part: Part, folder: Path, workers: int) -> float:
    """Seconds until the next open claim of a table is expected to be decided whose effect is found as large as printed,
    at most those until the table is complete; infinite if it has no such claim, or is complete.
    """
    found = played(part, folder)
    if found is None or not found.finished:
        return math.inf
    judged = [each.claim for each in judge_claims(part, found) if each.verdict == OPEN]
    blocks = [missing(part, claim, found) for claim in judged if as_large_as_printed(part, claim, found)]
    starts = found.matches / per_block(part)
    if not blocks or starts >= part.starts:
        return math.inf
    more = min(min(blocks) * starts / found.blocks, part.starts - starts)
    return needed_more(part, folder, math.ceil(more), workers)


def needed_more(part: Part, folder: Path, blocks: int, workers: int) -> float:
    """Seconds that so many more blocks of a table take; 0 if it has been played in full."""
    return needed(part, folder, blocks_stored(part, folder) + blocks, workers)


def soonest(part: Part, folder: Path, workers: int) -> float:
    """Seconds until the next claim of a table is expected to be decided; infinite if none is, up to full scale."""
    found = played(part, folder)
    if found is None or not found.finished:
        return math.inf
    starts = found.matches / per_block(part)
    more = next_verdict(part, found) * starts / found.blocks
    if more > part.starts - starts:
        return math.inf
    return needed_more(part, folder, math.ceil(more), workers)


def share_out(
    parts: Sequence[Part], folder: Path, seconds: float, workers: int, options: dict[str, Any], told: Told
) -> None:
    """Play tables on, each for its share of so many seconds; what one does not use is left for those after it."""
    end = time.monotonic() + seconds
    weights = dict(zip(parts, shares(parts, folder), strict=True))
    costs = {part: needed_more(part, folder, 1, workers) for part in parts}
    order = sorted((part for part in parts if weights[part] and costs[part]), key=lambda part: costs[part])
    for nth, part in enumerate(order):
        rest = (end - time.monotonic()) * weights[part] / sum(weights[each] for each in order[nth:])
        more = int(rest / costs[part])
        if more > 0:
            starts = min(part.starts, blocks_stored(part, folder) + more)
            play_starts(part, folder, starts, workers, options, told, PATIENCE * rest)


class Enough(KingmakerError):
    """The time of a table is over; what was played is stored."""


class Watch:
    """Watches a run of a table: ends it so many seconds after its first match, or at so many matches, and tells how
    long a match took.
    """

    def __init__(self, seconds: float | None, matches: int, told: Any) -> None:
        self.seconds, self.matches, self.told = seconds, matches, told
        self.began = self.passed = 0.0
        self.first = self.played = 0

    def __call__(self, running: Running) -> None:
        if self.told is not None:
            self.told(running)
        if running.new and not self.first:
            self.began, self.first = time.monotonic(), running.new
        if self.first:
            self.passed, self.played = time.monotonic() - self.began, running.new - self.first
        if self.seconds is not None and self.passed > self.seconds:
            raise Enough("the time of this table is over")
        if running.done >= self.matches:
            raise Enough("this table has what was asked for")

    def a_match(self, workers: int) -> float | None:
        """The seconds of a match on one of so many workers; None if too few were played to say."""
        return workers * self.passed / self.played if self.played >= TELLING * workers else None


def play_starts(
    part: Part,
    folder: Path,
    starts: int,
    workers: int,
    options: dict[str, Any],
    told: Told,
    seconds: float | None = None,
) -> None:
    """Play a table until it has so many starts, or the time is over."""
    watch = told(part, starts)
    if part.samples is not None:
        sample(part.samples, store_of(part, folder), starts, seconds)
        return
    path = store_of(part, folder)
    experiment = msgspec.structs.replace(part.experiment, starts=max(starts, begun_with(path)))
    watching = Watch(seconds, starts * per_block(part), watch)
    with suppress(Enough):
        run_experiment(experiment, path, workers=workers, watch=watching, **options)
    rate = watching.a_match(workers)
    if rate is not None and not options.get("scheduler"):
        remember_rate(part, rate, folder)


def begun_with(path: Path) -> int:
    """The starts that an earlier run of this table was to have; a run that asks for fewer ends before."""
    if not path.exists():
        return 0
    with open_store(path) as store:
        starts = store.experiment.starts
    return starts if isinstance(starts, int) else 0
