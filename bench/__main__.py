"""`make bench`: measure everything in one run and compare it with the targets."""

import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich import box
from rich.console import Console
from rich.table import Table

from bench import (
    arena,
    boards,
    cards,
    compiling,
    depths,
    last_ply,
    mcts,
    models,
    opening,
    orders,
    page,
    peer,
    punctual,
    random_play,
    risk,
    startup,
    threads,
    versus,
    win_probability,
)
from bench.row import Row

PARTS: dict[str, Callable[[bool], Iterator[Row]]] = {
    "speed on Light Bike, three seats": versus.run,
    "perft and states of the board games": boards.run,
    "first moves at depth 4 with three seats": opening.run,
    "the last ply at depth 4 with three seats": last_ply.run,
    "the default order of moves": orders.run,
    "random matches": random_play.run,
    "search by sampling": mcts.run,
    "card games": cards.run,
    "six seats at Risk: three searches over plans, three scripts": risk.run,
    "winning chances": win_probability.run,
    "depth with 300 ms a move on Light Bike, three seats: ours in "
    "machine code here, the source's in Python in 2020": depths.run,
    "evaluations of opponent modelling on random trees": models.run,
    "start of a new process": startup.run,
    "processor time of compiling": compiling.run,
    "punctuality": punctual.run,
    "threads": threads.run,
    "the arena": arena.run,
    "the page": page.run,
}
BUSY = 0.5  # load average above which others use the machine
app = App(name="bench", help_format="plaintext", result_action="return_value")


@app.default
def main(
    *,
    quick: Annotated[bool, Parameter(negative=(), help="Fewer rounds and races; for a first look.")] = False,
    json: Annotated[Path | None, Parameter(help="Save what was measured in this file.")] = None,
) -> int:
    """Measure Kingmaker against C, its interpreted twin and its targets. The exit code is 1 if a target was missed.

    Run it when nothing else runs; it warns if the machine is busy.
    """
    console, rows = Console(highlight=False), []
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > BUSY:
        console.print(f"[yellow]others use this machine (load {load:.1f}): times come out long and ratios wrong[/]")
    for title, part in PARTS.items():
        table = new_table(title)
        with console.status(title):
            for row in part(quick):
                rows.append(row)
                add(table, row)
        console.print(table)
    console.print(f"[dim]{peer.WHAT if peer.installed() else peer.HOW}[/]")
    if json:
        save(json, rows)
    missed = [row.what for row in rows if row.ok is False]
    console.print(f"[red]missed: {'; '.join(missed)}[/]" if missed else "[green]every target is met[/]")
    return 1 if missed else 0


def new_table(title: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("measured", "result", "target", ""):
        table.add_column(heading, justify="right" if heading == "result" else "left", no_wrap=heading != "measured")
    return table


def add(table: Table, row: Row) -> None:
    verdict = "" if row.ok is None else "[green]ok[/]" if row.ok else "[red]missed[/]"
    table.add_row(row.what, row.text, f"[dim]{row.target}[/]", verdict)


def save(path: Path, rows: list[Row]) -> None:
    """Save all measurements, with the machine and the versions."""
    import msgspec

    from kingmaker import __version__

    machine = {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    path.write_bytes(
        msgspec.json.format(msgspec.json.encode({"version": __version__, "machine": machine, "rows": rows}), indent=2)
    )


if __name__ == "__main__":
    raise SystemExit(app())
