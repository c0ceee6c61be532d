"""What the page of results keeps of a run whose store is gone."""

import json
import re

import msgspec
import pytest

from kingmaker.core.errors import BadParameter
from kingmaker.repeating import plan
from kingmaker.repeating.kept import read_back, read_runs, verdicts_on
from kingmaker.repeating.paper import Part, papers, parts_named
from kingmaker.repeating.results_page import write_results
from kingmaker.repeating.verdicts import check_cells, judge_claims
from tests.toy_papers import PAPER, put_up

SAMPLES = """
question = "How much is looked at?"
measure = "evaluations"
game = "random_tree(seats=2, branching=3, height=4, kind=constant_sum, values=100)"
starts = 12
interpreted = true

[rows.few]
agent = "alpha_beta(depth=2)"

[rows.many]
agent = "alpha_beta(depth=4)"
"""
TABLE = """
[tables.cost]
title = "Cost"
kind = "samples"
file = "cost.toml"
cells = [{ row = "many", column = "evaluations" }]

[[tables.cost.claims]]
says = "A deeper search looks at more."
column = "evaluations"
ahead = [["many", "few"]]
"""


@pytest.fixture
def toys(tmp_path, monkeypatch):
    folder = put_up(tmp_path / "toys", monkeypatch)
    (folder / "sticks" / "paper.toml").write_text(PAPER + TABLE)
    (folder / "sticks" / "cost.toml").write_text(SAMPLES)
    papers.cache_clear()
    yield folder
    papers.cache_clear()


def played(folder, scale):
    plan.repeat(parts_named("sticks"), folder, scale=scale, workers=1, options={}, told=lambda *_: lambda running: None)
    return [(part, plan.played(part, folder)) for part in parts_named("sticks")]


def test_a_larger_run_is_kept_when_its_store_is_gone(toys, tmp_path):
    page, folder = tmp_path / "results.md", tmp_path / "results"
    large = played(tmp_path / "large", 0.5)
    write_results(large, tmp_path / "large", page, "first")
    before = {path.name: path.read_text() for path in folder.glob("*.csv")}
    assert "Kept from an earlier run" not in page.read_text()
    write_results(played(tmp_path / "small", 0.25), tmp_path / "small", page, "second")
    assert {path.name: path.read_text() for path in folder.glob("*.csv")} == before
    said = page.read_text()
    assert len(re.findall("Kept from an earlier run .*,\n.* whose store is gone; no run since is as large", said)) == 2
    assert "120 matches in" in said
    for part, found in large:
        back = read_back(part, read_runs(folder)[part.full_name], folder)
        assert (back.matches, back.blocks) == (found.matches, found.blocks)
        assert [each.claim for each in judge_claims(part, back)] == part.table.claims
        for one, other in zip(check_cells(part, back), check_cells(part, found), strict=True):
            assert (one.ours, one.low, one.high) == pytest.approx((other.ours, other.low, other.high))
    write_results(played(tmp_path / "large", 0.75), tmp_path / "large", page, "third")
    assert "180 matches in" in page.read_text()
    assert "Kept from" not in page.read_text()


def test_a_kept_run_keeps_its_verdicts_although_its_blocks_are_gone(toys, tmp_path):
    folder = tmp_path / "results"
    found = played(tmp_path / "large", 0.5)
    write_results(found, tmp_path / "large", tmp_path / "results.md", "first")
    for part, each in found:
        run = read_runs(folder)[part.full_name]
        assert run.verdicts == {judged.claim.says: judged.verdict for judged in judge_claims(part, each)} != {}
        told = dict.fromkeys(run.verdicts, "told while the blocks were known")
        back = read_back(part, run, folder)
        kept = msgspec.structs.replace(run, verdicts=told, gone=True)
        assert {judged.verdict for judged in verdicts_on(part, back, kept)} == set(told.values())
        unsaid = msgspec.structs.replace(kept, verdicts={})
        assert verdicts_on(part, back, unsaid) == judge_claims(part, back)


def test_what_cannot_be_read_back_is_told(toys, tmp_path):
    folder, part = tmp_path / "results", Part("sticks", "one")
    write_results(played(tmp_path / "large", 0.1), tmp_path / "large", tmp_path / "results.md", "first")
    run = read_runs(folder)[part.full_name]
    path = folder / "sticks-one.csv"
    path.write_text(path.read_text().replace("greedy", "greedier"))
    with pytest.raises(BadParameter, match=r"sticks-one.csv cannot be read back \(its agents are not those of the tab"):
        read_back(part, run, folder)
    path.write_text(path.read_text().replace("greedier", "greedy").replace("random()", "random(rule=1)"))
    with pytest.raises(BadParameter, match=r"\(its \w+ is random\(rule=1\), and that of the table random\(\)\)"):
        read_back(part, run, folder)
    for text in ("{", json.dumps({"sticks/one": {"matches": 3}})):
        (folder / "runs.json").write_text(text)
        with pytest.raises(BadParameter, match=r"runs.json cannot be read; move it away, or write the page to another"):
            read_runs(folder)
