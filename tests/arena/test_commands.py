"""The commands of the arena, as a user calls them."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.store import StoreFault
from kingmaker.arena.results.transcripts import BadRecord
from kingmaker.arena.running.worker import play_numbers
from kingmaker.cli import main
from kingmaker.cli.export import export
from kingmaker.cli.parts import Screen
from kingmaker.cli.replay import replay
from kingmaker.cli.run import EVERY, Lines, Live, duration, live_table, run
from kingmaker.cli.status import status
from tests.arena.conftest import SMALL
from tests.arena.test_coordinator import wild


@pytest.fixture
def played(tmp_path, written, capsys):
    written(SMALL + "[[expect]]\nagent = 'ahead'\nabove = 0.1\n")
    assert run(tmp_path / "small.toml", workers=1) == 0
    return tmp_path / "small.db", capsys.readouterr().out


def test_run_tells_the_table_and_status_the_same_afterwards(played, capsys):
    store, out = played
    assert "Does looking ahead help at sticks?" in out
    assert "18 of 18 matches in 3 blocks; 95 % confidence intervals over rounds from one start" in out
    assert "expected share of ahead above 0.1" in out
    assert status(store) == 0
    assert capsys.readouterr().out.splitlines()[-8:] == out.splitlines()[-8:]


def test_run_and_status_tell_programs_the_same_as_one_json_document(tmp_path, written, capsys):
    written()
    assert run(tmp_path / "small.toml", workers=1, json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["total"], found["blocks"]) == (18, 18, 3)
    assert [row["agent"] for row in found["table"]] == ["ahead", "greedy", "random"]
    assert status(tmp_path / "small.db", json=True) == 0
    assert json.loads(capsys.readouterr().out) == found


def test_a_terminal_gets_a_table_that_changes_in_place(written):
    experiment = written()
    schedule = schedule_of(experiment.as_text())
    running = Running(schedule)
    console = Screen(file=io.StringIO(), force_terminal=True, width=100)
    with Live(console) as display:
        display.watch(running)
        display.live.refresh()
        for result in play_numbers(experiment.as_text(), list(range(12))).results:
            running.add(result)
        display.said = display.took = 0.0
        display.watch(running)
        display.live.refresh()
    shown = Screen(file=io.StringIO(), width=100)
    shown.print(live_table(running))
    first, *agents, last = shown.file.getvalue().splitlines()
    assert first.split() == ["agent", "games", "share", "%", "95", "%", "Elo", "depth", "nodes"]
    assert [line.split()[:2] for line in agents] == [["ahead", "12"], ["greedy", "12"], ["random", "12"]]
    assert re.search(r"12 of 18 matches, .* a second, \d+ s left", last)
    drawn = console.file.getvalue()
    assert "0 of 18 matches, getting ready" in " ".join(drawn.split())
    assert "12 of 18 matches" in drawn


def test_a_pipe_gets_one_plain_line_now_and_then(written, capsys):
    running = Running(schedule_of(written().as_text()))
    display = Lines(Screen(width=100))
    for _ in range(3):
        display.watch(running)
    assert capsys.readouterr().out == "0 of 18 matches, getting ready (new code is compiled, once per machine)\n"
    for result in play_numbers(written().as_text(), [0, 1, 2]).results:
        running.add(result)
    display.said = -EVERY
    for _ in range(3):
        display.watch(running)
    assert re.fullmatch(r"3 of 18 matches, .* a second, .* left, best \w+ with [\d.]+ %\n", capsys.readouterr().out)


def test_a_failed_match_is_told_and_the_exit_code_is_one(tmp_path, written, capsys):
    written(wild("crash"))
    assert run(tmp_path / "small.toml", store=tmp_path / "w.db", workers=1) == 1
    out = capsys.readouterr().out
    assert "failed and count as no game" in " ".join(out.split())
    assert "failed: ZeroDivisionError: nothing to divide by" in " ".join(out.split())


def test_matches_are_exported_in_every_format(played, capsys):
    store, _ = played
    export(store, format="csv")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 18
    assert rows[0]["status"] == "finished"
    export(store, format="jsonl")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["agents"] == ["ahead", "greedy", "random"]
    export(store, format="json")
    assert json.loads(capsys.readouterr().out) == lines
    export(store, format="markdown", what="table")
    assert capsys.readouterr().out.startswith("| agent | form |")
    export(store, format="latex", what="table")
    latex = capsys.readouterr().out
    assert "\\caption{Does looking ahead help at sticks? Share of wins" in latex
    assert "\\label{tab:small}" in latex
    export(store, format="latex")
    assert "match & block & seed & status" in capsys.readouterr().out


def test_records_are_exported_and_replayed(played, tmp_path, capsys):
    store, _ = played
    export(store, what="records", to=tmp_path / "r.jsonl")
    assert replay(tmp_path / "r.jsonl", show="result") == 0
    assert capsys.readouterr().out.count("payoffs") == 18
    replay(store, match=2)
    out = capsys.readouterr().out
    assert "12 left, seat 0 to move" in out
    replay(store, match=2, show="text")
    (tmp_path / "r.txt").write_text(capsys.readouterr().out)
    replay(tmp_path / "r.txt", match=2)
    assert capsys.readouterr().out == out


def test_what_cannot_be_written_or_found_is_told(played, tmp_path):
    store, _ = played
    with pytest.raises(StoreFault, match=r"cannot write to .*none"):
        export(store, to=tmp_path / "none" / "x.csv")
    with pytest.raises(BadRecord, match="there is no match 99 in"):
        replay(store, match=99)


@pytest.mark.parametrize("options", [["--to", "/dev/full"], []])
def test_a_full_device_is_told_and_the_exit_code_is_two(played, options):
    store, _ = played
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kingmaker", "export", store, *options],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert re.fullmatch(r"kingmaker: cannot write .*: No space left on device\n", done.stderr)


def test_a_game_that_ends_the_program_as_it_is_read_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaves.py").write_text("raise SystemExit(0)\n")
    assert main(["check", "leaves.py"]) == 2
    assert "SystemExit" in capsys.readouterr().err


def test_durations_are_told_as_people_do():
    assert [duration(seconds) for seconds in (9, 75, 3700)] == ["9 s", "1 min 15 s", "1 h 01 min"]
