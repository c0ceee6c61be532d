"""The report on repeated papers: one HTML file with the printed number beside ours, and every figure drawn again."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.results.plots import picture
from kingmaker.arena.results.report import STYLE, cells, clean, table, text
from kingmaker.arena.results.standings import Standings
from kingmaker.core.errors import BadParameter
from kingmaker.repeating.overview import Weighed, sentences, weigh
from kingmaker.repeating.paper import Part, papers
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import Checked, check_cells, judge_claims

COLOURS = {"holds": "yes", "agrees": "yes", "fails": "no", "differs": "no", "undecided": "open", "": ""}
PRINTED, OURS = "#cf222e", "#1f5fa8"
HEAD = ["row", "column", "printed", "ours", "95 %", "verdict", "more blocks"]


def write_page(found: Sequence[tuple[Part, Standings | Found | None]], path: Path) -> None:
    """Write the HTML file."""
    altair = drawing()
    parts = ["<h1>The sources' tables again</h1>", *beginning(found)]
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


def drawing() -> Any:
    """The library that draws the figures, or a sentence that says how to install it."""
    try:
        import_module("vl_convert")
        return import_module("altair")
    except ImportError:
        raise BadParameter(
            "a report needs altair and vl-convert-python; install them with: pip install 'kingmaker[report]'"
        ) from None


def beginning(found: Sequence[tuple[Part, Standings | Found | None]]) -> list[str]:
    """What all claims come to, and a list of the tables with a link to each; nothing for a single table."""
    if len(found) < 2:
        return []
    weighed = weigh(found)
    told = [f"<p>{text(sentence)}</p>" for sentence in sentences(weighed)]
    return [*told, "<ul>", *(f"<li>{linked(*each, weighed)}</li>" for each in found), "</ul>"]


def linked(part: Part, found: Standings | Found | None, weighed: Sequence[Weighed]) -> str:
    """A table in the list: its title with a link, how much was played, and the verdicts on its claims."""
    verdicts = [each.judged.verdict for each in weighed if each.part is part]
    marked = ", ".join(f'<b class="{COLOURS[each]}">{each}</b>' for each in verdicts)
    told = "nothing was played yet" if found is None else f"{found.matches:,} {observed(found)}"
    return f'<a href="#{anchor(part)}">{text(part.table.title)}</a>, {told}{marked and f": {marked}"}'


def anchor(part: Part) -> str:
    return f"{part.paper}-{part.name}"


def observed(found: Standings | Found) -> str:
    """What is counted in a table."""
    return "matches" if isinstance(found, Standings) else "observations"


def section(altair: Any, part: Part, found: Standings | Found | None) -> list[str]:
    """A table of a paper: its numbers, its figure and its claims."""
    title = [f'<h2 id="{anchor(part)}">{text(part.table.title)}</h2>', f"<p>{text(source_of(part))}</p>"]
    if found is None:
        return [*title, "<p>Nothing was played yet.</p>"]
    checked = check_cells(part, found)
    played = (
        f"{found.matches:,} {observed(found)} in {found.blocks:,} blocks; 95 % confidence intervals {found.method}, at "
        "any look."
    )
    claims = [
        f'<p class="{COLOURS[each.verdict]}"><b>{each.verdict}</b>: {text(each.claim.says)}</p>'
        for each in judge_claims(part, found)
    ]
    columns = list(dict.fromkeys(each.cell.column for each in checked))
    draw = curve if part.table.figure == "curve" else bars
    drawn = [draw(altair, [each for each in checked if each.cell.column == column], column) for column in columns]
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
            "–" if cell.printed is None else f"{cell.printed:.3f}{' (reconstructed)' if cell.reconstructed else ''}",
            "–" if each.ours is None else f"{each.ours:.3f}",
            "" if each.low is None else f"{each.low:.3f} to {each.high:.3f}",
            each.verdict,
            f"{each.more:,}" if each.more else "",
        ],
        left=2,
    )


def bars(altair: Any, checked: list[Checked], column: str) -> str:
    """Ours as bars with their intervals, the printed values as strokes with theirs."""
    rows = entries(checked)
    order = list(dict.fromkeys(row["row"] for row in rows))
    data = altair.Data(values=rows)
    colour = altair.Color(
        "who:N",
        legend=altair.Legend(title=None, symbolOpacity=1),
        scale=altair.Scale(domain=["ours", "printed"], range=[OURS, PRINTED]),
    )
    base = altair.Chart(data).encode(
        y=altair.Y("row:N", title=None, sort=order, axis=altair.Axis(labelLimit=320)),
        yOffset=altair.YOffset("who:N", sort=["ours", "printed"]),
        color=colour,
    )
    bar = base.transform_filter("datum.who == 'ours'").mark_bar(opacity=0.35).encode(x=altair.X("value:Q"))
    line = base.mark_rule(strokeWidth=2).encode(x=altair.X("low:Q", title=column), x2="high:Q")
    point = base.mark_tick(thickness=3).encode(x="value:Q")
    return framed((bar + line + point).properties(width=420), column)


def curve(altair: Any, checked: list[Checked], column: str) -> str:
    """Ours as a curve over the number at the end of a row's name, with a band; rows without one as level lines; the
    printed values as crosses and dotted lines.
    """
    rows = [split(row) for row in entries(checked)]
    colour = altair.Color("row:N", legend=altair.Legend(title=None, symbolOpacity=1))
    x = altair.X("x:Q", title="threshold")

    def chart(who: str, on_curve: bool) -> Any:
        shown = [row for row in rows if row["who"] == who and (row["x"] is not None) == on_curve]
        return altair.Chart(altair.Data(values=shown))

    ours, printed = chart("ours", True), chart("printed", True)
    band = ours.mark_area(opacity=0.15).encode(x=x, y=altair.Y("low:Q", title=column), y2="high:Q", color=colour)
    line = ours.mark_line(point=True).encode(x=x, y="value:Q", color=colour)
    flat = chart("ours", False).mark_rule(strokeDash=[5, 3]).encode(y="value:Q", color=colour)
    dots = chart("printed", False).mark_rule(strokeDash=[1, 4]).encode(y="value:Q", color=colour)
    cross = printed.mark_point(shape="cross", size=120, filled=True, opacity=1).encode(x=x, y="value:Q", color=colour)
    drawn = (band + line + flat + dots + cross).properties(width=420, height=260)
    return framed(drawn, column, ": crosses; rows without a threshold are dashed, and dotted as printed")


def entries(checked: list[Checked]) -> list[dict[str, Any]]:
    """What a figure shows: our numbers and the printed ones."""
    return [
        {"row": each.cell.row, "value": value, "low": low, "high": high, "who": who}
        for each in checked
        for who, value, low, high in (
            ("ours", each.ours, each.low, each.high),
            ("printed", each.cell.printed, each.cell.low, each.cell.high),
        )
        if value is not None
    ]


def split(row: dict[str, Any]) -> dict[str, Any]:
    """A row's name apart from the number at its end."""
    name, _, number = row["row"].rpartition("_")
    return {**row, "row": name, "x": int(number)} if number.isdigit() else {**row, "x": None}


def framed(chart: Any, column: str, legend: str = "") -> str:
    caption = (
        f"{column}: ours with the 95 % confidence interval that holds at any look, and the printed values{legend}."
    )
    return f"<figure>{clean(picture(chart, 'svg').decode())}<figcaption>{text(caption)}</figcaption></figure>"
