"""`kingmaker run`: play an experiment, or go on with it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import AsJson, Screen, examinations_told
from kingmaker.cli.voice import quiet

if TYPE_CHECKING:
    from rich.table import Table

    from kingmaker.arena.results.live import Running

EVERY = 10.0  # seconds between two plain lines
PATIENCE = 20  # the next table waits so many times as long as the last one took, because the coordinator has other work
FAILED, INTERRUPTED = 1, 130


def run(
    file: Annotated[Path, Parameter(help="The experiment, in TOML.")],
    /,
    *,
    store: Annotated[
        Path | None, Parameter(help="Where the matches go; FILE with the ending .db if not given.")
    ] = None,
    workers: Annotated[int, Parameter(help="Processes; as many as there are cores if not given.")] = 0,
    scheduler: Annotated[str, Parameter(help="Run on dask.distributed: tcp://… of a scheduler, or local.")] = "",
    accept_changes: Annotated[
        bool, Parameter(negative="", help="Go on although the experiment or the code has changed.")
    ] = False,
    retry_failed: Annotated[bool, Parameter(negative="", help="Play failed matches again.")] = False,
    json: AsJson = False,
) -> int:
    """Play an experiment, or go on with it where it stopped.

    Every match that has no row in the store is played; Ctrl-C stops, and the same
    command goes on. The exit code is 1 if a match failed, 130 after Ctrl-C.

    Example: kingmaker run examples/experiments/light_bike.toml --workers 2
    """
    from kingmaker.arena.experiment.declaration import read_experiment
    from kingmaker.arena.running.coordinator import Stopped
    from kingmaker.arena.running.run import run_experiment
    from kingmaker.cli.status import tell

    screen = Screen(stderr=json)
    with examinations_told():
        experiment = read_experiment(file)
    path = store or file.with_suffix(".db")
    display = Silence(screen) if quiet() else Live(screen) if screen.is_terminal else Lines(screen)
    options: dict[str, Any] = {
        "workers": workers,
        "scheduler": scheduler,
        "accept_changes": accept_changes,
        "retry_failed": retry_failed,
    }
    code = 0
    try:
        with display:
            running = run_experiment(experiment, path, watch=display.watch, **options)
        code = FAILED if running.failed else 0
    except Stopped as stop:
        screen.tell(str(stop))
        code = INTERRUPTED
    tell(path, json)
    return code


class Lines:
    """Shows the progress of a run by a plain line from time to time, for files and pipes."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.said = screen, 0.0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *fault: Any) -> None:
        """Nothing is left to close."""

    def watch(self, running: "Running") -> None:
        now = time.monotonic()
        if now - self.said < EVERY or running.done == running.total or (self.said and not running.rate):
            return
        self.said = now
        named = zip(running.schedule.variants, range(len(running.tallies)), strict=True)
        rows = [(row, name) for variant, at in named for name, row in zip(variant.names, running.rows(at), strict=True)]
        best, name = max(rows, key=lambda pair: pair[0].share)
        leads = f", best {name} with {100 * best.share:.1f} %" if best.games else ""
        self.screen.tell(f"{pace(running)}{leads}")
        if running.missing:
            self.screen.tell(running.missing)


class Silence(Lines):
    """Shows no progress."""

    def watch(self, running: "Running") -> None:
        """Print nothing."""


class Live(Lines):
    """Shows the progress of a run by a table that is updated in place."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen)
        self.took = 0.0  # seconds that the last table took

    def __enter__(self) -> "Live":
        from rich.live import Live as RichLive

        self.live = RichLive(console=self.screen, refresh_per_second=4, transient=True)
        self.live.__enter__()
        return self

    def __exit__(self, *fault: Any) -> None:
        self.live.__exit__(*fault)

    def watch(self, running: "Running") -> None:
        now = time.monotonic()
        if now - self.said < max(0.2, PATIENCE * self.took):
            return
        self.live.update(live_table(running))
        self.said = time.monotonic()
        self.took = self.said - now


def pace(running: "Running") -> str:
    """How far a run is, how fast it is, and how long it will still take."""
    left = running.seconds_left
    parts = [f"{running.done} of {running.total} matches"]
    if running.rate:
        parts.append(f"{running.rate:.3g} a second, {duration(left)} left")
    elif running.done < running.total:
        parts.append("getting ready (new code is compiled, once per machine)")
    if running.failed:
        parts.append(f"{running.failed} failed")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def live_table(running: "Running") -> "Table":
    from rich.table import Table

    from kingmaker.arena.results.labels import labels

    told = "\n".join(filter(None, (pace(running), running.missing)))
    table = Table(box=None, pad_edge=False, caption=told, caption_justify="left")
    shown = labels(str(text) for each in running.schedule.variants for text in (*each.settings.values(), *each.names))
    names = list(running.schedule.variants[0].settings)
    for name in (*names, "agent"):
        table.add_column(name)
    for name in ("games", "share %", "95 %", "Elo", "depth", "nodes"):
        table.add_column(name, justify="right", no_wrap=True)
    for at, variant in enumerate(running.schedule.variants):
        for agent, row in zip(variant.names, running.rows(at), strict=True):
            low, high = row.share_interval
            table.add_row(
                *(shown[str(variant.settings[name])] for name in names),
                shown[agent],
                str(row.games),
                f"{100 * row.share:.1f}",
                f"{100 * low:.1f}–{100 * high:.1f}",
                row.elo_text,
                f"{row.depth:.1f}",
                f"{row.nodes:,.0f}",
            )
    return table
