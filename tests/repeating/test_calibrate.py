"""Node budgets that give the printed depths."""

import json

import pytest

from kingmaker.cli import main
from kingmaker.core.errors import KingmakerError
from kingmaker.repeating import calibrate
from kingmaker.repeating.paper import Part, papers
from kingmaker.repeating.ready import made_ready, with_budgets
from tests.toy_papers import put_up

TREES = """
question = "How deep?"
game = "random_tree(seats=2, branching=2, height=12)"
seating = "rotations"
lineup = ["tested", "random"]
starts = 4
interpreted = true

[agents]
tested = "{search}"
random = "random"

[sweep]
search = ["maxn", "paranoid"]
"""
DEPTHS = """
[tables.deep]
title = "Depths"
file = "deep.toml"
calibrate = true
cells = [{ row = "maxn", column = "depth", printed = 3.0 }, { row = "paranoid", column = "depth", printed = 4.0 }]
[tables.deep.rows.maxn]
agent = "tested"
where = { search = "maxn" }
[tables.deep.rows.paranoid]
agent = "tested"
where = { search = "paranoid" }
"""


@pytest.fixture
def part(tmp_path, monkeypatch):
    folder = put_up(tmp_path / "toys", monkeypatch)
    paper = folder / "sticks" / "paper.toml"
    paper.write_text(paper.read_text() + DEPTHS)
    (folder / "sticks" / "deep.toml").write_text(TREES)
    monkeypatch.setattr(calibrate, "MATCHES", 8)
    monkeypatch.setattr(calibrate, "FIRST", 60)
    papers.cache_clear()
    yield Part("sticks", "deep")
    papers.cache_clear()


def test_budgets_are_found_that_give_the_printed_depths(part, tmp_path, monkeypatch):
    said = []
    (ready,) = made_ready([part], tmp_path, 1, said.append)
    assert said == [part]
    nodes = calibrate.known_budgets(part, tmp_path)
    assert nodes["maxn"] < nodes["paranoid"]
    depths = calibrate.mean_depths(ready, ["maxn", "paranoid"])
    assert depths == pytest.approx({"maxn": 3.0, "paranoid": 4.0}, abs=0.5)
    assert {row.where["search"] for row in ready.rows.values()} == set(ready.experiment.sweep["search"])
    assert f"nodes={nodes['maxn']}" in ready.experiment.as_text()
    again = made_ready([part], tmp_path, 1, lambda part: pytest.fail("looked for again"))
    assert again[0].experiment == ready.experiment


def test_a_calibrated_table_goes_on_with_its_budgets(part, tmp_path, capsys):
    command = ["paper", "sticks/deep", "--results", str(tmp_path), "--workers", "1", "--json", "--quiet"]
    assert main([*command, "--scale", "0.5"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["matches"] == 2 * 4
    assert main([*command, "--scale", "1"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["matches"] == 4 * 4


def test_a_table_that_was_not_calibrated_is_shown_as_it_is(part, tmp_path):
    assert with_budgets(part, tmp_path) is part
    assert made_ready([part], tmp_path, 1, lambda part: None, search=False) == [part]
    (tmp_path / calibrate.BUDGETS).write_text("{")
    assert calibrate.known_budgets(part, tmp_path) is None
    (tmp_path / calibrate.BUDGETS).write_text(json.dumps({}))
    assert with_budgets(part, tmp_path) is part
    assert made_ready([part], tmp_path, 1, lambda part: None, search=False) == [part]


def test_a_match_that_fails_while_budgets_are_looked_for_is_told(part, tmp_path):
    (tmp_path / "broken.py").write_text(
        "import kingmaker\n\n\nclass Broken(kingmaker.Agent):\n"
        "    def choose(self, game, state, rng, ask):\n        raise RuntimeError('out of order')\n"
    )
    part.put(lambda text: text.replace("random", str(tmp_path / "broken.py")) if text == "random" else text)
    with pytest.raises(KingmakerError, match=r"match \d+ of the calibration failed: .*out of order"):
        calibrate.mean_depths(part, ["maxn"])
