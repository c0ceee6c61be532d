"""How long a match of each table takes on this machine: measured by playing some, once for each version of the code."""

import json
import time
from pathlib import Path

from kingmaker.arena.experiment.code import code_hash, versions
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.result import FAILED
from kingmaker.arena.running.worker import play_task, ready
from kingmaker.core.errors import KingmakerError
from kingmaker.repeating.paper import Part
from kingmaker.repeating.samples import Samples
from kingmaker.repeating.sampling import identity_of, observe

RATES = "rates.json"
SAMPLE = 3.0  # seconds for which matches are played to learn how long one takes


def seconds_a_match(part: Part, folder: Path) -> float:
    """How long a match of a table takes on one core of this machine: measured once for this code, and then kept."""
    if part.table.pace is not None:
        return part.table.pace.times * seconds_a_match(Part(part.paper, part.table.pace.table, part.folder), folder)
    if part.samples is None:
        text = part.experiment.as_text()
        key = f"{part.full_name} {part.experiment.identity} {code_hash(text)}"
    else:
        key = f"{part.full_name} {identity_of(part.samples)} {versions()}"
    path = folder / RATES
    try:
        known: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    if key not in known:
        known[key] = timed(text) if part.samples is None else timed_samples(part.samples)
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


def timed_samples(samples: Samples) -> float:
    """The mean time of one observation, after everything was compiled for another one."""
    spent = 0.0
    for label in samples.rows:
        observe(samples, label, 0)
        began = time.perf_counter()
        observe(samples, label, 1)
        spent += time.perf_counter() - began
    return spent / len(samples.rows)


def spread(count: int) -> list[int]:
    """The numbers below `count` in an order in which any beginning is spread over all of them."""
    step = next(each for each in range(max(1, round(0.618 * count)), count + 1) if coprime(each, count))
    return [i * step % count for i in range(count)]


def coprime(one: int, other: int) -> bool:
    while other:
        one, other = other, one % other
    return one == 1


def per_block(part: Part) -> int:
    """Matches or searches of one block."""
    return schedule_of(part.experiment.as_text()).per_block if part.samples is None else len(part.samples.rows)


def full_matches(part: Part) -> int:
    """Matches or searches of the whole table."""
    return per_block(part) * part.starts


def full_seconds(part: Part, folder: Path, workers: int) -> float:
    """How long the whole table takes here; samples are taken by one process."""
    return full_matches(part) * seconds_a_match(part, folder) / (workers if part.samples is None else 1)
