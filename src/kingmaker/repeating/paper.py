"""A source: its tables, each an experiment with the printed numbers, and the claims made about them.

A paper is a folder with `paper.toml` and one file a table: an experiment of matches, or what single searches are to be
asked (`samples.py`). It has as many starts as the source played; less is played by asking for fewer of them. A table
that repeats another one under other conditions is `like` that one, with texts replaced.
"""

import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

import kingmaker
from kingmaker.arena.experiment.declaration import Experiment, Given, Setting, Table, read_experiment, sentence
from kingmaker.core.errors import KingmakerError, unknown
from kingmaker.repeating.samples import Samples, read_samples

FOLDER = Path(kingmaker.__file__).parent / "papers"
Column = Literal["share", "wins", "with_ties", "victory_points", "margin", "depth", "nodes"]
Sampled = Literal["evaluations", "payoff", "impact"]


class BadPaper(KingmakerError):
    """A paper's file that cannot be read as it stands."""


class Row(Table, frozen=True):
    """What a name in the source stands for in the experiment: an agent, perhaps under one setting of the sweep."""

    agent: str
    where: dict[str, Setting] = {}


class Cell(Table, frozen=True):
    """One printed number, or a number of ours that the source shows without printing it."""

    row: str
    printed: float | None = None
    column: Column | Sampled = "share"
    low: float | None = None  # the printed interval, if there is one
    high: float | None = None
    reconstructed: bool = False  # is the number missing or damaged in the source, and worked out from the rest?


class Claim(Table, frozen=True):
    """A sentence of the source as something that can be checked."""

    says: str
    column: Column | Sampled = "share"
    largest: str | None = None  # this row is ahead of every other
    smallest: str | None = None  # every other row is ahead of this one
    ahead: list[list[str]] = []  # in each list every row is ahead of the next
    above: dict[str, float] = {}  # these rows are above these numbers
    below: dict[str, float] = {}


class Pace(Table, frozen=True):
    """How long a match takes that is too long to be measured: as long as so many matches of another table."""

    table: str
    times: int


class PaperTable(Table, frozen=True):
    """A table or figure of the source."""

    title: str
    file: str = ""  # the experiment
    kind: Literal["matches", "samples"] = "matches"
    like: str = ""  # the table whose file, rows, cells and claims are taken where this one has none
    replace: list[tuple[str, str]] = []  # in the texts of the experiment and of the rows: what, by what
    budget: Given | None = None
    sweep: dict[
        str, list[Setting]
    ] = {}  # the settings that are played, of those of the experiment; all if none is named
    figure: Literal["bars", "curve"] = "bars"  # curve: over the number at the end of the rows' names
    calibrate: bool = False  # give every agent as many nodes as it needs for the printed mean depth
    pace: Pace | None = None
    rows: dict[str, Row] = {}  # the names in cells and claims; the agents themselves if there are none
    cells: list[Cell] = []
    claims: list[Claim] = []


class Paper(Table, frozen=True):
    """A source with its tables."""

    title: str
    source: str
    about: str
    tables: dict[str, PaperTable]
    apart: bool = False  # left out where all papers are asked for


@lru_cache(maxsize=8)
def papers(folder: Path = FOLDER) -> dict[str, Paper]:
    """All papers in a folder, by name."""
    return {path.parent.name: read_paper(path) for path in sorted(folder.glob("*/paper.toml"))}


def read_paper(path: Path) -> Paper:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Paper)
    except msgspec.ValidationError as fault:
        raise BadPaper(f"{sentence(str(fault))} in {path.name} of {path.parent.name}") from None


class Part:
    """One table of one paper, with its experiment."""

    def __init__(self, paper: str, name: str, folder: Path = FOLDER) -> None:
        self.paper, self.name, self.folder = paper, name, folder
        self.table: PaperTable = whole(papers(folder)[paper].tables, name, paper)
        path = folder / paper / self.table.file
        self.samples: Samples | None = read_samples(path) if self.table.kind == "samples" else None
        self.rows = self.table.rows
        self.calibrated = False  # have its agents the budgets that were looked for?
        if self.samples is None:
            self.experiment: Experiment = read_experiment(path)
            if self.table.budget is not None:
                self.experiment = msgspec.structs.replace(self.experiment, budget=self.table.budget)
            if self.table.sweep:
                self.experiment = msgspec.structs.replace(self.experiment, sweep=self.table.sweep)
            for old, new in self.table.replace:
                self.put(lambda text, old=old, new=new: text.replace(old, new))  # type: ignore[misc]
            for label in self.named:
                if self.row(label).agent not in self.experiment.agents:
                    raise unknown("agent", self.row(label).agent, self.experiment.agents, self.full_name)

    def put(self, change: Callable[[str], str]) -> None:
        """Change the texts of the game and the agents, in the experiment and in what the rows stand for."""
        self.experiment = msgspec.structs.replace(
            self.experiment,
            game=change(self.experiment.game),
            agents={name: change(text) for name, text in self.experiment.agents.items()},
            sweep={key: [changed(each, change) for each in values] for key, values in self.experiment.sweep.items()},
        )
        self.rows = {
            label: msgspec.structs.replace(row, where={k: changed(each, change) for k, each in row.where.items()})
            for label, row in self.rows.items()
        }

    @property
    def full_name(self) -> str:
        return f"{self.paper}/{self.name}"

    @property
    def starts(self) -> int:
        """How many blocks the whole table has."""
        starts = self.experiment.starts if self.samples is None else self.samples.starts
        assert isinstance(starts, int)
        return starts

    @property
    def named(self) -> list[str]:
        """The rows of the table, as the source names them."""
        if self.samples is not None:
            return [*self.samples.rows, *self.samples.sums]
        return list(self.rows) or list(self.experiment.agents)

    def row(self, label: str) -> Row:
        """What a name of the source stands for."""
        if label not in self.named:
            raise unknown("row", label, self.named, self.full_name)
        return self.rows.get(label) or Row(agent=label)


def changed(value: Setting, change: Callable[[str], str]) -> Setting:
    return change(value) if isinstance(value, str) else value


KEYS = ("file", "rows", "cells", "claims", "pace", "sweep")  # what a table takes from the one that it is like


def whole(tables: dict[str, PaperTable], name: str, paper: str) -> PaperTable:
    """A table with what it takes from the table that it is like."""
    table = tables[name]
    if not table.like:
        return table
    if table.like not in tables:
        raise unknown("table", table.like, tables, f"{paper}/{name}")
    other = whole(tables, table.like, paper)
    taken = {key: getattr(table, key) or getattr(other, key) for key in KEYS}
    return msgspec.structs.replace(
        table, kind=other.kind, budget=table.budget or other.budget, replace=[*other.replace, *table.replace], **taken
    )


def parts_named(text: str, folder: Path = FOLDER) -> list[Part]:
    """The tables that a text names: `all`, a paper, or `paper/table`."""
    known = papers(folder)
    if text == "all":
        return [Part(paper, name, folder) for paper, each in known.items() if not each.apart for name in each.tables]
    paper, _, name = text.partition("/")
    if paper not in known:
        raise unknown("paper", paper, [*known, "all"])
    tables: dict[str, Any] = known[paper].tables
    if name and name not in tables:
        raise unknown("table", name, tables, paper)
    return [Part(paper, each, folder) for each in tables if not name or each == name]
