"""`kingmaker algorithms`."""

import json

from kingmaker.search import ALGORITHMS


def test_every_algorithm_is_listed_within_80_columns(run):
    ran = run("algorithms")
    assert ran.code == 0
    assert [name for name in ALGORITHMS if f"\n{name} " not in ran.out] == []
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_holds_ideas_parameters_and_meanings(run):
    entries = {entry["name"]: entry for entry in json.loads(run("algorithms", "--json").out)}
    assert list(entries) == list(ALGORITHMS)
    assert all(entry["idea"] for entry in entries.values())
    paranoid = entries["paranoid"]
    assert paranoid["idea"] == "everyone else has made a pact against me"
    assert {"name": "prune", "default": True, "meaning": "alpha-beta"} in paranoid["parameters"]


def test_one_algorithm_is_described_with_its_source_and_what_it_inherits(run):
    ran = run("algorithms", "maxn")
    assert "C. Luckhardt, K. Irani" in ran.out
    assert "first, random, least_others or average" in ran.out
    assert "no transposition table" in ran.out
    assert json.loads(run("algorithms", "maxn", "--json").out)["name"] == "maxn"
