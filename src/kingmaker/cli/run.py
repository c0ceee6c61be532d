"""`kingmaker run`: play an experiment, or go on with it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import AsJson

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from kingmaker.arena.running import Running

EVERY = 10.0  # seconds between two plain lines
RATED = 3.0  # seconds between two ratings
FAILED, INTERRUPTED = 1, 130


def run(
    file: Annotated[Path, Parameter(help="The experiment, in TOML.")],
    /,
    *,
    store: Annotated[Path | None, Parameter(help="Where the matches go; FILE with the ending .db if not given.")] = None,
    workers: Annotated[int, Parameter(help="Processes; as many as there are cores if not given.")] = 0,
    scheduler: Annotated[str, Parameter(help="Run on dask.distributed: tcp://… of a scheduler, or local.")] = "",
    accept_changes: Annotated[bool, Parameter(negative="", help="Go on although the experiment or the code has changed.")] = False,
    retry_failed: Annotated[bool, Parameter(negative="", help="Play failed matches again.")] = False,
    json: AsJson = False,
) -> int:
    """Play an experiment, or go on with it where it stopped.

    Every match that has no row in the store is played; Ctrl-C stops, and the same
    command goes on. The exit code is 1 if a match failed, 130 after Ctrl-C.

    Example: kingmaker run examples/experiments/light_bike.toml --workers 2
    """
    from rich.console import Console

    from kingmaker.arena.experiment import read_experiment
    from kingmaker.arena.runner import Stopped
    from kingmaker.arena.session import run_experiment
    from kingmaker.cli.status import tell

    console = Console(stderr=json)
    experiment = read_experiment(file)
    path = store or file.with_suffix(".db")
    display = Live(console) if console.is_terminal else Lines(console)
    options: dict[str, Any] = {"workers": workers, "scheduler": scheduler, "accept_changes": accept_changes, "retry_failed": retry_failed}
    code = 0
    try:
        with display:
            running = run_experiment(experiment, path, watch=display.watch, **options)
        code = FAILED if running.failed else 0
    except Stopped as stop:
        console.print(str(stop), highlight=False)
        code = INTERRUPTED
    tell(path, json)
    return code


class Lines:
    """Tells how a run goes by one plain line now and then, for files and pipes."""

    def __init__(self, console: "Console") -> None:
        self.console, self.said = console, 0.0

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *fault: Any) -> None:
        """Nothing is left to close."""

    def watch(self, running: "Running") -> None:
        now = time.monotonic()
        if now - self.said < EVERY or running.done == running.total or (self.said and not running.rate):
            return
        self.said = now
        best = max((line for lines in running.lines for line in lines), key=lambda line: line.share)
        leads = f", best {best.agent} with {100 * best.share:.1f} %" if best.games else ""
        self.console.print(f"{pace(running)}{leads}", highlight=False)


class Live(Lines):
    """Tells it by a table that changes in place."""

    def __init__(self, console: "Console") -> None:
        super().__init__(console)
        self.rated = 0.0
        self.ratings: dict[int, list[tuple[float, float]]] = {}

    def __enter__(self) -> "Live":
        from rich.live import Live as RichLive

        self.live = RichLive(console=self.console, refresh_per_second=4, transient=True)
        self.live.__enter__()
        return self

    def __exit__(self, *fault: Any) -> None:
        self.live.__exit__(*fault)

    def watch(self, running: "Running") -> None:
        now = time.monotonic()
        if now - self.said < 0.2:
            return
        self.said = now
        if now - self.rated > RATED:
            self.ratings = {variant: running.ratings(variant) for variant in range(len(running.lines))}
            self.rated = now
        self.live.update(live_table(running, self.ratings))


def pace(running: "Running") -> str:
    """How far, how fast, how long."""
    left = running.seconds_left
    parts = [f"{running.done} of {running.total} matches"]
    if running.rate:
        parts.append(f"{running.rate:.3g} a second, {duration(left)} left")
    elif running.done < running.total:
        parts.append("getting ready (what is new is compiled, once a machine)")
    if running.failed:
        parts.append(f"{running.failed} failed")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def live_table(running: "Running", ratings: dict[int, list[tuple[float, float]]]) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, caption=pace(running), caption_justify="left")
    names = list(running.schedule.variants[0].settings)
    for name in (*names, "agent"):
        table.add_column(name)
    for name in ("games", "share %", "95 %", "Elo", "±", "depth", "nodes"):
        table.add_column(name, justify="right", no_wrap=True)
    for variant, lines in enumerate(running.lines):
        settings = running.schedule.variants[variant].settings
        for number, line in enumerate(lines):
            low, high = line.interval(running.schedule.independent(variant))
            elo, error = ratings.get(variant, [(0.0, 0.0)] * len(lines))[number]
            table.add_row(
                *(str(settings[name]) for name in names),
                line.agent,
                str(line.games),
                f"{100 * line.share:.1f}",
                f"{100 * low:.1f}–{100 * high:.1f}",
                f"{elo:+.0f}",
                f"{1.96 * error:.0f}",
                f"{line.depths / max(1, line.moves):.1f}",
                f"{line.nodes / max(1, line.moves):,.0f}",
            )
    return table
