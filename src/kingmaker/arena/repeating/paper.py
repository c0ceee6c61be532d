"""A source: its tables, each an experiment with the printed numbers, and the claims made about them.

A paper is a folder with `paper.toml` and one experiment file a table. A table's experiment has as many starts as the
source played; less is played by asking for fewer of them.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

import kingmaker
from kingmaker.arena.experiment.declaration import Experiment, Setting, Table, read_experiment, sentence
from kingmaker.core.errors import KingmakerError, unknown

FOLDER = Path(kingmaker.__file__).parent / "papers"
Column = Literal["share", "wins", "with_ties", "victory_points", "depth", "nodes"]


class BadPaper(KingmakerError):
    """A paper's file that cannot be read as it stands."""


class Row(Table, frozen=True):
    """What a name in the source stands for in the experiment: an agent, perhaps under one setting of the sweep."""

    agent: str
    where: dict[str, Setting] = {}


class Cell(Table, frozen=True):
    """One printed number."""

    row: str
    printed: float
    column: Column = "share"
    low: float | None = None  # the printed interval, if there is one
    high: float | None = None
    reconstructed: bool = False  # is the number missing or damaged in the source, and worked out from the rest?


class Claim(Table, frozen=True):
    """A sentence of the source as something that can be checked."""

    says: str
    column: Column = "share"
    largest: str | None = None  # this row is ahead of every other
    smallest: str | None = None  # every other row is ahead of this one
    ahead: list[list[str]] = []  # in each list every row is ahead of the next


class PaperTable(Table, frozen=True):
    """A table or figure of the source."""

    title: str
    file: str  # the experiment
    rows: dict[str, Row] = {}  # the names in cells and claims; the agents themselves if there are none
    cells: list[Cell] = []
    claims: list[Claim] = []


class Paper(Table, frozen=True):
    """A source with its tables."""

    title: str
    source: str
    about: str
    tables: dict[str, PaperTable]


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
        self.paper, self.name = paper, name
        self.table: PaperTable = papers(folder)[paper].tables[name]
        self.experiment: Experiment = read_experiment(folder / paper / self.table.file)
        for label in self.named:
            row = self.row(label)
            if row.agent not in self.experiment.agents:
                raise unknown("agent", row.agent, self.experiment.agents, f"{paper}/{name}")

    @property
    def full_name(self) -> str:
        return f"{self.paper}/{self.name}"

    @property
    def named(self) -> list[str]:
        """The rows of the table, as the source names them."""
        return list(self.table.rows) or list(self.experiment.agents)

    def row(self, label: str) -> Row:
        """What a name of the source stands for."""
        if label not in self.named:
            raise unknown("row", label, self.named, self.full_name)
        return self.table.rows.get(label) or Row(agent=label)


def parts_named(text: str, folder: Path = FOLDER) -> list[Part]:
    """The tables that a text names: `all`, a paper, or `paper/table`."""
    known = papers(folder)
    if text == "all":
        return [Part(paper, name, folder) for paper, each in known.items() for name in each.tables]
    paper, _, name = text.partition("/")
    if paper not in known:
        raise unknown("paper", paper, [*known, "all"])
    tables: dict[str, Any] = known[paper].tables
    if name and name not in tables:
        raise unknown("table", name, tables, paper)
    return [Part(paper, each, folder) for each in tables if not name or each == name]
