"""The table of an experiment for a paper: LaTeX with booktabs, headings in words, rounded numbers with confidence
intervals.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from kingmaker.arena.results.labels import labels, legend
from kingmaker.arena.results.standings import Standing, Standings
from kingmaker.core.plain_text import one_line

SIGNS = {
    **{sign: f"\\{sign}" for sign in "_%&#${}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "…": r"\ldots{}",
    "[": "{[}",  # after the end of a row a bracket or a star would be read as its option
    "]": "{]}",
    "*": "{*}",
}
HEADINGS = ("Agent", "Games", "Share (%)", "95 % interval", "Elo", "Depth", "Nodes")
LONGEST = 20  # letters of a label, so that the table fits a page


def escaped(text: str) -> str:
    """The text escaped so that LaTeX prints it unchanged."""
    return "".join(SIGNS.get(sign, sign) for sign in one_line(text))


def row_of(cells: Iterable[str]) -> str:
    """A table row of cells that are already LaTeX."""
    return " & ".join(cells) + " \\\\\n"


def table_lines(found: Standings, label: str) -> Iterator[str]:
    """A floating table with caption and label: setting by setting, the best agent first, and a legend of the labels
    below.
    """
    names = list(found.table[0].settings) if found.table else []
    shown = labels((str(text) for row in found.table for text in (row.agent, *row.settings.values())), LONGEST)
    yield "% needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}\n"
    if found.missing:
        yield f"% {one_line(found.missing)}\n"
    yield "\\begin{table}\n\\centering\n\\small\n"
    yield f"\\caption{{{caption(found)}}}\n\\label{{tab:{slug(label)}}}\n"
    yield "\\begin{tabular}{" + "l" * (len(names) + 1) + "r" * (len(HEADINGS) - 1) + "}\n\\toprule\n"
    yield row_of(escaped(name) for name in (*names, *HEADINGS))
    yield "\\midrule\n"
    for nth, (_, rows) in enumerate(groupby(found.best_first(), key=lambda row: row.settings)):
        if nth:
            yield "\\addlinespace\n"
        for place, row in enumerate(rows):
            # only the first agent's row shows the settings
            settings = ["" if place else shown[str(value)] for value in row.settings.values()]
            yield row_of([*map(escaped, (*settings, shown[row.agent])), *cells(row)])
    yield "\\bottomrule\n\\end{tabular}\n"
    for short, text in legend(shown):
        yield f"\\par\\footnotesize {escaped(short)}: {escaped(text)}\n"
    yield "\\end{table}\n"


def caption(found: Standings) -> str:
    """What the table shows, in whole sentences."""
    question = escaped(found.question)
    end = "" if question.endswith(("?", ".", "!")) else "."
    return (
        f"{question}{end} Share of wins (a win shared by $k$ seats counts $1/k$ for each) "
        f"with 95\\,\\% confidence intervals ({escaped(found.method)}); "
        f"{found.finished} finished matches in {found.blocks} blocks. Depth and nodes are means per move."
    )


def slug(text: str) -> str:
    """The text as a label that LaTeX accepts."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower() or "experiment"


def cells(row: Standing) -> list[str]:
    low, high = row.share_interval
    return [
        str(row.games),
        f"{100 * row.share:.1f}",
        f"{100 * low:.1f}--{100 * high:.1f}",
        rating(row),
        f"{row.depth:.1f}",
        f"{row.nodes:,.0f}".replace(",", "\\,"),
    ]


def rating(row: Standing) -> str:
    """The rating with its interval, or as a bound."""
    if row.elo is None:
        return "--"
    if row.elo_bound:
        return f"${row.elo_bound} {round(row.elo):+d}$"
    return (
        f"${round(row.elo):+d}$"
        if row.elo_error is None
        else f"${round(row.elo):+d} \\pm {round(1.96 * row.elo_error)}$"
    )


def plain_lines(rows: Iterable[dict[str, Any]], cell: Any) -> Iterator[str]:
    """Any rows as a plain table, with one column for each key."""
    end = ""
    for row in rows:
        if not end:
            yield "% needs \\usepackage{booktabs}\n"
            yield from head(list(row))
            end = "\\bottomrule\n\\end{tabular}\n"
        yield row_of(escaped(cell(value)) for value in row.values())
    yield end


def head(names: Sequence[str]) -> list[str]:
    columns = "\\begin{tabular}{" + "l" * len(names) + "}\n\\toprule\n"
    return [columns, row_of(escaped(name.replace("_", " ")) for name in names), "\\midrule\n"]
