"""The report on repeated papers: one HTML file with the printed number beside ours, and every figure drawn again."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.repeating.paper import Part, papers
from kingmaker.arena.repeating.verdicts import Checked, check_cells, judge_claims
from kingmaker.arena.results.plots import picture
from kingmaker.arena.results.report import STYLE, cells, clean, table, text
from kingmaker.arena.results.standings import Standings
from kingmaker.core.errors import BadParameter

COLOURS = {"holds": "yes", "agrees": "yes", "fails": "no", "differs": "no", "undecided": "open", "": ""}
PRINTED, OURS = "#cf222e", "#1f5fa8"
HEAD = ["row", "column", "printed", "ours", "95 %", "verdict", "more blocks"]


def write_page(found: Sequence[tuple[Part, Standings | None]], path: Path) -> None:
    """Write the HTML file."""
    try:
        altair: Any = import_module("altair")
        import_module("vl_convert")
    except ImportError:
        raise BadParameter("a report needs altair and vl-convert-python; install kingmaker[report]") from None
    parts = ["<h1>The sources' tables again</h1>"]
    for part, standings in found:
        parts += section(altair, part, standings)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    whole = f'<!doctype html><html lang="en">{head}<title>The sources again</title><style>{STYLE}</style>'
    try:
        path.write_text(f"{whole}{''.join(parts)}</html>\n", encoding="utf-8")
    except OSError as fault:
        raise BadParameter(
            f"cannot write the report to {path}: {fault.strerror}; name another place with --report"
        ) from None


def section(altair: Any, part: Part, found: Standings | None) -> list[str]:
    """A table of a paper: its numbers, its figure and its claims."""
    title = [f"<h2>{text(part.table.title)}</h2>", f"<p>{text(source_of(part))}</p>"]
    if found is None:
        return [*title, "<p>Nothing was played yet.</p>"]
    checked = check_cells(part, found)
    played = f"{found.matches:,} matches in {found.blocks:,} blocks; 95 % confidence intervals {found.method}."
    claims = [
        f'<p class="{COLOURS[each.verdict]}"><b>{each.verdict}</b>: {text(each.claim.says)}</p>'
        for each in judge_claims(part, found)
    ]
    columns = list(dict.fromkeys(each.cell.column for each in checked))
    drawn = [figure(altair, [each for each in checked if each.cell.column == column], column) for column in columns]
    return [*title, f"<p>{text(played)}</p>", *claims, table(HEAD, [row_of(each) for each in checked], left=2), *drawn]


def source_of(part: Part) -> str:
    return papers()[part.paper].source


def row_of(each: Checked) -> str:
    """A printed number and ours, as a row of the table."""
    cell = each.cell
    return cells(
        [
            cell.row,
            cell.column,
            f"{cell.printed:.3f}{' (reconstructed)' if cell.reconstructed else ''}",
            "–" if each.ours is None else f"{each.ours:.3f}",
            "" if each.low is None else f"{each.low:.3f} to {each.high:.3f}",
            each.verdict,
            f"{each.more:,}" if each.more else "",
        ],
        left=2,
    )


def figure(altair: Any, checked: list[Checked], column: str) -> str:
    """Ours as points with their intervals, the printed values as strokes."""
    rows = [
        {"row": each.cell.row, "value": value, "low": low, "high": high, "who": who}
        for each in checked
        for who, value, low, high in (
            ("ours", each.ours, each.low, each.high),
            ("printed", each.cell.printed, each.cell.low, each.cell.high),
        )
        if value is not None
    ]
    order = list(dict.fromkeys(row["row"] for row in rows))
    colour = altair.Color("who:N", title=None, scale=altair.Scale(domain=["ours", "printed"], range=[OURS, PRINTED]))
    base = altair.Chart(altair.Data(values=rows)).encode(
        y=altair.Y("row:N", title=None, sort=order, axis=altair.Axis(labelLimit=320)),
        yOffset=altair.YOffset("who:N", sort=["ours", "printed"]),
        color=colour,
    )
    line = base.mark_rule(strokeWidth=2).encode(x=altair.X("low:Q", title=column), x2="high:Q")
    point = base.mark_point(filled=True, opacity=1, size=60).encode(x="value:Q")
    chart = (line + point).properties(width=420)
    caption = f"{column}: ours with the 95 % confidence interval over blocks, and the printed value with its own."
    return f"<figure>{clean(picture(chart, 'svg').decode())}<figcaption>{text(caption)}</figcaption></figure>"
