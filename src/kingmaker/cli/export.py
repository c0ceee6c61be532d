"""`kingmaker export`: a store's matches or its table for other programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kingmaker.cli.status import StorePath
from kingmaker.cli.voice import hand_over


def export(
    store: StorePath,
    /,
    *,
    format: Annotated[Literal["csv", "json", "jsonl", "markdown", "latex"], Parameter(help="What to write.")] = "csv",
    what: Annotated[
        Literal["matches", "table", "records"],
        Parameter(help="One row per match, one row per agent, or records for `kingmaker replay`."),
    ] = "matches",
    to: Annotated[Path | None, Parameter(help="A file; the screen if not given.")] = None,
) -> int:
    """Write a store's matches or its table for other programs.

    Records are for `kingmaker replay` and always JSON Lines. The LaTeX table is
    made for a paper, with caption and label; it needs the package booktabs.

    Example: kingmaker export light_bike.db --what table --format latex
    """
    from kingmaker.arena.results.export import match_rows, table_rows, written
    from kingmaker.arena.results.latex import table_lines
    from kingmaker.arena.results.standings import standings
    from kingmaker.arena.results.store import StoreFault, open_store
    from kingmaker.arena.results.transcripts import stored_records

    with open_store(store) as opened:
        lines: Iterator[str]
        if what == "records":
            lines = (record.as_line() for record in stored_records(opened))
        elif what == "table" and format == "latex":
            lines = table_lines(standings(opened), store.stem)
        else:
            lines = written(match_rows(opened) if what == "matches" else table_rows(opened), format)
        if to is None:
            for line in lines:
                hand_over(line)
            return 0
        try:
            with to.open("w", encoding="utf-8") as file:
                file.writelines(lines)
        except OSError as fault:
            raise StoreFault(f"cannot write to {to}: {fault.strerror}") from None
    return 0
