"""`kingmaker compare`."""

import json

TREE = "explicit_tree(file=examples/offensive.json)"


def test_rows_choices_and_reasons_are_printed(run, monkeypatch):
    ran = run("compare", TREE, "--depth", "2")
    lines = ran.out.splitlines()
    maxn = next(line for line in lines if line.startswith("maxn(depth=2)"))
    assert maxn.split()[1:4] == ["c", "2", "14"]
    assert any(line.startswith("c: ") and "maxn" in line for line in lines)
    assert "paranoid plays a and not c: a is worth 5 to seat 0" in ran.out
    assert "left out: " in ran.out


def test_json_holds_everything(run):
    document = json.loads(run("compare", TREE, "--agent", "maxn(depth=2)", "--agent", "random", "--json").out)
    assert [each["agent"] for each in document["opinions"]] == ["maxn(depth=2)", "random"]
    assert document["opinions"][0]["values"] == [6, 4, 0]
    assert document["opinions"][0]["assumes"] == "everyone plays for itself"


def test_agreement_over_positions_is_a_matrix(run):
    arguments = ["compare", "sticks(sticks=9)", "--interpreted", "--depth", "3", "--positions", "4"]
    document = json.loads(run(*arguments, "--json").out)
    size = len(document["agents"])
    assert [row[number] for number, row in enumerate(document["agreement"])] == [1.0] * size
    printed = run(*arguments).out
    assert "percent of 4 positions in which both chose the same move" in printed
    assert len([line for line in printed.splitlines() if "(depth=3)" in line]) == size - 2


def test_agents_that_agree_are_told_so(run):
    ran = run("compare", TREE, "--agent", "maxn(depth=2)", "--agent", "mp_mix(depth=2)")
    assert "all choose c" in ran.out


def test_what_makes_no_sense_is_refused(run):
    ran = run("compare", "sticks", "--positions", "-1")
    assert "expected 0 to 10000 positions to compare over, got --positions -1" in ran.err
    ran = run("compare", "sticks", "--positions", "3", "--moves", "1")
    assert "expected --positions, or one position by --position and --moves, got both" in ran.err
    ran = run("compare", "sticks", "--seconds", "-1")
    assert ran.code == 2
    ran = run("compare", TREE, "--agent", "alpha_beta")
    assert "alpha_beta cannot play" in ran.err


def test_a_game_that_nobody_can_play_is_refused(run, monkeypatch):
    monkeypatch.setattr("kingmaker.probe.comparison.suitable", lambda game, **budget: ([], {}))
    assert "no algorithm can play sticks with this budget; give --seconds" in run("compare", "sticks").err
