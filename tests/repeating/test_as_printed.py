"""Which claims are found at least as large as the source prints them."""

import msgspec
import pytest

from kingmaker.repeating import plan
from kingmaker.repeating.as_printed import as_large_as_printed
from kingmaker.repeating.paper import Claim, papers, parts_named
from kingmaker.repeating.verdicts import usual
from tests.toy_papers import put_up


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The table of a small paper, and what was found in all of its matches."""
    put_up(tmp_path / "toys", monkeypatch)
    part = parts_named("sticks")[0]
    (tmp_path / "stores").mkdir()
    plan.play_starts(part, tmp_path / "stores", part.starts, 1, {}, lambda *_: lambda running: None)
    yield part, plan.played(part, tmp_path / "stores")
    papers.cache_clear()


def printing(part, monkeypatch, **numbers):
    """The table with these printed numbers for the rows."""
    cells = [msgspec.structs.replace(part.table.cells[0], row=row, printed=each) for row, each in numbers.items()]
    table = msgspec.structs.replace(part.table, cells=cells)
    monkeypatch.setattr(part, "table", table)
    return part


def found_for(part, found, row):
    return usual(part, row, "share", found)[0]


def test_a_difference_is_as_large_or_not(toy, monkeypatch):
    part, found = toy
    ours = {row: found_for(part, found, row) for row in ("maxn", "random")}
    assert ours["maxn"] > ours["random"] + 0.2
    claim = Claim(says="", column="share", ahead=[["maxn", "random"]])
    for smaller, large in ((0.0, True), (0.05, True), (-0.05, False)):
        printed = printing(part, monkeypatch, maxn=ours["maxn"] - smaller, random=ours["random"])
        assert as_large_as_printed(printed, claim, found) is large


def test_every_comparison_of_a_claim_counts(toy, monkeypatch):
    part, found = toy
    ours = {row: found_for(part, found, row) for row in ("maxn", "greedy", "random")}
    claim = Claim(says="", column="share", smallest="random")
    assert as_large_as_printed(printing(part, monkeypatch, **ours), claim, found) is True
    printed = printing(part, monkeypatch, **(ours | {"greedy": ours["greedy"] + 0.05}))
    assert as_large_as_printed(printed, claim, found) is False


@pytest.mark.parametrize("numbers", [{"maxn": 0.5}, {"maxn": 0.34, "random": 0.33}, {"maxn": 0.3, "random": 0.5}])
def test_what_is_not_printed_or_not_clear_in_the_source_is_no_question(toy, monkeypatch, numbers):
    """Forty starts would not tell 0.34 from 0.33, and 0.3 is not ahead of 0.5."""
    part, found = toy
    claim = Claim(says="", column="share", ahead=[["maxn", "random"]])
    assert as_large_as_printed(printing(part, monkeypatch, **numbers), claim, found) is None


def test_a_number_that_a_row_is_said_to_be_above_counts_too(toy, monkeypatch):
    part, found = toy
    ours = found_for(part, found, "maxn")
    claim = Claim(says="", column="share", above={"maxn": 0.1})
    assert as_large_as_printed(printing(part, monkeypatch, maxn=ours - 0.01), claim, found) is True
    assert as_large_as_printed(printing(part, monkeypatch, maxn=ours + 0.01), claim, found) is False
    assert as_large_as_printed(printing(part, monkeypatch, random=0.5), claim, found) is None
