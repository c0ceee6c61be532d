"""Tables made ready to be played: node budgets looked for, code compiled, and the time of a match measured.

Most of that is compiling, which one process does on one core, so several tables are made ready at the same time, each
in a process of its own. What they find is kept by this process alone.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from kingmaker.repeating.calibrate import calibrated, known_budgets, looked_for, remember_budgets
from kingmaker.repeating.pace import known_rate, measured, remember_rate
from kingmaker.repeating.paper import Part

# paper, table, the folder of the papers, budgets if they are known, and whether to look for them if not
Job = tuple[str, str, Path, dict[str, int] | None, bool]
Found = tuple[dict[str, int] | None, float]


def made_ready(
    parts: Sequence[Part], folder: Path, workers: int, told: Callable[[Part], None], search: bool = True
) -> list[Part]:
    """The tables with the budgets that they ask for, after the time of a match of each was measured; `told` is called
    with every table that has to be made ready, when that begins or is done. Without `search` budgets that are not known
    are not looked for, and the table is measured as it stands.
    """
    waiting: dict[str, Part] = {}
    for part in parts:
        paced = part if part.table.pace is None else Part(part.paper, part.table.pace.table, part.folder)
        nodes = known_budgets(paced, folder) if paced.table.calibrate and not paced.calibrated else None
        whole = calibrated(paced, nodes) if nodes else paced
        if (search and whole.calibrated != paced.table.calibrate) or known_rate(whole, folder) is None:
            waiting.setdefault(paced.full_name, paced)
    for part, (nodes, rate) in looked_at(list(waiting.values()), folder, workers, told, search):
        if nodes:
            remember_budgets(part, nodes, folder)
        remember_rate(calibrated(part, nodes) if nodes else part, rate, folder)
    return [with_budgets(part, folder) for part in parts]


def with_budgets(part: Part, folder: Path) -> Part:
    """The table with the node budgets that it asks for, if they are known."""
    if not part.table.calibrate or part.calibrated:
        return part
    nodes = known_budgets(part, folder)
    return calibrated(part, nodes) if nodes else part


def looked_at(
    parts: list[Part], folder: Path, workers: int, told: Callable[[Part], None], search: bool
) -> Iterator[tuple[Part, Found]]:
    """What was found for each table, as it comes; in this process if there is only one worker or one table."""
    jobs: list[Job] = [(part.paper, part.name, part.folder, known_budgets(part, folder), search) for part in parts]
    if workers == 1 or len(jobs) < 2:
        for part, job in zip(parts, jobs, strict=True):
            told(part)
            yield part, look(job)
        return
    with ProcessPoolExecutor(min(workers, len(jobs)), multiprocessing.get_context("spawn")) as pool:
        coming = {pool.submit(look, job): part for part, job in zip(parts, jobs, strict=True)}
        try:
            for future in as_completed(coming):
                told(coming[future])
                yield coming[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def look(job: Job) -> Found:
    """Look for the budgets of a table and measure its matches; this runs in a process of its own."""
    paper, name, folder, nodes, search = job
    part = Part(paper, name, folder)
    if part.table.calibrate and search:
        nodes = nodes or looked_for(part)
    return nodes, measured(calibrated(part, nodes) if nodes else part)
