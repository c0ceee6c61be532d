"""`kingmaker report`: one HTML file with tables and plots."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.status import StorePath
from kingmaker.cli.voice import write


def report(
    store: StorePath,
    /,
    *,
    to: Annotated[Path | None, Parameter(help="The HTML file; the store with the ending .html if not given.")] = None,
) -> int:
    """Write a report: one HTML file that needs no network, and its plots as PNG and SVG beside it.

    Needs the extra `report`.

    Example: kingmaker report light_bike.db
    """
    from kingmaker.arena.results.report import write_report
    from kingmaker.arena.results.store import open_store

    with open_store(store) as opened:
        for path in write_report(opened, to or store.with_suffix(".html")):
            write(f"{path}\n")
    return 0
