"""Stores stand alone: anybody reads them anywhere, damaged or old ones too, and nobody's code is run."""

import json
import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import StoreFault, claim_store, open_store
from kingmaker.arena.results.transcripts import BadRecord, Untrusted
from kingmaker.arena.running.run import run_experiment
from kingmaker.cli.export import export
from kingmaker.cli.replay import replay
from kingmaker.cli.report import report
from kingmaker.cli.status import status
from tests.arena.conftest import SMALL
from tests.arena.test_store import row

OWN = (Path(__file__).parents[1] / "own_games" / "nim.py").read_text()
EXPERIMENT = """
question = "Who takes the last?"
game = "{file}"
starts = 2
[agents]
one = "maxn(depth=2)"
two = "random"
"""
NOBODY = 65534


@pytest.fixture
def alone(tmp_path, monkeypatch, written):
    """A finished store of a game in a file of one's own; the file is gone, and what is left there tells if it is
    run.
    """
    monkeypatch.chdir(tmp_path)

    def play():
        (tmp_path / "nim.py").write_text(OWN)
        run_experiment(written(EXPERIMENT.format(file=tmp_path / "nim.py")), tmp_path / "s.db", workers=1)
        for name in [name for name in sys.modules if name.startswith("nim@")]:
            del sys.modules[name]
        (tmp_path / "nim.py").write_text("open('run', 'w').close()\nraise ZeroDivisionError('this file was run')\n")
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        monkeypatch.chdir(elsewhere)
        return tmp_path / "s.db"

    return play


def read_all(path, capsys):
    """Everything that the reading commands say of a store."""
    assert status(path) == 0
    assert status(path, json=True) == 0
    for what in ("matches", "table", "records"):
        assert export(path, what=what, format="jsonl") == 0
    return capsys.readouterr().out


def test_a_store_is_read_without_its_game_and_no_file_is_run(alone, capsys, tmp_path, monkeypatch):
    path = alone()
    capsys.readouterr()
    told = read_all(path, capsys)
    assert "12 of 12 matches" in told
    assert report(path, to=tmp_path / "r.html") == 0
    capsys.readouterr()
    (tmp_path / "nim.py").unlink()
    assert read_all(path, capsys) == told
    monkeypatch.chdir(tmp_path)
    assert not (tmp_path / "run").exists()


def test_replay_says_which_file_it_would_run_and_asks_for_trust(alone, capsys, tmp_path, monkeypatch):
    path = alone()
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    with pytest.raises(
        Untrusted, match=r"this would run the game in the file '.*nim.py'; look at what it does, then say --trust"
    ):
        replay(path)
    export(path, what="records", to=tmp_path / "r.jsonl")
    with pytest.raises(Untrusted, match="would run the game"):
        replay(tmp_path / "r.jsonl")
    (tmp_path / "r.txt").write_text('[Game "nim.py"]\n[Start "x"]\n[Seat 0 "random"]\n\n1. 0:1\n')
    with pytest.raises(Untrusted, match="would run the game"):
        replay(tmp_path / "r.txt")
    assert not (tmp_path / "run").exists()
    (tmp_path / "nim.py").write_text(OWN)
    assert replay(path, trust=True, show="result") == 0
    told = capsys.readouterr().out
    assert told.count("payoffs") == 12
    assert replay(tmp_path / "r.jsonl", trust=True, show="result") == 0
    assert capsys.readouterr().out == told


@contextmanager
def no_right_to_write(folder):
    """Nobody may write in the folder, not even who owns the machine."""
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)
        folder.chmod(0o755)


@pytest.fixture
def shelf():
    """A folder that everybody can look into."""
    folder = Path(tempfile.mkdtemp(prefix="kingmaker-shelf-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_finished_store_is_one_file_that_is_read_where_nobody_may_write(shelf, small, tmp_path):
    run_experiment(small, tmp_path / "s.db", workers=1)
    assert {path.name for path in tmp_path.iterdir()} - {"small.toml"} == {"s.db", "s.db.lock"}
    shutil.copy(tmp_path / "s.db", shelf / "s.db")
    with no_right_to_write(shelf), open_store(shelf / "s.db") as store:
        assert standings(store).matches == 18
    assert [path.name for path in shelf.iterdir()] == ["s.db"]


@pytest.mark.parametrize("shared", [True, False])
def test_a_store_whose_coordinator_was_killed_is_read_whole_where_nobody_may_write(shelf, small, tmp_path, shared):
    with claim_store(tmp_path / "s.db", small, {}, {}) as store:
        store.add(
            [
                row(number, payoffs=(1.0, 0.0, 0.0), moves=(1, 1, 1), nodes=(1, 1, 1), depths=(1, 1, 1))
                for number in range(5)
            ]
        )
        for end in ("", "-wal", "-shm") if shared else ("", "-wal"):
            shutil.copy(f"{tmp_path / 's.db'}{end}", shelf)
    before = sorted(path.name for path in shelf.iterdir())
    with no_right_to_write(shelf), open_store(shelf / "s.db") as store:
        assert store.count() == 5
    assert sorted(path.name for path in shelf.iterdir()) == before


def test_who_may_not_read_is_told(shelf, small, tmp_path):
    claim_store(tmp_path / "s.db", small, {}, {}).close()
    shutil.copy(tmp_path / "s.db", shelf)
    with no_right_to_write(shelf):
        pass
    (shelf / "s.db").chmod(0o000)
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(StoreFault, match=r"cannot read .*s.db: unable to open database file"):
            open_store(shelf / "s.db")
    finally:
        os.seteuid(before)


def test_a_link_to_a_store_takes_the_same_lock(tmp_path, small):
    (tmp_path / "link.db").symlink_to(tmp_path / "s.db")
    with (
        claim_store(tmp_path / "s.db", small, {}, {}),
        pytest.raises(StoreFault, match="in use by another coordinator"),
    ):
        claim_store(tmp_path / "link.db", small, {}, {})
    with (
        claim_store(tmp_path / "link.db", small, {}, {}),
        pytest.raises(StoreFault, match="in use by another coordinator"),
    ):
        claim_store(tmp_path / "s.db", small, {}, {})


def test_links_that_lead_to_themselves_are_told(tmp_path, small):
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    with pytest.raises(StoreFault, match="name a store elsewhere with --store"):
        claim_store(tmp_path / "a.db", small, {}, {})
    with pytest.raises(StoreFault, match="there is no file"):
        open_store(tmp_path / "a.db")


@pytest.fixture
def full(tmp_path, small):
    """A store of some pages."""
    with claim_store(tmp_path / "s.db", small, {}, {}) as store:
        spent = {"moves": (1, 1, 1), "nodes": (1, 1, 1), "depths": (1, 1, 1)}
        hands = (tuple(((seat % 3, 1),) for seat in range(40)),)
        store.add([row(number, payoffs=(1.0, 0.0, 0.0), hands=hands, **spent) for number in range(18)])
    return tmp_path / "s.db"


def test_damaged_pages_are_told_in_a_sentence(full, capsys):
    whole = full.read_bytes()
    pages = range(4096, len(whole), 4096)
    sentences = []
    for page in pages:
        full.write_bytes(whole[:page] + b"\xff" * 4096 + whole[page + 4096 :])
        for command in (status, lambda path: export(path, what="matches"), lambda path: export(path, what="records")):
            try:
                command(full)
            except (StoreFault, BadRecord) as fault:
                sentences.append(str(fault))
    assert len(sentences) >= len(pages)
    assert not any("\n" in sentence for sentence in sentences)
    full.write_bytes(whole[: len(whole) // 2] + b"\xff" * (len(whole) // 2))
    with pytest.raises(
        StoreFault, match=r"cannot read .*s.db: .*; the file is damaged, restore it from a backup or begin another"
    ):
        status(full)


WRONG = [
    ("UPDATE matches SET payoffs = '[1.0' WHERE match = 3", "match 3 has the payoffs '[1.0'"),
    ("UPDATE matches SET payoffs = '[1.0, 0.0]' WHERE match = 3", "match 3 has the payoffs"),
    ("UPDATE matches SET seating = '[0, 1, 9]' WHERE match = 3", "match 3 has the seating '[0, 1, 9]'"),
    ("UPDATE matches SET variant = 7 WHERE match = 3", "match 3 has the setting 7"),
    ("UPDATE matches SET efforts = x'00' WHERE match = 3", "match 3 has efforts that cannot be read"),
    ("UPDATE meta SET value = '{' WHERE key = 'experiment'", "holds no experiment that can be read"),
    (
        "UPDATE meta SET value = '[]' WHERE key = 'setups'",
        "does not say what was played: its settings are not those of its experiment",
    ),
    ("UPDATE meta SET value = '{' WHERE key = 'setups'", "does not say what was played: Expecting"),
    ("DROP TABLE matches", "no such table: matches"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_nonsense_in_a_store_is_told_with_the_match(full, change, sentence):
    with sqlite3.connect(full) as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(StoreFault) as fault:
        [command(full) for command in (status, export)]
    assert sentence in str(fault.value)


def test_a_fault_of_our_own_is_not_called_damage(full):
    with pytest.raises(LookupError), open_store(full):
        raise LookupError("ours")


@pytest.mark.parametrize("turn", ["[[0, 2000000000]]", "[[0, -9]]", "[[100, 1]]", "[[1, 1]]", "[[-1, 1]]", "[]"])
def test_moves_that_are_not_legal_reach_no_machine_code(full, turn):
    with sqlite3.connect(full) as connection:
        connection.execute("UPDATE records SET hands = ? WHERE match = 0", (f"[[{turn}]]",))
    connection.close()
    assert export(full, what="records", to=full.with_suffix(".jsonl")) == 0
    for path in (full, full.with_suffix(".jsonl")):
        with pytest.raises(BadRecord, match="in turn 1 of match 0"):
            replay(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("hands = 'x'", "match 0 of .* has no record that can be read"),
        ("hands = '[[[[0]]]]'", "match 0 of .* has no record that can be read"),
        ("vals = '[[[[1.0]], [[1.0]]]]'", "expected the agents' values for every move or for none"),
        (
            "ends = '[[5.0, 0.0, 0.0]]'",
            r"the payoffs of match 0 are \[1.0, 0.0, 0.0\], but those of its hands add up to \[5.0",
        ),
    ],
)
def test_records_that_cannot_be_read_are_told(full, change, sentence):
    with sqlite3.connect(full) as connection:
        connection.execute(f"UPDATE records SET {change} WHERE match = 0")
    connection.close()
    with pytest.raises(BadRecord, match=sentence):
        replay(full)


def test_stored_payoffs_are_compared_with_those_that_are_played(tmp_path, small):
    run_experiment(small, tmp_path / "s.db", workers=1)
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("UPDATE matches SET payoffs = '[9.0,0.0,0.0]' WHERE match = 0")
        connection.execute("UPDATE records SET ends = '[[9.0,0.0,0.0]]' WHERE match = 0")
    connection.close()
    with pytest.raises(BadRecord, match=r"the payoffs of match 0 are \[9.0, 0.0, 0.0\], but its moves lead to"):
        replay(tmp_path / "s.db", show="result")


def aged(path):
    """Make the store what version 1 would have written."""
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE records DROP COLUMN ends")
        connection.execute("ALTER TABLE matches DROP COLUMN line")
        connection.execute("DROP TABLE starts")
        connection.execute("DELETE FROM meta WHERE key = 'setups'")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def test_a_store_of_version_1_is_read_as_before_and_brought_up_to_date(alone, tmp_path, capsys, written, monkeypatch):
    path = alone()
    capsys.readouterr()
    export(path)
    before = capsys.readouterr().out
    aged(path)
    export(path)
    assert capsys.readouterr().out == before
    status(path)
    assert "12 of 12 matches" in capsys.readouterr().out
    export(path, what="records")
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["start"], first["deal"] > 0, len(first["payoffs"])) == ("", True, 3)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim.py").write_text(OWN)
    assert replay(path, trust=True, show="result") == 0
    run_experiment(written(EXPERIMENT.format(file=tmp_path / "nim.py")), path, workers=1)
    with open_store(path) as store:
        assert store.meta("setups")
        assert store.connection.execute("PRAGMA user_version").fetchone()[0] == 2


@pytest.mark.parametrize("payoffs", ["[NaN,1.0,0.0]", "[1.0,Infinity,0.0]", "[-Infinity,0.0,1.0]"])
def test_payoffs_that_version_1_should_not_have_stored_spoil_nothing(full, capsys, small, payoffs):
    aged(full)
    with sqlite3.connect(full) as connection:
        connection.execute("UPDATE matches SET payoffs = ? WHERE match = 3", (payoffs,))
    connection.close()
    for _ in range(2):
        told = read_all(full, capsys)
        assert '"failed": 1,' in told
        assert "match 3 failed: the payoffs are not finite numbers" in told
        claim_store(full, small, {}, {}).close()  # brings it up to date


def test_an_old_store_cannot_make_reading_run_a_file(alone, tmp_path, capsys, monkeypatch):
    path = alone()
    aged(path)
    with sqlite3.connect(path) as connection:
        experiment = json.loads(connection.execute("SELECT value FROM meta WHERE key = 'experiment'").fetchone()[0])
        experiment["agents"] = {"one": "nim.py(depth=2)", "two": "maxn(death=3)"}
        connection.execute("UPDATE meta SET value = ? WHERE key = 'experiment'", (json.dumps(experiment),))
        connection.execute("DELETE FROM matches")
    connection.close()
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert "0 of 4 matches" in read_all(path, capsys)
    assert not (tmp_path / "run").exists()


def test_an_old_store_of_our_own_game_without_matches_knows_its_seats(tmp_path, capsys, written):
    claim_store(tmp_path / "s.db", written(SMALL.replace('random = "random"\n', "")), {}, {}).close()
    aged(tmp_path / "s.db")
    assert "0 of 18 matches" in read_all(tmp_path / "s.db", capsys)
