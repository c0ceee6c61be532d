"""How much of a paper is played: how long a match of each table takes here, and how the time is shared out."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.code import code_hash
from kingmaker.arena.experiment.declaration import Experiment
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.repeating.paper import Part
from kingmaker.arena.repeating.verdicts import openness
from kingmaker.arena.results.result import FAILED
from kingmaker.arena.results.standings import Standings, standings
from kingmaker.arena.results.store import open_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import play_task, ready
from kingmaker.core.errors import BadParameter, KingmakerError

RATES = "rates.json"
SAMPLE = 3.0  # seconds for which matches are played to learn how long one takes
FEWEST = 2  # blocks; from one block nothing can be concluded
FIRST = 0.3  # part of the time that is shared out equally, before it is known what is least decided


def store_of(part: Part, folder: Path) -> Path:
    return folder / f"{part.paper}-{part.name}.db"


def seconds_a_match(part: Part, folder: Path) -> float:
    """How long a match of a table takes on one core of this machine: measured once for this code, and then kept."""
    text = part.experiment.as_text()
    key = f"{part.full_name} {part.experiment.identity} {code_hash(text)}"
    path = folder / RATES
    try:
        known: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    if key not in known:
        known[key] = timed(text)
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(known, indent=2), encoding="utf-8")
    return known[key]


def timed(text: str) -> float:
    """Play matches spread over all settings of an experiment for some seconds; returns the mean time of one."""
    schedule = schedule_of(text)
    for variant in range(len(schedule.variants)):
        ready(schedule, variant)
    began, played = time.perf_counter(), 0
    for number in spread(schedule.per_block):
        result = play_task(schedule, schedule.task(number))
        if result.status == FAILED:
            raise KingmakerError(f"match {number} of the experiment failed: {result.fault}")
        played += 1
        if time.perf_counter() - began > SAMPLE:
            break
    return (time.perf_counter() - began) / played


def spread(count: int) -> list[int]:
    """The numbers below `count` in an order in which any beginning is spread over all of them."""
    step = next(each for each in range(max(1, round(0.618 * count)), count + 1) if coprime(each, count))
    return [i * step % count for i in range(count)]


def coprime(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one == 1


def full_seconds(part: Part, folder: Path, workers: int) -> float:
    """How long the whole table takes here."""
    return len(schedule_of(part.experiment.as_text())) * seconds_a_match(part, folder) / workers


def scaled(part: Part, scale: float) -> Experiment:
    """The experiment with a part of its starts."""
    full = part.experiment.starts
    assert isinstance(full, int)
    if not 0 < scale <= 1:
        raise BadParameter(f"expected a scale above 0 and up to 1, got {scale:g}")
    if scale * full < 1:
        raise BadParameter(
            f"a scale of {scale:g} is less than one block of {part.full_name}, which has {full}; "
            f"use at least {1 / full:.2g}"
        )
    return msgspec.structs.replace(part.experiment, starts=round(scale * full))


def played(part: Part, folder: Path) -> Standings | None:
    """The standings of what is stored of a table; None if nothing is."""
    path = store_of(part, folder)
    if not path.exists():
        return None
    with open_store(path) as store:
        return standings(store)


def blocks_stored(part: Part, folder: Path) -> int:
    found = played(part, folder)
    return 0 if found is None else found.matches // schedule_of(part.experiment.as_text()).per_block


def shares(parts: Sequence[Part], folder: Path) -> list[float]:
    """Which part of the time each table gets: in proportion to what is not decided of it; equal parts if all is."""
    weights = []
    for part in parts:
        found = played(part, folder)
        weights.append(1 + len(part.table.claims) + len(part.table.cells) if found is None else openness(part, found))
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / len(parts)] * len(parts)


def repeat(
    parts: Sequence[Part],
    folder: Path,
    *,
    minutes: float | None = None,
    scale: float | None = None,
    workers: int,
    options: dict[str, Any],
    told: Callable[[Part, Experiment], Any],
) -> None:
    """Play tables to a scale, or for so many minutes in all; what is stored already is not played again.

    Of given minutes a third is shared out equally, the rest by what is then least decided. `told` is called before
    each table with the experiment as it is to be played, and returns a function that watches the run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if minutes is None:
        for part in parts:
            experiment = scaled(part, 1.0 if scale is None else scale)
            run_experiment(experiment, store_of(part, folder), workers=workers, watch=told(part, experiment), **options)
        return
    if minutes <= 0:
        raise BadParameter(f"expected more than 0 minutes, got {minutes:g}")
    for portion in (FIRST, 1 - FIRST):
        weights = [1 / len(parts)] * len(parts) if portion == FIRST else shares(parts, folder)
        for part, weight in zip(parts, weights, strict=True):
            if weight:
                longer(part, folder, 60 * minutes * portion * weight, workers, options, told)


def longer(part: Part, folder: Path, seconds: float, workers: int, options: dict[str, Any], told: Any) -> None:
    """Play a table on for so many seconds, at least until it has the fewest blocks that say something."""
    per_block = schedule_of(part.experiment.as_text()).per_block
    more = int(seconds * workers / (seconds_a_match(part, folder) * per_block))
    full = part.experiment.starts
    assert isinstance(full, int)
    starts = min(full, max(FEWEST, blocks_stored(part, folder) + more))
    experiment = msgspec.structs.replace(part.experiment, starts=starts)
    run_experiment(experiment, store_of(part, folder), workers=workers, watch=told(part, experiment), **options)
