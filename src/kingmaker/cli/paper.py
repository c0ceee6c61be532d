"""`kingmaker paper`: repeat the sources' tables, with the printed number beside ours."""

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import NOTHING, AsJson, Screen, examinations_told, new_table, print_json
from kingmaker.cli.run import Lines, Live, Silence, duration
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter

if TYPE_CHECKING:
    from kingmaker.arena.results.standings import Standings
    from kingmaker.repeating.paper import Part
    from kingmaker.repeating.samples import Found

INTERRUPTED = 130
FOLDER = Path("kingmaker-papers")
CLUSTER = 100  # workers, for what a cluster would need


def paper(
    name: Annotated[str, Parameter(help="A paper, PAPER/TABLE, or all; lists them if none is named.")] = "",
    /,
    *,
    minutes: Annotated[
        float | None, Parameter(help="Play for so long; the time is shared out, most to what is least decided.")
    ] = None,
    scale: Annotated[float | None, Parameter(help="Play this part of every table: 1 is as much as the source.")] = None,
    results: Annotated[Path, Parameter(help="The folder of the stores.")] = FOLDER,
    workers: Annotated[int, Parameter(help="Processes; as many as there are cores if not given.")] = 0,
    scheduler: Annotated[str, Parameter(help="Run on dask.distributed: tcp://… of a scheduler, or local.")] = "",
    accept_changes: Annotated[bool, Parameter(negative="", help="Go on although the code has changed.")] = False,
    keep: Annotated[
        Path | None, Parameter(help="Keep every match as CSV in this folder; what it holds already is taken over.")
    ] = None,
    report: Annotated[Path | None, Parameter(help="Write an HTML report with the figures to this file.")] = None,
    page: Annotated[
        Path | None, Parameter(help="Write what was played as Markdown to this file, and CSV files beside it.")
    ] = None,
    json: AsJson = False,
) -> int:
    """Repeat the tables of the sources, with the printed number beside ours.

    Without a name the papers and their tables are listed, with the time that
    each takes at full scale: matches are played for some seconds to measure
    it, once. With --minutes or --scale matches are played; Ctrl-C stops, and
    the same command goes on. Without both, what was played is shown.

    Example: kingmaker paper multi_minimax/fig8 --minutes 2
    """
    from kingmaker.arena.running.coordinator import Stopped
    from kingmaker.repeating.handed_on import hand_on, take_over
    from kingmaker.repeating.page import drawing
    from kingmaker.repeating.paper import parts_named
    from kingmaker.repeating.plan import positive, repeat, scaled
    from kingmaker.repeating.ready import made_ready, with_budgets

    screen, hands = Screen(stderr=json), workers or os.cpu_count() or 1
    with examinations_told():
        parts = [with_budgets(part, results) for part in parts_named(name or "all")]
    if minutes is not None and scale is not None:
        raise BadParameter("expected --minutes or --scale, got both; leave one out")
    if minutes is not None:
        positive(minutes)
    for part in parts if scale is not None else ():
        scaled(part, scale or 0.0)  # refuses a scale that is too small, before anything is measured
    for sentence in take_over(parts, keep, results) if keep is not None else ():
        screen.tell(sentence)
    if report is not None:
        drawing()  # so that a long run does not end without its report
    if not name and all(each is None for each in (minutes, scale, page, report, keep)):
        listed(screen, parts, results, hands, json)
        return 0
    code, options = 0, {"scheduler": scheduler, "accept_changes": accept_changes}
    if minutes is not None or scale is not None:
        try:
            with watching(screen) as display:
                parts = made_ready(parts, results, hands, lambda part: screen.remark(f"getting {part.full_name} ready"))
                announce(screen, parts, results, hands, minutes, scale)
                left = repeat(
                    parts,
                    results,
                    minutes=minutes,
                    scale=scale,
                    workers=hands,
                    options=options,
                    told=begun(screen, display),
                )
            for part, seconds in left:
                screen.tell(
                    f"{part.full_name} was left out: a block of it takes about {duration(seconds)} here, which is more "
                    f"than was left; use --minutes {math.ceil(seconds / 60)} for it alone"
                )
        except Stopped as stop:
            screen.tell(str(stop))
            code = INTERRUPTED
    files = pages(name, parts, results, report, page)
    if keep is not None:
        files += hand_on(parts, keep, results)
    show(parts, results, json)
    for file in files:
        screen.tell(str(file))
    return code


def pages(name: str, parts: "list[Part]", results: Path, report: Path | None, page: Path | None) -> list[Path]:
    """Write the pages that were asked for; returns their paths."""
    from kingmaker.repeating.plan import played

    files = []
    if report is not None:
        from kingmaker.repeating.page import write_page

        write_page([(part, played(part, results)) for part in parts], report)
        files.append(report)
    if page is not None:
        from kingmaker.repeating.results_page import write_results

        found = [(part, played(part, results)) for part in parts]
        files += write_results(found, results, page, f"kingmaker paper {name or 'all'} --page {page.name}")
    return files


def begun(screen: Screen, display: Any) -> Any:
    """A function that tells which table is played next, and returns what watches it."""

    def told(part: "Part", blocks: int) -> Any:
        screen.remark(f"{part.full_name}: to {blocks:,} of {part.starts:,} starts")
        return display.watch

    return told


def watching(screen: Screen) -> Any:
    """How the progress of a run is shown."""
    return Silence(screen) if quiet() else Live(screen) if screen.is_terminal else Lines(screen)


def announce(
    screen: Screen, parts: "list[Part]", folder: Path, workers: int, minutes: float | None, scale: float | None
) -> None:
    """Say how long it will take, before it begins."""
    from kingmaker.repeating.pace import full_seconds

    if quiet():
        return
    if minutes is not None:
        screen.tell(f"{len(parts)} table{'s' * (len(parts) != 1)} in about {minutes:g} minutes on {workers} workers")
        return
    seconds = sum(full_seconds(part, folder, workers) for part in parts) * (scale or 1.0)
    screen.tell(
        f"{len(parts)} table{'s' * (len(parts) != 1)} in about {duration(seconds)} on {workers} workers, "
        "less what is stored already"
    )


def listed(screen: Screen, parts: "list[Part]", folder: Path, workers: int, json: bool) -> None:
    """The papers, and how long each table takes."""
    from kingmaker.repeating.pace import full_matches, full_seconds, seconds_a_match
    from kingmaker.repeating.paper import papers
    from kingmaker.repeating.ready import made_ready

    rows: list[dict[str, Any]] = []
    told = Screen(stderr=True)
    measured = made_ready(parts, folder, workers, lambda part: told.remark(f"measuring {part.full_name}"), search=False)
    for part in measured:
        rows.append(
            {
                "table": part.full_name,
                "title": part.table.title,
                "matches": full_matches(part),
                "seconds_a_match": seconds_a_match(part, folder),
                "seconds": full_seconds(part, folder, workers),
            }
        )
    if json:
        print_json({"workers": workers, "tables": rows})
        return
    for name, each in papers().items():
        screen.tell(f"{name}: {each.source}{' (not part of all)' * each.apart}")
    table = new_table()
    for title in ("table", "matches", "a match", f"all, {workers} workers"):
        table.add_column(title, justify="left" if title == "table" else "right")
    for row in rows:
        table.add_row(row["table"], f"{row['matches']:,}", f"{row['seconds_a_match']:.3g} s", duration(row["seconds"]))
    screen.print(table)
    total = sum(row["seconds"] for row in rows)
    cores = sum(row["seconds_a_match"] * row["matches"] for row in rows)
    cluster = f"about {duration(cores / CLUSTER)} on a cluster of {CLUSTER}"
    screen.tell(f"all tables: {duration(total)} on {workers} workers, {cluster}")


def show(parts: "list[Part]", folder: Path, json: bool) -> None:
    """Every printed number beside ours, then the claims."""
    from kingmaker.repeating.overview import sentences, weigh
    from kingmaker.repeating.plan import played

    found = [(part, played(part, folder)) for part in parts]
    if json:
        print_json([described(part, standings) for part, standings in found])
        return
    screen = Screen()
    for part, standings in found:
        if standings is None:
            screen.tell(f"{part.full_name}: nothing was played yet; use --minutes or --scale")
            continue
        counted = "matches" if part.samples is None else "observations"
        what = f"{standings.matches:,} {counted}; 95 % {standings.method}, at any look"
        screen.tell(f"\n{part.table.title} ({part.full_name}), {what}")
        table = new_table()
        for title in ("row", "column", "printed", "ours", "95 %", "verdict", "more blocks"):
            table.add_column(title, justify="left" if title in ("row", "column", "verdict") else "right")
        entry = described(part, standings)
        for cell in entry["cells"]:
            mark = "*" if cell["reconstructed"] else ""
            ours = NOTHING if cell["ours"] is None else f"{cell['ours']:.3f}"
            ends = "" if cell["low"] is None else f"{cell['low']:.3f}–{cell['high']:.3f}"
            more = f"{cell['more']:,}" if cell["more"] else ""
            printed = NOTHING if cell["printed"] is None else f"{cell['printed']:.3f}{mark}"
            table.add_row(cell["row"], cell["column"], printed, ours, ends, cell["verdict"], more)
        screen.table(table)
        if any(cell["reconstructed"] for cell in entry["cells"]):
            screen.tell("* worked out from the rest of the source, where the number itself is damaged")
        for claim in entry["claims"]:
            screen.tell(f"{claim['verdict']}: {claim['says']}{until_decided(claim['more'])}")
    for nth, sentence in enumerate(sentences(weigh(found))):
        screen.tell(sentence if nth else f"\n{sentence}")


def described(part: "Part", found: "Standings | Found | None") -> dict[str, Any]:
    """A table as data: printed numbers, ours and the verdicts."""
    from kingmaker.repeating.as_printed import as_large_as_printed
    from kingmaker.repeating.forecast import more_blocks
    from kingmaker.repeating.verdicts import check_cells, judge_claims

    entry: dict[str, Any] = {"table": part.full_name, "title": part.table.title, "matches": 0}
    if found is None:
        return entry | {"cells": [], "claims": []}
    cells = [
        {
            "row": each.cell.row,
            "column": each.cell.column,
            "printed": each.cell.printed,
            "reconstructed": each.cell.reconstructed,
            "ours": each.ours,
            "low": each.low,
            "high": each.high,
            "verdict": each.verdict,
            "more": each.more,
        }
        for each in check_cells(part, found)
    ]
    claims = [
        {
            "says": each.claim.says,
            "verdict": each.verdict,
            "more": more_blocks(part, each, found),
            "as_large_as_printed": as_large_as_printed(part, each.claim, found),
        }
        for each in judge_claims(part, found)
    ]
    return entry | {"matches": found.matches, "blocks": found.blocks, "cells": cells, "claims": claims}


def until_decided(more: int | None) -> str:
    """How many more blocks a claim is expected to need, to two digits, for it is a guess."""
    if more is None:
        return ""
    rounded = round(more, 2 - len(str(more)))
    return f" About {rounded:,} more block{'s' * (more != 1)} expected."
