"""The ledger of measurements keeps its form: dated rows in order, each with a figure and a machine."""

import datetime
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "measurements.md").read_text()
HEADING = ["date", "what", "figure", "target or earlier", "machine and remarks"]
MACHINES = re.findall(r"^\| ([A-Z]) \| ", PAGE, re.MULTILINE)


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def tables():
    for part in PAGE.split("\n## ")[1:]:
        title, *lines = part.splitlines()
        heading, _, *rows = [cells(line) for line in lines if line.startswith("|")]
        yield pytest.param(heading, rows, id=title)


def test_every_machine_is_described_once():
    assert MACHINES
    assert len(MACHINES) == len({*MACHINES})


@pytest.mark.parametrize(("heading", "rows"), list(tables()))
def test_a_table_has_one_dated_row_a_figure_and_the_last_comes_last(heading, rows):
    assert heading == HEADING
    assert rows
    for row in rows:
        assert len(row) == len(HEADING), f"expected {len(HEADING)} cells, got {row}"
        assert re.search(r"\d", row[2]), f"expected a figure, got {row}"
        assert row[1], f"expected what was measured, got {row}"
        assert re.split(r"[;,]", row[4])[0] in MACHINES, f"expected the letter of a machine first, got {row}"
    days = [datetime.date.fromisoformat(row[0]) for row in rows]
    assert days == sorted(days), "rows are added below the last one"
