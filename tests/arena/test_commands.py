"""The commands of the arena, as a user calls them."""

import csv
import io
import json

import pytest

from kingmaker.arena.records import BadRecord
from kingmaker.arena.store import StoreFault
from kingmaker.cli.export import export
from kingmaker.cli.replay import replay
from kingmaker.cli.run import duration, run
from kingmaker.cli.status import status
from tests.arena.conftest import SMALL
from tests.arena.test_runner import HERE, WILD


@pytest.fixture
def played(tmp_path, written, capsys):
    written(SMALL + "[[expect]]\nagent = 'ahead'\nabove = 0.1\n")
    assert run(tmp_path / "small.toml", workers=1) == 0
    return tmp_path / "small.db", capsys.readouterr().out


def test_run_tells_the_table_and_status_the_same_afterwards(played, capsys):
    store, out = played
    assert "Does looking ahead help at sticks?" in out
    assert "18 of 18 matches in 3 blocks; intervals: 95 %, bootstrap over blocks" in out
    assert "expected share of ahead above 0.1" in out
    assert status(store) == 0
    assert capsys.readouterr().out.splitlines()[-8:] == out.splitlines()[-8:]


def test_a_failed_match_is_told_and_the_exit_code_is_one(tmp_path, written, capsys):
    written(WILD.format(file=HERE / "misbehaving.py", fault="crash"))
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
    assert latex.startswith("\\begin{tabular}")
    assert "win\\_rate" in latex


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


def test_durations_are_told_as_people_do():
    assert [duration(seconds) for seconds in (9, 75, 3700)] == ["9 s", "1 min 15 s", "1 h 01 min"]
