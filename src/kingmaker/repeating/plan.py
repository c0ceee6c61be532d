"""How much of a paper is played: how long a match of each table takes here, and how the time is shared out."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.declaration import Experiment
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.standings import Standings, standings
from kingmaker.arena.results.store import open_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.repeating.calibrate import budgets, calibrated, known_budgets
from kingmaker.repeating.pace import per_block, seconds_a_match
from kingmaker.repeating.paper import Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.sampling import sample, stored
from kingmaker.repeating.verdicts import openness

FEWEST = 2  # blocks; from one block nothing can be concluded
PATIENCE = 2.0  # times the time of a table, after which it ends although its fewest blocks are not complete
FIRST = 0.3  # part of the time that is shared out equally, before it is known what is least decided


def store_of(part: Part, folder: Path) -> Path:
    return folder / f"{part.paper}-{part.name}.{'db' if part.samples is None else 'json'}"


def prepared(part: Part, folder: Path, look: bool = True) -> Part:
    """The table with the node budgets that it asks for; `look`: look for them if they are not known yet."""
    if not part.table.calibrate or part.calibrated:
        return part
    nodes = budgets(part, folder) if look else known_budgets(part, folder)
    return calibrated(part, nodes) if nodes else part


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


def played(part: Part, folder: Path) -> Standings | Found | None:
    """What is stored of a table; None if nothing is."""
    path = store_of(part, folder)
    if part.samples is not None:
        return stored(part.samples, path)
    if not path.exists():
        return None
    with open_store(path) as store:
        return standings(store)


def blocks_stored(part: Part, folder: Path) -> int:
    found = played(part, folder)
    return 0 if found is None else found.matches // per_block(part)


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
) -> list[Part]:
    """Play tables to a scale, or for so many minutes in all; what is stored already is not played again.

    Of given minutes a third is shared out equally, the rest by what is then least decided. A table of which the time is
    not enough for a single match is left out; these are returned. `told` is called before each table with the
    experiment as it is to be played, and returns a function that watches the run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if minutes is None:
        for part in parts:
            play_starts(part, folder, scaled(part, 1.0 if scale is None else scale), workers, options, told)
        return []
    if minutes <= 0:
        raise BadParameter(f"expected more than 0 minutes, got {minutes:g}")
    fit = [part for part in parts if seconds_a_match(part, folder) < 60 * minutes * FIRST / len(parts)]
    for portion in (FIRST, 1 - FIRST) if fit else ():
        weights = [1 / len(fit)] * len(fit) if portion == FIRST else shares(fit, folder)
        for part, weight in zip(fit, weights, strict=True):
            if weight:
                longer(part, folder, 60 * minutes * portion * weight, workers, options, told)
    return [part for part in parts if part not in fit]


def longer(part: Part, folder: Path, seconds: float, workers: int, options: dict[str, Any], told: Any) -> None:
    """Play a table on for so many seconds, for some more until it has the fewest blocks that say something, but at most
    twice as long.
    """
    hands = workers if part.samples is None else 1
    more = int(seconds * hands / (seconds_a_match(part, folder) * per_block(part)))
    starts = min(part.starts, max(FEWEST, blocks_stored(part, folder) + more))
    play_starts(part, folder, starts, workers, options, told, PATIENCE * seconds)


class Enough(KingmakerError):
    """The time of a table is over; what was played is stored."""


def until(seconds: float, watch: Any) -> Callable[[Running], None]:
    """A function that watches a run and ends it so many seconds after its first match."""
    began: list[float] = []

    def look(running: Running) -> None:
        if watch is not None:
            watch(running)
        if running.new and not began:
            began.append(time.monotonic())
        if began and time.monotonic() - began[0] > seconds:
            raise Enough("the time of this table is over")

    return look


def play_starts(
    part: Part,
    folder: Path,
    starts: int,
    workers: int,
    options: dict[str, Any],
    told: Any,
    seconds: float | None = None,
) -> None:
    """Play a table until it has so many starts, or the time is over."""
    if part.samples is not None:
        sample(part.samples, store_of(part, folder), starts, seconds)
        return
    experiment = msgspec.structs.replace(part.experiment, starts=starts)
    watch = told(part, experiment)
    if seconds is not None:
        watch = until(seconds, watch)
    with suppress(Enough):
        run_experiment(experiment, store_of(part, folder), workers=workers, watch=watch, **options)
