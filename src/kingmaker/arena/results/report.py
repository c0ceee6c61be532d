"""The report: one HTML file with tables and plots that needs no network, and the plots as picture files."""

import html
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from kingmaker import __version__
from kingmaker.arena.results.answer import CLEAR, answer, setting_text
from kingmaker.arena.results.labels import labels, legend
from kingmaker.arena.results.plots import LONGEST, Plot, picture, plots
from kingmaker.arena.results.standings import Pair, Standings, standings
from kingmaker.arena.results.store import Store, StoreFault
from kingmaker.arena.results.tally import elo_text
from kingmaker.core.plain_text import one_line

PICTURES = ("png", "svg")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid #ddd; text-align: right; }
td { white-space: nowrap; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child, .texts td, .left { text-align: left; }
.texts td { white-space: normal; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } figure { margin: 1.5rem 0; overflow-x: auto; padding-left: 3rem; }
svg { overflow: visible; }
figcaption { color: #555; font-size: 13px; max-width: 40rem; }
.answer { font-size: 18px; font-weight: 600; }
.yes { color: #1a7f37; } .no { color: #cf222e; } .open { color: #9a6700; } small, footer { color: #666; }
pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; }
"""


def write_report(store: Store, path: Path, pictures: tuple[str, ...] = PICTURES) -> list[Path]:
    """Write the HTML file and beside it every plot as a picture; returns the paths, the HTML file first."""
    found = standings(store)
    drawn = list(plots(found))
    figures = {plot.name: picture(plot.chart, "svg") for plot in drawn}
    inside = [figure_of(plot, figures[plot.name].decode()) for plot in drawn]
    written = [path]
    try:
        path.write_text(page(store, found, inside), encoding="utf-8")
        for plot in drawn:
            for form in pictures:
                beside = path.with_name(f"{path.stem}-{plot.name}.{form}")
                beside.write_bytes(figures[plot.name] if form == "svg" else picture(plot.chart, form))
                written.append(beside)
    except OSError as fault:
        raise StoreFault(f"cannot write the report to {path}: {fault.strerror}; name another place with --to") from None
    return written


def page(store: Store, found: Standings, figures: list[str]) -> str:
    """The whole HTML file."""
    experiment = store.experiment
    parts = [
        f"<h1>{text(found.question)}</h1>",
        f'<p class="answer">{text(answer(found))}</p>',
        f"<p>{text(told(found))}</p>",
    ]
    if found.missing:
        parts.append(f'<p class="open">{text(found.missing)}</p>')
    parts += [
        f'<p class="{row.verdict}">expected {text(f"{row.sentence} {setting_text(row.settings)}".strip())}: '
        f"<b>{row.verdict}</b></p>"
        for row in found.judgements
    ]
    if found.test:
        parts.append(f"<p>{text(found.test)}</p>")
    parts += [table_of(found), *figures]
    parts += ["<h2>Agent against agent</h2>", *matrices(found)]
    parts += ["<h2>Seats</h2>", seats_of(found)]
    parts += [f"<h2>The agents</h2><p>All play {text(experiment.game)}.</p>", definitions(found)]
    parts += ["<h2>How it was played</h2>", provenance(store)]
    parts.append(f"<h2>The experiment</h2><pre>{html.escape(json.dumps(experiment.as_data(), indent=2))}</pre>")
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return (
        "<!doctype html><html "
        f'lang="en">{head}<title>{text(found.question)}</title><style>{STYLE}</style>{"".join(parts)}</html>\n'
    )


def text(value: Any) -> str:
    """A text escaped so that an HTML page shows it unchanged, on one line."""
    return html.escape(one_line(str(value)))


def figure_of(plot: Plot, drawn: str) -> str:
    return f'<figure id="{text(plot.name)}">{clean(drawn)}<figcaption>{text(plot.caption)}</figcaption></figure>'


def clean(figure: str) -> str:
    """An SVG picture fit to stand inside HTML."""
    return re.sub(r"^<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", "", figure).strip()


def told(found: Standings) -> str:
    parts = [
        f"{found.matches} of {found.total} matches in {found.blocks} blocks; "
        f"{found.failed} failed, {found.unfinished} unfinished"
    ]
    parts.append(f"95 % confidence intervals {found.method}")
    if not found.reproducible:
        parts.append("a budget of seconds makes this not reproducible")
    return "; ".join(parts)


def cells(values: list[Any], tag: str = "td", left: int = 1) -> str:
    """A table row; its first `left` cells are texts."""
    kinds = [' class="left"'] * left + [""] * len(values)
    return f"<tr>{''.join(f'<{tag}{kind}>{text(value)}</{tag}>' for value, kind in zip(values, kinds))}</tr>"


def table(head: list[Any], rows: list[str], kind: str = "numbers", left: int = 1) -> str:
    """A table of rows that are already HTML; a wide table is scrolled inside the page."""
    return (
        '<div class="wide"><table '
        f'class="{kind}">{cells(head, "th", left) if head else ""}{"".join(rows)}</table></div>'
    )


def table_of(found: Standings) -> str:
    """The standings, with short labels for long texts and a legend below."""
    names = list(found.table[0].settings) if found.table else []
    shown = labels((str(value) for row in found.table for value in (row.agent, *row.settings.values())), LONGEST)
    head = [
        *names,
        "agent",
        "games",
        "share %",
        "95 %",
        "win %",
        "with ties %",
        "points %",
        "Elo",
        "depth",
        "nodes",
        "faults",
    ]
    rows = [
        cells(
            [
                *(shown[str(value)] for value in row.settings.values()),
                shown[row.agent],
                row.games,
                f"{100 * row.share:.1f}",
                f"{100 * row.share_interval[0]:.1f}–{100 * row.share_interval[1]:.1f}",
                f"{100 * row.win_rate:.1f}",
                f"{100 * row.ties_rate:.1f}",
                f"{100 * row.victory_points:.1f}",
                row.elo_text,
                f"{row.depth:.2f}",
                f"{row.nodes:,.0f}",
                row.faults,
            ],
            left=len(names) + 1,
        )
        for row in found.best_first()
    ]
    meant = "".join(f"<br>{text(label)} is {text(whole)}" for label, whole in legend(shown))
    return table(head, rows, left=len(names) + 1) + (
        f"<p><small>{meant.removeprefix('<br>')}</small></p>" if meant else ""
    )


def matrices(found: Standings) -> Iterator[str]:
    """Every agent against every other, setting by setting: how often the agent of the row came out ahead of the agent
    of the column.
    """
    yield (
        "<p><small>Matches in % in which the agent of the row came out ahead of the agent of the column, a tie as "
        "half, and the p-value of equal strength after Holm's correction for all pairs. Bold: p below 0.05.</small></p>"
    )
    for _, group in groupby(found.best_first(), key=lambda row: row.settings):
        rows = list(group)
        agents, settings = [row.agent for row in rows], rows[0].settings
        met = {frozenset((pair.first, pair.second)): pair for pair in found.pairs if pair.settings == settings}
        lines = []
        for first in agents:
            meetings = [meeting(first, met.get(frozenset((first, second)))) for second in agents]
            lines.append(f"<tr><th>{text(first)}</th>{''.join(f'<td>{each}</td>' for each in meetings)}</tr>")
        yield (f"<h3>{text(setting_text(settings))}</h3>" if settings else "") + table(["", *agents], lines)


def meeting(first: str, pair: Pair | None) -> str:
    """One cell of the matrix, seen from the agent of the row; empty where the two never met."""
    if pair is None or pair.first == pair.second:
        return ""
    ahead = f"{100 * (pair.ahead if pair.first == first else 1 - pair.ahead):.1f}"
    small = f"<br><small>p = {pair.chance:.2g}</small>"
    return f"<b>{ahead}</b>{small}" if pair.chance < CLEAR else f"{ahead}{small}"


def definitions(found: Standings) -> str:
    """Every agent as it was played; if this differs between settings, setting by setting."""
    forms: dict[str, dict[str, list[str]]] = {}
    for row in found.table:
        forms.setdefault(row.agent, {}).setdefault(row.form, []).append(setting_text(row.settings))
    changed = any(len(played) > 1 for played in forms.values())
    rows = [
        cells([agent, form, *(["; ".join(settings) if len(played) > 1 else "all settings"] if changed else [])])
        for agent, played in forms.items()
        for form, settings in played.items()
    ]
    return table(["agent", "as it was played", *(["with"] if changed else [])], rows, "texts", 3)


def provenance(store: Store) -> str:
    """Versions, dates and machines."""
    rows = []
    for (versions,) in store.connection.execute(
        "SELECT DISTINCT versions FROM codes JOIN matches USING (code) ORDER BY code"
    ):
        rows.append(("played with", ", ".join(f"{name} {value}" for name, value in json.loads(versions).items())))
    workers = Counter(
        str(worker).rpartition(":")[0] or worker
        for (worker,) in store.connection.execute("SELECT DISTINCT worker FROM timings")
    )
    rows += [
        ("last session", store.meta("coordinator")),
        ("machine", store.meta("machine")),
        ("workers", ", ".join(f"{count} on {name}" for name, count in sorted(workers.items()))),
        ("report written", f"{time.strftime('%Y-%m-%d %H:%M')} by kingmaker {__version__}"),
    ]
    return table([], [cells(list(row)) for row in rows if row[1]], "texts")


def seats_of(found: Standings) -> str:
    rows = []
    several = len(found.seats) > 1
    for each in found.seats:
        for seat, (wins, games) in enumerate(zip(each["wins"], each["games"], strict=True)):
            elo = elo_text(each["elo"][seat], each["elo_error"][seat], each["elo_bound"][seat]) if each["elo"] else ""
            settings = [setting_text(each["settings"])] if several else []
            rows.append(cells([*settings, f"seat {seat}", wins, games, elo, f"{each['chance']:.2g}"]))
    return table(
        [*(["setting"] if several else []), "seat", "sole wins", "matches", "Elo of the seat", "p of equal seats"], rows
    )
