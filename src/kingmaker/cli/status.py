"""`kingmaker status`: how far an experiment is, and what it says so far."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import AsJson, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from kingmaker.arena.standings import Standings

HEADINGS = ("games", "share %", "95 %", "win %", "ties %", "Elo", "depth", "nodes")
WIDE = 100  # columns from which there is room between those of a table
StorePath = Annotated[Path, Parameter(help="The store that `kingmaker run` wrote.")]


def status(store: StorePath, /, *, json: AsJson = False) -> int:
    """Say how far an experiment is, and what it says so far.

    Reads only; the experiment may be running.

    Example: kingmaker status light_bike.db
    """
    tell(store, json)
    return 0


def tell(path: Path, json: bool) -> None:
    """Print what a store says, for people or for programs."""
    from rich.console import Console

    from kingmaker.arena.standings import standings
    from kingmaker.arena.store import open_store

    with open_store(path) as opened:
        if json:
            print_json(asdict(standings(opened)))
            return
        show(Console(), standings(opened))
        show_faults(Console(), opened)


def show(console: "Console", found: "Standings") -> None:
    """The table with all that belongs to it."""
    console.print(found.question, style="bold", highlight=False)
    console.print(standings_table(found, console.width))
    for row in found.judgements:
        style = {"yes": "green", "no": "red"}.get(row.verdict, "yellow")
        console.print(f"expected {row.sentence}{setting_text(row.settings, ' with ')}: [{style}]{row.verdict}[/]", highlight=False)
    if found.test:
        console.print(found.test, highlight=False)
    clear = [pair for pair in found.pairs if pair.chance < 0.05]
    for pair in clear:
        first, second, ahead = (pair.first, pair.second, pair.ahead) if pair.ahead >= 0.5 else (pair.second, pair.first, 1 - pair.ahead)
        with_ = setting_text(pair.settings, " with ")
        console.print(
            f"{first} ahead of {second} in {100 * ahead:.1f} % of {pair.matches} matches{with_}, p = {pair.chance:.2g}", highlight=False
        )
    if found.pairs and not clear:
        console.print("no two agents differ clearly (p < 0.05 after correction for all pairs)", highlight=False)
    for seats in found.seats:
        if seats["chance"] < 0.05:
            wins = ", ".join(map(str, seats["wins"]))
            console.print(
                f"the seats are uneven{setting_text(seats['settings'], ' with ')}: wins {wins}, p = {seats['chance']:.2g}", highlight=False
            )
    console.print(summary(found), style="dim", highlight=False)


def summary(found: "Standings") -> str:
    """What stands behind the table."""
    total = f"{found.total} matches" + (" (the test has ended the experiment)" if found.decided else "")
    parts = [f"{found.matches} of {total} in {found.blocks} blocks", f"intervals: 95 %, {found.method}"]
    if found.failed:
        parts.append(f"{found.failed} failed and count as no game")
    if found.unfinished:
        parts.append(f"{found.unfinished} unfinished (limit of turns) and count as no game")
    if not found.reproducible:
        parts.append("not reproducible: a budget of seconds")
    return "; ".join(parts)


def standings_table(found: "Standings", width: int) -> "Table":
    """Every agent under every setting, the best first."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2 if width >= WIDE else 1, 0, 0))
    names = list(found.table[0].settings) if found.table else []
    for name in (*names, "agent"):
        table.add_column(name, overflow="fold", min_width=min(20, len(name)))
    for name in (*HEADINGS, *(["faults"] if any(row.faults for row in found.table) else [])):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.best_first():
        table.add_row(*(str(row.settings[name]) for name in names), row.agent, *cells(row)[: len(table.columns) - len(names) - 1])
    return table


def cells(row: Any) -> list[str]:
    low, high = row.share_interval
    return [
        str(row.games),
        f"{100 * row.share:.1f}",
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{100 * row.win_rate:.1f}",
        f"{100 * row.ties_rate:.1f}",
        f"{row.elo:+.0f} ± {1.96 * row.elo_error:.0f}",
        f"{row.depth:.1f}",
        f"{row.nodes:,.0f}",
        str(row.faults),
    ]


def setting_text(settings: dict[str, Any], before: str) -> str:
    return before + ", ".join(f"{key} = {value}" for key, value in settings.items()) if settings else ""


def show_faults(console: "Console", store: Any, most: int = 5) -> None:
    """The first failures by name."""
    faults = store.connection.execute("SELECT match, fault FROM matches WHERE status = 'failed' ORDER BY match LIMIT ?", (most,)).fetchall()
    for match, fault in faults:
        console.print(f"match {match} failed: {fault}", style="red", highlight=False, markup=False)
    more = store.count("failed") - len(faults)
    if more > 0:
        console.print(f"and {more} more; kingmaker export shows them all", highlight=False)
