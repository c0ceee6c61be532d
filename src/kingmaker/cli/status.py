"""`kingmaker status`: how far an experiment is, and its results so far."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import AsJson, Screen, print_json, show_labelled
from kingmaker.cli.voice import verbose

if TYPE_CHECKING:
    from rich.table import Table

    from kingmaker.arena.results.standings import Standings

HEADINGS = ("games", "share %", "95 %", "win %", "ties %", "Elo", "depth", "nodes")
SPARED = (
    (),
    ("depth", "nodes"),
    ("depth", "nodes", "win %", "ties %"),
)  # columns to leave out, if the screen is too narrow
WIDE = 100  # width of a screen from which the columns of a table get more space between them
StorePath = Annotated[Path, Parameter(help="The store that `kingmaker run` wrote.")]


def status(store: StorePath, /, *, json: AsJson = False) -> int:
    """Show how far an experiment is, and its results so far.

    The store is only read; the experiment may be running.

    Example: kingmaker status light_bike.db
    """
    tell(store, json)
    return 0


def tell(path: Path, json: bool) -> None:
    """Print the results in a store, for people or as JSON."""
    from kingmaker.arena.results.standings import standings
    from kingmaker.arena.results.store import open_store

    with open_store(path) as opened:
        if json:
            print_json(asdict(standings(opened)))
            return
        show(Screen(), standings(opened))
        show_faults(Screen(), opened)


def show(screen: Screen, found: "Standings") -> None:
    """Print the table of agents, the verdicts and the comparisons."""
    screen.tell(found.question, "bold")
    texts = [str(text) for row in found.table for text in (row.agent, *row.settings.values())]
    show_labelled(screen, texts, *(partial(standings_table, found, screen.width, without) for without in SPARED))
    if found.missing:
        screen.tell(found.missing, "yellow")
    for row in found.judgements:
        style = {"yes": "green", "no": "red"}.get(row.verdict, "yellow")
        screen.tell(f"expected {row.sentence}{setting_text(row.settings, ' with ')}: {row.verdict}", style)
    if found.test:
        screen.tell(found.test)
    clear = [pair for pair in found.pairs if pair.chance < 0.05]
    for pair in clear:
        first, second, ahead = (
            (pair.first, pair.second, pair.ahead) if pair.ahead >= 0.5 else (pair.second, pair.first, 1 - pair.ahead)
        )
        with_ = setting_text(pair.settings, " with ")
        screen.tell(
            f"{first} ahead of {second} in {100 * ahead:.1f} % of {pair.matches} matches{with_}, p = {pair.chance:.2g}"
        )
    if found.pairs and not clear:
        screen.tell("no two agents differ clearly (p < 0.05 after Holm's correction for all pairs)")
    for seats in found.seats:
        if seats["chance"] < 0.05:
            wins = ", ".join(map(str, seats["wins"]))
            screen.tell(
                f"the seats are uneven{setting_text(seats['settings'], ' with ')}: "
                f"wins {wins}, p = {seats['chance']:.2g}"
            )
    screen.tell(summary(found), "dim")


def summary(found: "Standings") -> str:
    """How many matches and blocks the table is computed from, and by which method."""
    total = f"{found.total} matches" + (" (the sequential test has ended the experiment)" if found.decided else "")
    parts = [f"{found.matches} of {total} in {found.blocks} blocks", f"95 % confidence intervals {found.method}"]
    if found.failed:
        parts.append(f"{found.failed} failed and count as no game")
    if found.unfinished:
        parts.append(f"{found.unfinished} unfinished (limit of turns) and count as no game")
    if not found.reproducible:
        parts.append("not reproducible: a budget of seconds")
    return "; ".join(parts)


def standings_table(found: "Standings", width: int, without: tuple[str, ...], shown: dict[str, str]) -> "Table":
    """Every agent under every setting, the best first; `shown` has the labels of agents and settings."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2 if width >= WIDE else 1, 0, 0))
    names = list(found.table[0].settings) if found.table else []
    for name in (*names, "agent"):
        table.add_column(name, overflow="fold", min_width=min(20, len(name)))
    headings = [*HEADINGS, *(["faults"] if any(row.faults for row in found.table) else [])]
    kept = [name for name in headings if name not in without]
    for name in kept:
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.best_first():
        numbers = cells(row)
        first = [shown[str(text)] for text in (*(row.settings[name] for name in names), row.agent)]
        table.add_row(*first, *(numbers[name] for name in kept))
    return table


def cells(row: Any) -> dict[str, str]:
    """The cells of one row by heading."""
    low, high = row.share_interval
    return {
        "games": str(row.games),
        "share %": f"{100 * row.share:.1f}",
        "95 %": f"{100 * low:.1f}–{100 * high:.1f}",
        "win %": f"{100 * row.win_rate:.1f}",
        "ties %": f"{100 * row.ties_rate:.1f}",
        "Elo": row.elo_text,
        "depth": f"{row.depth:.1f}",
        "nodes": f"{row.nodes:,.0f}",
        "faults": str(row.faults),
    }


def setting_text(settings: dict[str, Any], before: str) -> str:
    return before + ", ".join(f"{key} = {value}" for key, value in settings.items()) if settings else ""


def show_faults(screen: Screen, store: Any, most: int = 5) -> None:
    """Print the errors of the first failed matches, or of all with --verbose."""
    most = -1 if verbose() else most
    faults = store.connection.execute(
        "SELECT match, fault FROM matches WHERE status = 'failed' ORDER BY match LIMIT ?", (most,)
    ).fetchall()
    for match, fault in faults:
        screen.tell(f"match {match} failed: {fault}", "red")
    more = store.count("failed") - len(faults)
    if more > 0:
        screen.tell(f"and {more} more; --verbose tells them all")
