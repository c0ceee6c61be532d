"""A store's rows or its table in formats that other programs read; written as they come, so that memory does not grow."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from kingmaker.arena.schedule import schedule_of
from kingmaker.arena.standings import standings
from kingmaker.arena.store import Store, unpacked

FORMATS = ("csv", "json", "jsonl", "markdown", "latex")
LISTS = ("seating", "payoffs", "seconds")


def match_rows(store: Store) -> Iterator[dict[str, Any]]:
    """One row a match, the agents by name."""
    schedule = schedule_of(store.experiment.as_text())
    columns = ("match", "variant", "block", "seed", "status", *LISTS, "efforts", "wall", "worker", "fault", "culprit", "code")
    for values in store.rows(", ".join(columns), "matches JOIN timings USING (match)"):
        row = dict(zip(columns, values, strict=True))
        for key in LISTS:
            row[key] = json.loads(row[key])
        row["moves"], row["nodes"], row["depths"] = unpacked(row.pop("efforts"))
        variant = schedule.variants[row.pop("variant")]
        row["agents"] = [variant.names[number] for number in row.pop("seating")]
        yield {"match": row.pop("match"), **variant.settings, **row}


def table_rows(store: Store) -> Iterator[dict[str, Any]]:
    """One row an agent and setting."""
    yield from standings(store).rows()


def written(rows: Iterable[dict[str, Any]], form: str) -> Iterator[str]:
    """The rows as lines of text."""
    if form == "jsonl":
        for row in rows:
            yield json.dumps(row) + "\n"
    elif form == "json":
        before = "[\n"
        for row in rows:
            yield f"{before}  {json.dumps(row)}"
            before = ",\n"
        yield "[]\n" if before == "[\n" else "\n]\n"
    elif form == "csv":
        yield from lines(rows, csv_line, csv_line, plain)
    elif form == "markdown":
        yield from lines(rows, markdown_line, lambda names: markdown_line(names) + markdown_line(["---"] * len(names)), rounded)
    else:
        yield from latex(rows)


def lines(rows: Iterable[dict[str, Any]], line: Any, head: Any, cell: Any) -> Iterator[str]:
    first = True
    for row in rows:
        if first:
            yield head(list(row))
            first = False
        yield line([cell(value) for value in row.values()])


def plain(value: Any) -> str:
    """A value in one cell: lists with spaces, numbers as short as they are exact."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(plain, value))
    return repr(value) if isinstance(value, float) else str(value)


def rounded(value: Any) -> str:
    """A value for people to read."""
    return f"{value:.4g}" if isinstance(value, float) else plain(value)


def csv_line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def markdown_line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"


def latex(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    end = ""
    for line in lines(rows, latex_line, latex_head, rounded):
        yield line
        end = "\\hline\n\\end{tabular}\n"
    yield end


def latex_head(names: list[str]) -> str:
    return "\\begin{tabular}{" + "l" * len(names) + "}\n\\hline\n" + latex_line(names) + "\\hline\n"


def latex_line(cells: list[str]) -> str:
    escaped = ["".join(f"\\{sign}" if sign in "_%&#${}" else sign for sign in cell) for cell in cells]
    return " & ".join(escaped) + " \\\\\n"
