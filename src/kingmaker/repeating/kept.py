"""Runs whose stores are gone: what the page of results keeps of them, and how it is read back.

Beside the page there is a CSV file for every table, and one file that says of each when, with which code, versions and
machine it was played. If a store holds less than the run that is kept, the page goes on to show the kept one, and says
so. Pairs of agents at one table and the verdicts on claims are not in the CSV files, so they are kept with the rest: a
verdict compares rows block by block, and the blocks are gone with the store.
"""

import csv
import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.declaration import variant_of
from kingmaker.arena.results.standings import Pair, Standing, Standings
from kingmaker.arena.results.tally import Row
from kingmaker.core.errors import BadParameter
from kingmaker.repeating.paper import Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import Judged, judge_claims

RUNS = "runs.json"
ENDS = {"share_interval": "share", "win_interval": "win", "ties_interval": "ties"}


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the numbers of a table come from."""

    matches: int
    blocks: int
    method: str
    day: str
    code: str
    versions: dict[str, str]
    machine: str
    pairs: list[tuple[dict[str, Any], str, str, int, float, float, int | None]] = []
    verdicts: dict[str, str] = {}  # by the sentences of the claims
    gone: bool = False  # its store is gone, so it cannot be played on


@dataclass(frozen=True, kw_only=True)
class KeptSamples(Found):
    """Samples of which only the means and intervals are kept."""

    known: dict[str, tuple[float, float | None, float | None]]
    run: Run

    @property
    def blocks(self) -> int:
        return self.run.blocks

    @property
    def matches(self) -> int:
        return self.run.matches

    def value(self, label: str) -> tuple[float, float | None, float | None]:
        return self.known[label]

    def clearly(self, first: str, second: str, alpha: float) -> int:
        """As `Found`, but start by start nothing is known."""
        return self.apart(first, second, alpha)


def read_runs(folder: Path) -> dict[str, Run]:
    """What is kept in the folder of the CSV files, by the full names of the tables."""
    path = folder / RUNS
    if not path.exists():
        return {}
    try:
        return msgspec.convert(json.loads(path.read_text(encoding="utf-8")), dict[str, Run])
    except (ValueError, msgspec.ValidationError):
        raise BadParameter(f"{path} cannot be read; move it away, or write the page to another folder") from None


def write_runs(runs: dict[str, Run], folder: Path) -> None:
    text = json.dumps(msgspec.to_builtins(runs), indent=1, sort_keys=True)
    (folder / RUNS).write_text(text + "\n", encoding="utf-8")


def csv_of(part: Part, folder: Path) -> Path:
    return folder / f"{part.paper}-{part.name}.csv"


def read_back(part: Part, run: Run, folder: Path) -> Standings | Found:
    """A kept run, as if its store were still there."""
    path = csv_of(part, folder)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return samples_from(part, run, rows) if part.samples is not None else standings_from(part, run, rows)
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise BadParameter(f"{path} cannot be read back ({fault}); move it away, and its entry in {RUNS} too") from None


def verdicts_on(part: Part, found: Standings | Found, run: Run) -> list[Judged]:
    """The claims of a table with their verdicts; of a kept run with those that it had while its blocks were known."""
    said = run.verdicts if run.gone else {}
    return [Judged(each.claim, said.get(each.claim.says, each.verdict)) for each in judge_claims(part, found)]


def samples_from(part: Part, run: Run, rows: list[dict[str, str]]) -> KeptSamples:
    assert part.samples is not None
    known = {
        row["row"]: (float(row[part.samples.measure]), number(row["low"]), number(row["high"]))  # a mean and its ends
        for row in rows
    }
    return KeptSamples(part.samples, {label: [] for label in part.samples.rows}, run.method, known=known, run=run)


def standings_from(part: Part, run: Run, rows: list[dict[str, str]]) -> Standings:
    """The rows of the CSV file stand in the order of the settings, and of the agents under each."""
    agents, settings = list(part.experiment.agents), part.experiment.variants
    if [row["agent"] for row in rows] != agents * len(settings):
        raise ValueError("its agents are not those of the table")
    forms = [form for each in settings for form in variant_of(part.experiment, each).forms]
    for row, form in zip(rows, forms, strict=True):
        if unlimited(row["form"]) != unlimited(form):
            raise ValueError(f"its {row['agent']} is {row['form']}, and that of the table {form}")
    table = [standing(row, settings[nth // len(agents)]) for nth, row in enumerate(rows)]
    pairs = [Pair(*each) for each in run.pairs]
    return Standings(
        question=part.experiment.question,
        matches=run.matches,
        total=run.matches,
        finished=run.matches,
        different=run.matches,
        unfinished=0,
        failed=0,
        blocks=run.blocks,
        method=run.method,
        missing="",
        reproducible=True,
        table=table,
        pairs=pairs,
        seats=[],
        judgements=[],
    )


def unlimited(form: str) -> str:
    """An agent without its budgets, which a table may find by calibration."""
    return re.sub(r"\b(depth|nodes|seconds)=[^,()]+(, )?", "", form).replace(", )", ")")


def standing(row: dict[str, str], settings: dict[str, Any]) -> Standing:
    values: dict[str, Any] = {}
    for field in fields(Row):
        if field.name in ENDS:
            values[field.name] = (float(row[f"{ENDS[field.name]}_low"]), float(row[f"{ENDS[field.name]}_high"]))
        elif field.type is int:
            values[field.name] = int(row[field.name])
        else:
            values[field.name] = row[field.name] if field.name == "elo_bound" else number(row[field.name])
    return Standing(settings=settings, agent=row["agent"], form=row["form"], faults=int(row["faults"]), **values)


def number(text: str) -> float | None:
    return float(text) if text else None
