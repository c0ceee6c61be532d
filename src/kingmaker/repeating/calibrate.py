"""Node budgets that give every agent the mean depth that the source printed.

A source that gave its agents equal time says how deep each of them came. Other machines and languages need other
budgets for that, so they are looked for: matches of the table are played with a first guess, and the budget of every
agent is changed until its mean depth is the printed one. The depth grows about with the logarithm of the nodes, which
gives the next guess. Nothing here depends on a clock, so the same code finds the same budgets on every machine.
"""

import json
import math
from pathlib import Path

import msgspec

from kingmaker.arena.experiment.code import code_hash
from kingmaker.arena.experiment.declaration import Experiment, filled
from kingmaker.arena.experiment.schedule import Schedule, schedule_of
from kingmaker.arena.results.result import FAILED
from kingmaker.arena.running.worker import play_task
from kingmaker.core.errors import KingmakerError
from kingmaker.loading import load_agent
from kingmaker.repeating.paper import Part

BUDGETS = "budgets.json"
FIRST = 1000  # nodes
SLOPE = 2.0  # plies that a budget larger by a factor of e brings, at first
ROUNDS = 7
CLOSE = 0.02  # part of the printed depth by which the mean may miss it
LEAST, MOST = 20, 200_000  # nodes
STEP = 2.0  # largest change of the logarithm at once
MATCHES = 160


def known_budgets(part: Part, folder: Path) -> dict[str, int] | None:
    """The nodes of every row that has a printed depth, if they were found before by this code."""
    return kept(folder / BUDGETS).get(key_of(part)) if part.table.calibrate and not part.calibrated else None


def remember_budgets(part: Part, nodes: dict[str, int], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(kept(folder / BUDGETS) | {key_of(part): nodes}, indent=2)
    (folder / BUDGETS).write_text(text, encoding="utf-8")


def key_of(part: Part) -> str:
    return f"{part.full_name} {part.experiment.identity} {code_hash(part.experiment.as_text())}"


def kept(path: Path) -> dict[str, dict[str, int]]:
    try:
        found: dict[str, dict[str, int]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def calibrated(part: Part, nodes: dict[str, int]) -> Part:
    """The table with these budgets."""
    changed = Part(part.paper, part.name, part.folder)
    texts = {text_of(part, label): text_with(text_of(part, label), count) for label, count in nodes.items()}
    changed.put(lambda text: texts.get(text, text))
    changed.calibrated = True
    return changed


def text_of(part: Part, label: str) -> str:
    """The agent that a row stands for, as the experiment writes it."""
    row = part.row(label)
    return filled(part.experiment.agents[row.agent], row.where, label)


def text_with(text: str, nodes: int) -> str:
    return str(load_agent(text).changed(nodes=nodes))


def looked_for(part: Part) -> dict[str, int]:
    """The budgets whose mean depths are nearest to the printed ones."""
    wanted = {cell.row: cell.printed for cell in part.table.cells if cell.column == "depth" and cell.printed}
    logs = {label: math.log(FIRST) for label in wanted}
    slopes = dict.fromkeys(wanted, SLOPE)
    best: dict[str, tuple[float, int]] = {}
    before: dict[str, tuple[float, float]] = {}
    for _ in range(ROUNDS):
        nodes = {label: round(math.exp(each)) for label, each in logs.items()}
        depths = mean_depths(calibrated(part, nodes), list(wanted))
        for label, depth in depths.items():
            missing = wanted[label] - depth
            best[label] = min(best.get(label, (math.inf, 0)), (abs(missing), nodes[label]))
            if label in before and abs(logs[label] - before[label][0]) > 0.05:
                slope = (depth - before[label][1]) / (logs[label] - before[label][0])
                slopes[label] = min(8.0, max(0.3, slope))
            before[label] = (logs[label], depth)
            step = max(-STEP, min(STEP, missing / slopes[label]))
            logs[label] = max(math.log(LEAST), min(math.log(MOST), logs[label] + step))
        if all(missing <= CLOSE * wanted[label] for label, (missing, _) in best.items()):
            break
    return {label: count for label, (_, count) in best.items()}


def mean_depths(part: Part, labels: list[str]) -> dict[str, float]:
    """Mean depth of every row in some matches, which are not those of the table itself."""
    experiment: Experiment = msgspec.structs.replace(part.experiment, seed=part.experiment.seed + 1)
    schedule = schedule_of(experiment.as_text())
    sums: dict[tuple[int, str], list[int]] = {}
    for number in numbers(schedule):
        task = schedule.task(number)
        result = play_task(schedule, task)
        if result.status == FAILED:
            raise KingmakerError(f"match {number} of the calibration failed: {result.fault}")
        names = schedule.variants[task.variant].names
        for agent, moves, depths in zip(result.seating, result.moves, result.depths, strict=True):
            entry = sums.setdefault((task.variant, names[agent]), [0, 0])
            entry[0] += moves
            entry[1] += depths
    found = {}
    for label in labels:
        row = part.row(label)
        for variant, setting in enumerate(schedule.variants):
            if all(setting.settings.get(key) == value for key, value in row.where.items()):
                moves, depths = sums[variant, row.agent]
                found[label] = depths / max(1, moves)
    return found


def numbers(schedule: Schedule) -> range:
    """Whole blocks, about as many matches as are wanted."""
    return range(schedule.per_block * max(1, round(MATCHES / schedule.per_block)))
