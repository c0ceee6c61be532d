"""The page of results: everything that was played of the papers as Markdown, with a CSV file for each table beside it.

The page is made from the stores and says when, with which versions and on which machine. What people have to say about
it stands in `notes.md` in the folder of the CSV files, and is taken over as it is.
"""

import csv
import io
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kingmaker.arena.experiment.code import versions
from kingmaker.arena.results.export import table_rows, written
from kingmaker.arena.results.machine import processor
from kingmaker.arena.results.standings import Standings
from kingmaker.arena.results.store import open_store
from kingmaker.core.errors import BadParameter
from kingmaker.repeating.pace import full_matches
from kingmaker.repeating.paper import Part, papers
from kingmaker.repeating.plan import store_of
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import Checked, check_cells, judge_claims

NOTES = "notes.md"
Played = Sequence[tuple[Part, Standings | Found | None]]


def write_results(found: Played, stores: Path, path: Path, command: str) -> list[Path]:
    """Write the page, and a CSV file for every table that was played; returns the paths, the page first."""
    folder, known = path.with_suffix(""), [(part, each) for part, each in found if each is not None]
    if not known:
        raise BadParameter("nothing was played yet, so there is no page to write; use --minutes or --scale first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        notes = folder / NOTES
        said = notes.read_text(encoding="utf-8").strip() if notes.exists() else ""
        path.write_text("\n".join(page(known, folder.name, stores, said, command)) + "\n", encoding="utf-8")
        files = [path]
        for part, each in known:
            files.append(folder / f"{part.paper}-{part.name}.csv")
            files[-1].write_text(exported(part, each, stores), encoding="utf-8")
    except OSError as fault:
        raise BadParameter(f"cannot write the results to {path}: {fault.strerror}; name another place") from None
    return files


def page(
    known: Sequence[tuple[Part, Standings | Found]], folder: str, stores: Path, notes: str, command: str
) -> Iterator[str]:
    """The lines of the page."""
    told = ", ".join(f"{name} {version}" for name, version in versions().items())
    yield "# Results\n"
    yield "What was played of [the sources' tables](papers.md), with the printed numbers beside ours."
    yield f"`{command}` made this page from its stores on {time.strftime('%Y-%m-%d')},"
    yield f"with {told},\non {processor()}.\n"
    if notes:
        yield f"{notes}\n"
    yield "## All claims\n"
    yield "| table | claim | verdict |\n|---|---|---|"
    for part, found in known:
        for each in judge_claims(part, found):
            yield f"| `{part.full_name}` | {each.claim.says} | {each.verdict} |"
    paper = ""
    for part, found in known:
        if part.paper != paper:
            paper = part.paper
            yield f"\n## {papers(part.folder)[paper].title}"
        yield f"\n### {part.table.title}\n"
        yield from section(part, found, folder, stores)


def section(part: Part, found: Standings | Found, folder: str, stores: Path) -> Iterator[str]:
    """One table."""
    what = "matches" if isinstance(found, Standings) else "observations"
    day = time.strftime("%Y-%m-%d", time.localtime(store_of(part, stores).stat().st_mtime))
    scale = 100 * found.matches / full_matches(part)
    yield f"`kingmaker paper {part.full_name}`: {found.matches:,} {what} in {found.blocks:,} blocks, {scale:.3g} % of"
    yield f"the full scale, until {day}; [as CSV]({folder}/{part.paper}-{part.name}.csv).\n"
    checked = check_cells(part, found)
    if checked:
        yield "| row | column | printed | ours | 95 % | verdict |\n|---|---|---|---|---|---|"
        yield from map(line, checked)
    if any(each.cell.reconstructed for each in checked):
        yield "\n\\* damaged in the source, and worked out from the rest."
    for each in judge_claims(part, found):
        yield f"\n*{each.verdict}*: {each.claim.says}"


def line(each: Checked) -> str:
    cell = each.cell
    printed = "" if cell.printed is None else f"{cell.printed:.3f}{'*' * cell.reconstructed}"
    ours = "" if each.ours is None else f"{each.ours:.3f}"
    ends = "" if each.low is None else f"{each.low:.3f} to {each.high:.3f}"
    return f"| {cell.row} | {cell.column} | {printed} | {ours} | {ends} | {each.verdict} |"


def exported(part: Part, found: Standings | Found, stores: Path) -> str:
    """The table of a store as CSV."""
    if isinstance(found, Standings):
        with open_store(store_of(part, stores)) as store:
            return "".join(written(table_rows(store), "csv"))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["row", "starts", found.samples.measure, "low", "high"])
    for label in part.named:
        table.writerow([label, found.blocks, *found.value(label)])
    return out.getvalue()
