"""A store's rows or its table in formats that other programs read; written row by row, so that memory does not grow."""

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from kingmaker.arena.results.latex import plain_lines
from kingmaker.arena.results.standings import beside, standings
from kingmaker.arena.results.store import Store, unpacked
from kingmaker.core.plain_text import one_line

FORMATS = ("csv", "json", "jsonl", "markdown", "latex")
LISTS = ("seating", "payoffs", "seconds")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a text that begins like this for a formula
NUMBERS = re.compile(r"[-+]?(\d[\d.]*(e[-+]?\d+)?|inf|nan)( [-+]?(\d[\d.]*(e[-+]?\d+)?|inf|nan))*", re.IGNORECASE)


def match_rows(store: Store) -> Iterator[dict[str, Any]]:
    """One row for each match, with the agents by name."""
    schedule = store.outline
    columns = (
        "match",
        "variant",
        "block",
        "seed",
        "status",
        *LISTS,
        "efforts",
        "wall",
        "worker",
        "fault",
        "culprit",
        "code",
    )
    for values in store.rows(", ".join(columns), "matches JOIN timings USING (match)"):
        row = dict(zip(columns, values, strict=True))
        for key in LISTS:
            row[key] = json.loads(row[key])
        row["moves"], row["nodes"], row["depths"] = unpacked(row.pop("efforts"))
        variant = schedule.variants[row.pop("variant")]
        row["agents"] = [variant.names[number] for number in row.pop("seating")]
        yield {"match": row.pop("match")} | beside(variant.settings, row)


def table_rows(store: Store) -> Iterator[dict[str, Any]]:
    """One row for each agent under each setting."""
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
        yield from lines(rows, markdown_line, lambda names: markdown_line(names) + "|---" * len(names) + "|\n", rounded)
    else:
        yield from plain_lines(rows, rounded)


def lines(rows: Iterable[dict[str, Any]], line: Any, head: Any, cell: Any) -> Iterator[str]:
    first = True
    for row in rows:
        if first:
            yield head(list(row))
            first = False
        yield line([cell(value) for value in row.values()])


def plain(value: Any) -> str:
    """A value as the text of one cell: lists with spaces between their items, numbers in their shortest exact form."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(plain, value))
    return repr(value) if isinstance(value, float) else str(value)


def rounded(value: Any) -> str:
    """A value as the text of one cell, with numbers rounded for people to read."""
    return f"{value:.4g}" if isinstance(value, float) else plain(value)


def in_spreadsheet(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would take it for a formula; numbers stay numbers."""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBERS.fullmatch(text) else text


def csv_line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(in_spreadsheet, cells))
    return text.getvalue()


def markdown_line(cells: list[str]) -> str:
    return f"| {' | '.join(map(in_markdown, cells))} |\n"


def in_markdown(text: str) -> str:
    """The text escaped so that Markdown shows it unchanged, on one line."""
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", html.escape(one_line(text), quote=False))
