"""The papers' tables: the printed numbers, and our own beside them where the operator has played them."""

from html import escape
from pathlib import Path
from typing import Any

from nicegui import ui

from kingmaker.core.errors import unknown
from kingmaker.core.plain_text import safe
from kingmaker.repeating.paper import Part, papers
from kingmaker.repeating.plan import played, store_of
from kingmaker.repeating.ready import with_budgets
from kingmaker.repeating.verdicts import check_cells, judge_claims
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import LOG, address, show_fault
from kingmaker.web.plots import intervals

HEADS = ("row", "column", "printed", "ours", "95 %", "verdict")


def part_of(name: str) -> Part:
    """The table that a URL names, as `paper/table`."""
    paper, _, table = name[:100].partition("/")
    known = papers()
    if paper not in known:
        raise unknown("paper", paper, known)
    if table not in known[paper].tables:
        raise unknown("table", table, known[paper].tables, paper)
    return Part(paper, table)


def listed() -> None:
    """Links to all tables, paper by paper."""
    ui.label("The sources' tables").classes("text-lg font-bold")
    for name, paper in papers().items():
        if paper.apart:
            continue
        with ui.column().classes("gap-1"):
            ui.label(paper.title).classes("font-bold")
            with ui.row().classes("gap-3 text-sm"):
                for table, each in paper.tables.items():
                    ui.link(each.title or table, address("/experiments", paper=f"{name}/{table}"))


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def rows_of(part: Part, found: Any) -> list[tuple[str, ...]]:
    """The printed numbers with ours, as far as there are any."""
    if found is None:
        return [(cell.row, cell.column, number(cell.printed), "–", "–", "") for cell in part.table.cells]
    return [
        (
            each.cell.row,
            each.cell.column,
            number(each.cell.printed) + "*" * each.cell.reconstructed,
            number(each.ours),
            "–" if each.low is None else f"{each.low:.3g} to {each.high:.3g}",
            each.verdict,
        )
        for each in check_cells(part, found)
    ]


def table_html(rows: list[tuple[str, ...]]) -> str:
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    lines = "".join("<tr>" + "".join(f"<td>{escape(safe(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def picture(part: Part, found: Any) -> str:
    """Ours with intervals, a row for each that has one; empty where there are none."""
    checked = [] if found is None else [each for each in check_cells(part, found) if each.low is not None]
    dots = [
        (f"{each.cell.row} (printed {number(each.cell.printed)})", each.ours or 0.0, each.low or 0.0, each.high or 0.0)
        for each in checked
    ]
    return intervals("ours with 95 % interval", dots) if dots else ""


async def build(folder: Path | None, desk: Desk, visitor: Visitor, name: str) -> None:
    """One table of a paper."""
    try:
        part = part_of(name)

        def read() -> tuple[Part, Any]:
            whole = part if folder is None else with_budgets(part, folder)
            return whole, None if folder is None else played(whole, folder)

        part, found = await desk.run(visitor, lambda _: read())
    except Stopped:
        return
    except Exception as fault:
        show_fault(fault)
        return
    paper = papers()[part.paper]
    ui.label(part.table.title or part.name).classes("text-base font-bold")
    ui.label(f"{paper.title}. {paper.source}").classes("text-sm")
    if found is None:
        LOG.info("%s was not played yet", part.full_name)
        ui.label(
            f"Nothing was played here yet: kingmaker paper {part.full_name} --minutes 5 plays it, and kingmaker serve "
            "--papers FOLDER shows its folder."
        ).classes("text-sm")
    else:
        ui.label(f"{found.matches} matches or observations in {found.blocks} blocks.").classes("text-sm")
        if part.samples is None and folder is not None:
            ui.link("all results and matches", address("/experiments", store=store_of(part, folder).stem))
    rows = rows_of(part, found)
    ui.html(table_html(rows), sanitize=False).classes("km-table km-wide w-full").mark("printed")
    if any(row[2].endswith("*") for row in rows):
        ui.label("* damaged in the source, and worked out from the rest").classes("text-sm")
    ui.html(picture(part, found), sanitize=False).classes("km-small w-full").style("max-width: 720px")
    claims = [] if found is None else judge_claims(part, found)
    for claim in part.table.claims:
        verdict = next((each.verdict for each in claims if each.claim == claim), "not played")
        ui.label(f"{claim.says} {verdict.capitalize()}.").classes("text-sm")
