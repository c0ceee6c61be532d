"""Matches kept as text, and the store made of them again."""

import hashlib
import json
import sqlite3

import pytest

from kingmaker.arena.results.kept_matches import keep_matches, read_about, restore_store
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import StoreFault, open_store
from kingmaker.arena.results.transcripts import BadRecord, stored_records
from kingmaker.arena.running.run import run_experiment

TEXT = """
question = "Who takes the last stick?"
game = "sticks(sticks=9)"
seating = "all"
starts = 6
opening = 2
interpreted = true

[agents]
maxn = "maxn(depth={depth})"
greedy = "greedy"
random = "random"

[sweep]
depth = [2, 4]
"""


@pytest.fixture
def store(tmp_path, written):
    """The store of an experiment that was played, with one match that failed."""
    path = tmp_path / "played.db"
    run_experiment(written(TEXT), path, workers=1)
    with open_store(path) as opened:
        assert opened.count() == 72
    return path


def kept(store, folder):
    with open_store(store) as opened:
        return keep_matches(opened, folder, "sticks")


def test_the_store_made_again_has_the_same_standings_and_is_played_on(store, tmp_path, written):
    kept(store, tmp_path / "kept")
    back = tmp_path / "new" / "back.db"
    assert restore_store(tmp_path / "kept", "sticks", back) == 72
    with open_store(store) as one, open_store(back) as other:
        assert standings(one) == standings(other)
        columns = "match, variant, block, seed, status, seating, payoffs, efforts, code, line"
        assert list(one.rows(columns)) == list(other.rows(columns))
        assert other.meta("machine") == one.meta("machine")
    longer = written(TEXT.replace("starts = 6", "starts = 9"))
    assert run_experiment(longer, back, workers=1).new == 36
    run_experiment(longer, store, workers=1)
    with open_store(store) as one, open_store(back) as other:
        assert standings(one) == standings(other)


def test_other_code_is_told_as_with_any_store(store, tmp_path, written):
    _, about = kept(store, tmp_path / "kept")
    data = json.loads(about.read_text())
    data["codes"]["1"][0]["kingmaker"] = "older"
    about.write_text(json.dumps(data))
    back = tmp_path / "back.db"
    restore_store(tmp_path / "kept", "sticks", back)
    longer = written(TEXT.replace("starts = 6", "starts = 7"))
    with pytest.raises(StoreFault, match=r"the code has changed .* \(kingmaker\); .*go on with --accept-changes"):
        run_experiment(longer, back, workers=1)
    assert run_experiment(longer, back, workers=1, accept_changes=True).new == 12
    kept(back, tmp_path / "again")
    assert {row.split(",")[1] for row in (tmp_path / "again" / "sticks.csv").read_text().splitlines()[1:]} == {"1", "2"}


def test_a_kept_match_cannot_be_replayed(store, tmp_path):
    kept(store, tmp_path / "kept")
    restore_store(tmp_path / "kept", "sticks", tmp_path / "back.db")
    with (
        open_store(tmp_path / "back.db") as opened,
        pytest.raises(BadRecord, match=r"moves of match 3 are not in .*back"),
    ):
        list(stored_records(opened, 3))
    with open_store(store) as opened:
        assert len(list(stored_records(opened, 3))) == 1


def test_a_failed_match_is_not_kept(store, tmp_path):
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE matches SET status = 'failed' WHERE match = 5")
    rows, about = kept(store, tmp_path / "kept")
    numbers = [int(row.split(",")[0]) for row in rows.read_text().splitlines()[1:]]
    assert numbers == [each for each in range(72) if each != 5]
    assert json.loads(about.read_text())["matches"] == 71


def test_what_does_not_fit_is_refused_with_a_way_out(store, tmp_path):
    folder = tmp_path / "kept"
    with pytest.raises(StoreFault, match=r"there are no kept matches of sticks in .*; name the folder that has"):
        restore_store(folder, "sticks", tmp_path / "back.db")
    rows, about = kept(store, folder)
    with pytest.raises(StoreFault, match=r"played\.db exists; move it away"):
        restore_store(folder, "sticks", store)
    text = rows.read_text()
    rows.write_text(text.replace("finished", "unfinished", 1))
    with pytest.raises(StoreFault, match=r"sticks\.csv is not the file that sticks\.json tells of; take both"):
        restore_store(folder, "sticks", tmp_path / "back.db")
    assert not (tmp_path / "back.db").exists()
    about.write_text("{}")
    with pytest.raises(StoreFault, match=r"sticks\.json does not tell of kept matches: .*; take it from its source"):
        read_about(folder, "sticks")


def test_a_row_with_other_seats_is_refused(store, tmp_path):
    rows, about = kept(store, tmp_path / "kept")
    lines = rows.read_text().splitlines(keepends=True)
    cells = lines[3].split(",")
    cells[4] = cells[4].rpartition(" ")[0]
    rows.write_text("".join([*lines[:3], ",".join(cells), *lines[4:]]))
    data = json.loads(about.read_text())
    data["digest"] = hashlib.sha256(rows.read_bytes()).hexdigest()
    about.write_text(json.dumps(data))
    with pytest.raises(StoreFault, match=r"match 2 in .*sticks\.csv has not 3 seats; take the file again"):
        restore_store(tmp_path / "kept", "sticks", tmp_path / "back.db")
