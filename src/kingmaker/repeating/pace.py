"""How long a match of each table takes on this machine: measured by playing some, once for each version of the code,
and corrected whenever the table was played.
"""

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
    rate, pace = kept(folder).get(key_of(part)), part.table.pace
    if rate is None and pace is not None:
        return pace.times * seconds_a_match(Part(part.paper, pace.table, part.folder), folder)
    if rate is None:
        rate = measured(part)
        remember_rate(part, rate, folder)
    return rate


def measured(part: Part) -> float:
    """Play some matches of a table, or take some samples; returns the mean time of one."""
    return timed(part.experiment.as_text()) if part.samples is None else timed_samples(part.samples)


def remember_rate(part: Part, rate: float, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(kept(folder) | {key_of(part): rate}, indent=2)
    (folder / RATES).write_text(text, encoding="utf-8")


def known_rate(part: Part, folder: Path) -> float | None:
    """The time of a match that was measured before, if it was; of a match of the table by which this one is paced."""
    if part.table.pace is not None:
        return known_rate(Part(part.paper, part.table.pace.table, part.folder), folder)
    return kept(folder).get(key_of(part))


def key_of(part: Part) -> str:
    """What a measured time is kept under: the same for the same matches and the same code."""
    if part.samples is not None:
        return f"{part.full_name} {identity_of(part.samples)} {versions()}"
    return f"{part.full_name} {part.experiment.identity} {code_hash(part.experiment.as_text())}"


def kept(folder: Path) -> dict[str, float]:
    try:
        known: dict[str, float] = json.loads((folder / RATES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known


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
    """Matches or searches of one start, with all its seatings and repeats."""
    if part.samples is not None:
        return len(part.samples.rows)
    return schedule_of(part.experiment.as_text()).per_block * part.experiment.repeats


def full_matches(part: Part) -> int:
    """Matches or searches of the whole table."""
    return per_block(part) * part.starts


def full_seconds(part: Part, folder: Path, workers: int) -> float:
    """How long the whole table takes here; samples are taken by one process."""
    return full_matches(part) * seconds_a_match(part, folder) / (workers if part.samples is None else 1)
