"""The report: one HTML file that needs no network, with tables and plots, and the plots as pictures."""

import html
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.experiment import Experiment
from kingmaker.arena.standings import Standings, standings
from kingmaker.arena.store import Store, StoreFault
from kingmaker.core.errors import BadParameter

PICTURES = ("png", "svg")
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .5rem; border-bottom: 1px solid #ddd; text-align: right; }
td { white-space: nowrap; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } figure { margin: 1.5rem 0; overflow-x: auto; }
.yes { color: #1a7f37; } .no { color: #cf222e; } .open { color: #9a6700; } small, footer { color: #666; }
pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; }
"""


def plots(found: Standings) -> Iterator[tuple[str, Any]]:
    """The plots by name."""
    try:
        alt: Any = import_module("altair")
        import_module("vl_convert")
    except ImportError:
        raise BadParameter("a report needs altair and vl-convert-python; install kingmaker[report]") from None
    rows = [row | {"setting": setting_text(standing.settings)} for row, standing in zip(found.rows(), found.table, strict=True)]
    several = len({row["setting"] for row in rows}) > 1
    yield "share", bars(alt, rows, several, "share", "share of wins")
    for row in rows:
        row["elo_low"], row["elo_high"] = row["elo"] - 1.96 * row["elo_error"], row["elo"] + 1.96 * row["elo_error"]
    yield "rating", bars(alt, rows, several, "elo", "Elo, Plackett-Luce")
    numeric = [name for name in (found.table[0].settings if found.table else {}) if all(is_number(row[name]) for row in rows)]
    for name in numeric:
        yield f"sweep-{name}", swept(alt, rows, name)
    seats = [
        {"setting": setting_text(each["settings"]), "seat": str(seat), "rate": wins / games if games else 0.0}
        for each in found.seats
        for seat, (wins, games) in enumerate(zip(each["wins"], each["games"], strict=True))
    ]
    chart = (
        alt.Chart(alt.Data(values=seats))
        .mark_bar()
        .encode(x=alt.X("seat:N", axis=alt.Axis(labelAngle=0)), y=alt.Y("rate:Q", title="sole wins a match"))
    )
    yield "seats", (chart.encode(column=alt.Column("setting:N", title=None)) if several else chart.properties(width=240))


def bars(alt: Any, rows: list[dict[str, Any]], several: bool, field: str, title: str) -> Any:
    """A point an agent, with its interval; the best on top."""
    best = {row["agent"]: max(each[field] for each in rows if each["agent"] == row["agent"]) for row in rows}
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("agent:N", title=None, sort=sorted(best, key=lambda name: -best[name])))
    line = base.mark_rule(strokeWidth=2).encode(x=alt.X(f"{field}_low:Q", title=title, scale=alt.Scale(zero=False)), x2=f"{field}_high:Q")
    chart = (line + base.mark_point(filled=True, opacity=1, size=60).encode(x=f"{field}:Q")).properties(width=420)
    return chart.facet(row=alt.Row("setting:N", title=None)) if several else chart


def swept(alt: Any, rows: list[dict[str, Any]], name: str) -> Any:
    """Shares over a setting."""
    base = alt.Chart(alt.Data(values=rows)).encode(x=alt.X(f"{name}:Q"), color="agent:N")
    band = base.mark_area(opacity=0.2).encode(y=alt.Y("share_low:Q", title="share of wins"), y2="share_high:Q")
    return (band + base.mark_line(point=True).encode(y="share:Q")).properties(width=420, height=260)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and abs(value) < float("inf")


def setting_text(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in settings.items())


def write_report(store: Store, path: Path, pictures: tuple[str, ...] = PICTURES) -> list[Path]:
    """Write the HTML file and beside it every plot as a picture; the paths, the HTML first."""
    found, experiment = standings(store), store.experiment
    drawn = dict(plots(found))
    figures = {name: picture(chart, "svg") for name, chart in drawn.items()}
    written = [path]
    try:
        path.write_text(page(found, experiment, {name: data.decode() for name, data in figures.items()}), encoding="utf-8")
        for name, chart in drawn.items():
            for form in pictures:
                beside = path.with_name(f"{path.stem}-{name}.{form}")
                beside.write_bytes(figures[name] if form == "svg" else picture(chart, form))
                written.append(beside)
    except OSError as fault:
        raise StoreFault(f"cannot write the report to {path}: {fault.strerror}; name another place with --to") from None
    return written


def picture(chart: Any, form: str) -> bytes:
    convert: Any = import_module("vl_convert")
    text = chart.to_json()
    if form == "svg":
        return str(convert.vegalite_to_svg(text)).encode()
    return bytes(convert.vegalite_to_png(text, scale=2))


def page(found: Standings, experiment: Experiment, figures: dict[str, str]) -> str:
    """The whole HTML file."""
    parts = [f"<h1>{html.escape(found.question)}</h1>", f"<p>{html.escape(told(found))}</p>"]
    parts += [
        f'<p class="{row.verdict}">expected {html.escape(f"{row.sentence} {setting_text(row.settings)}".strip())}: <b>{row.verdict}</b></p>'
        for row in found.judgements
    ]
    if found.test:
        parts.append(f"<p>{html.escape(found.test)}</p>")
    parts.append(table_of(found))
    parts += [f'<figure id="{name}">{clean(figure)}</figure>' for name, figure in figures.items()]
    parts += [
        "<h2>Pairs</h2><p><small>Chances corrected for all pairs (Holm); "
        "blocks after which a lead of 5 points in 100 is seen in 4 of 5 experiments.</small></p>",
        pairs_of(found),
    ]
    parts += ["<h2>Seats</h2>", seats_of(found)]
    parts.append(f"<h2>The experiment</h2><pre>{html.escape(json.dumps(experiment.as_data(), indent=2))}</pre>")
    head = f'<meta charset="utf-8"><title>{html.escape(found.question)}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en">{head}{"".join(parts)}</html>\n'


def clean(figure: str) -> str:
    """An SVG picture fit to stand inside HTML."""
    return re.sub(r"^<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", "", figure).strip()


def told(found: Standings) -> str:
    parts = [f"{found.matches} of {found.total} matches in {found.blocks} blocks; {found.failed} failed, {found.unfinished} unfinished"]
    parts.append(f"intervals of 95 %, {found.method}")
    if not found.reproducible:
        parts.append("a budget of seconds makes this not reproducible")
    return "; ".join(parts)


def cells(values: list[Any], tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(str(value))}</{tag}>' for value in values)}</tr>"


def table_of(found: Standings) -> str:
    names = list(found.table[0].settings) if found.table else []
    head = cells(["agent", *names, "games", "share %", "95 %", "win %", "with ties %", "points %", "Elo", "depth", "nodes", "faults"], "th")
    rows = [
        cells(
            [
                row.agent,
                *row.settings.values(),
                row.games,
                f"{100 * row.share:.1f}",
                f"{100 * row.share_interval[0]:.1f}–{100 * row.share_interval[1]:.1f}",
                f"{100 * row.win_rate:.1f}",
                f"{100 * row.ties_rate:.1f}",
                f"{100 * row.victory_points:.1f}",
                f"{row.elo:+.0f} ± {1.96 * row.elo_error:.0f}",
                f"{row.depth:.2f}",
                f"{row.nodes:,.0f}",
                row.faults,
            ]
        )
        for row in found.best_first()
    ]
    return f"<table>{head}{''.join(rows)}</table>"


def pairs_of(found: Standings) -> str:
    head = cells(["pair", "setting", "matches", "first ahead %", "p", "blocks for 5 points"], "th")
    rows = [
        cells(
            [
                f"{pair.first}, {pair.second}",
                setting_text(pair.settings),
                pair.matches,
                f"{100 * pair.ahead:.1f}",
                f"{pair.chance:.2g}",
                pair.blocks_for_five or "",
            ]
        )
        for pair in found.pairs
    ]
    return f"<table>{head}{''.join(rows)}</table>"


def seats_of(found: Standings) -> str:
    rows = []
    for each in found.seats:
        for seat, (wins, games) in enumerate(zip(each["wins"], each["games"], strict=True)):
            elo = f"{each['elo'][seat]:+.0f} ± {1.96 * each['elo_error'][seat]:.0f}" if each["elo"] else ""
            rows.append(cells([f"seat {seat}", setting_text(each["settings"]), wins, games, elo, f"{each['chance']:.2g}"]))
    return f"<table>{cells(['seat', 'setting', 'sole wins', 'matches', 'Elo of the seat', 'p of unevenness'], 'th')}{''.join(rows)}</table>"
