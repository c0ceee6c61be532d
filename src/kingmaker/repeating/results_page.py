"""The page of results: everything that was played of the papers as Markdown, with a CSV file for each table beside it.

The page is made from the stores and says when, with which versions and on which machine. A table of which an earlier
page had more than the store has keeps what it had (`kept.py`). What people have to say about it stands in `notes.md` in
the folder of the CSV files, and is taken over as it is.
"""

import csv
import hashlib
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

import msgspec

from kingmaker.arena.experiment.code import versions
from kingmaker.arena.results.export import table_rows, written
from kingmaker.arena.results.machine import processor
from kingmaker.arena.results.standings import Standings
from kingmaker.arena.results.store import open_store
from kingmaker.core.errors import BadParameter
from kingmaker.repeating.kept import Run, csv_of, read_back, read_runs, verdicts_on, write_runs
from kingmaker.repeating.pace import full_matches
from kingmaker.repeating.paper import Part, papers
from kingmaker.repeating.plan import store_of
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import Checked, check_cells, judge_claims

NOTES = "notes.md"
Played = Sequence[tuple[Part, Standings | Found | None]]
Shown = Sequence[tuple[Part, Standings | Found]]


def write_results(found: Played, stores: Path, path: Path, command: str) -> list[Path]:
    """Write the page, and a CSV file for every table that was played; returns the paths, the page first."""
    folder = path.with_suffix("")
    shown, runs = chosen(found, stores, folder)
    if not shown:
        raise BadParameter("nothing was played yet, so there is no page to write; use --minutes or --scale first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        notes = folder / NOTES
        said = notes.read_text(encoding="utf-8").strip() if notes.exists() else ""
        path.write_text("\n".join(page(shown, runs, folder.name, said, command)) + "\n", encoding="utf-8")
        files = [path]
        for part, each in shown:
            if not runs[part.full_name].gone:
                files.append(csv_of(part, folder))
                files[-1].write_text(exported(part, each, stores), encoding="utf-8")
        write_runs(runs, folder)
    except OSError as fault:
        raise BadParameter(f"cannot write the results to {path}: {fault.strerror}; name another place") from None
    return files


def chosen(found: Played, stores: Path, folder: Path) -> tuple[Shown, dict[str, Run]]:
    """Of every table the larger one of what the store holds and what is kept; and where each comes from."""
    shown, runs = [], read_runs(folder)
    for part, each in found:
        run = runs.get(part.full_name)
        if run is not None and (each is None or each.matches < run.matches):
            runs[part.full_name] = msgspec.structs.replace(run, gone=True)
            shown.append((part, read_back(part, run, folder)))
        elif each is not None:
            runs[part.full_name] = run_of(part, each, stores)
            shown.append((part, each))
    return shown, runs


def run_of(part: Part, found: Standings | Found, stores: Path) -> Run:
    """Where the numbers of a store come from."""
    path = store_of(part, stores)
    code, pairs = "", []
    if isinstance(found, Standings):
        with open_store(path) as store:
            parts = sorted(row[0] for row in store.rows("parts", "codes", "code"))
        code = hashlib.sha256(repr(parts).encode()).hexdigest()[:8]
        pairs = [astuple(each) for each in found.pairs]
    day = time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    verdicts = {each.claim.says: each.verdict for each in judge_claims(part, found)}
    return Run(found.matches, found.blocks, found.method, day, code, versions(), processor(), pairs, verdicts)


def page(shown: Shown, runs: dict[str, Run], folder: str, notes: str, command: str) -> Iterator[str]:
    """The lines of the page."""
    told = ", ".join(f"{name} {version}" for name, version in versions().items())
    yield "# Results\n"
    yield "What was played of [the sources' tables](papers.md), with the printed numbers beside ours."
    yield f"`{command}` made this page from its stores on {time.strftime('%Y-%m-%d')},"
    yield f"with {told},\non {processor()}. Intervals and verdicts [hold at any look](papers.md#verdicts).\n"
    if notes:
        yield f"{notes}\n"
    yield "## All claims\n"
    yield "| table | claim | verdict |\n|---|---|---|"
    for part, found in shown:
        for each in verdicts_on(part, found, runs[part.full_name]):
            yield f"| `{part.full_name}` | {each.claim.says} | {each.verdict} |"
    paper = ""
    for part, found in shown:
        if part.paper != paper:
            paper = part.paper
            yield f"\n## {papers(part.folder)[paper].title}"
        yield f"\n### {part.table.title}\n"
        yield from section(part, found, runs[part.full_name], folder)


def section(part: Part, found: Standings | Found, run: Run, folder: str) -> Iterator[str]:
    """One table."""
    what = "matches" if isinstance(found, Standings) else "observations"
    scale = 100 * found.matches / full_matches(part)
    yield f"`kingmaker paper {part.full_name}`: {found.matches:,} {what} in {found.blocks:,} blocks, {scale:.3g} % of"
    yield f"the full scale, until {run.day}; [as CSV]({folder}/{part.paper}-{part.name}.csv)."
    if run.gone:
        told = ", ".join(f"{name} {version}" for name, version in run.versions.items())
        yield f"Kept from an earlier run ({run.code}, {told},"
        yield f"{run.machine}), whose store is gone; no run since is as large."
    yield ""
    checked = check_cells(part, found)
    if checked:
        yield "| row | column | printed | ours | 95 % | verdict |\n|---|---|---|---|---|---|"
        yield from map(line, checked)
    if any(each.cell.reconstructed for each in checked):
        yield "\n\\* damaged in the source, and worked out from the rest."
    for each in verdicts_on(part, found, run):
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
