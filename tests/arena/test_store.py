"""The store: rows that stay, and refusals that say why."""

import sqlite3

import pytest

from kingmaker.arena.experiment.code import code_hash, code_parts, kept, versions
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.result import FAILED, Result
from kingmaker.arena.results.store import VERSION, StoreFault, claim_store, open_store
from kingmaker.arena.running.worker import play_numbers
from tests.arena.conftest import SMALL

PARTS, VERSIONS = {"game": "aa", "agent x": "bb"}, {"python": "3"}


def claim(path, experiment, **options):
    return claim_store(path, experiment, options.pop("parts", PARTS), options.pop("versions", VERSIONS), **options)


def row(number, **fields):
    return Result(
        **({"number": number, "variant": 0, "block": 0, "seating": (0, 1, 2), "seed": 1, "status": "finished"} | fields)
    )


def test_rows_come_back_and_numbers_without_one_are_missing(tmp_path, small):
    with claim(tmp_path / "s.db", small) as store:
        store.add([row(1, payoffs=(1.0, 0.0, 0.0)), row(4)])
        assert list(store.missing(6)) == [0, 2, 3, 5]
        assert store.count() == 2
        with open_store(tmp_path / "s.db") as reader:
            assert next(reader.rows("payoffs")) == ("[1.0,0.0,0.0]",)
            assert reader.experiment == small


def test_a_transaction_is_stored_whole_or_not_at_all(tmp_path, small):
    with claim(tmp_path / "s.db", small) as store:
        store.add([row(1)])
        with pytest.raises(sqlite3.IntegrityError):
            store.add([row(2), row(1)])
        assert store.count() == 1


def test_failed_rows_are_forgotten_when_they_are_to_be_played_again(tmp_path, small):
    with claim(tmp_path / "s.db", small) as store:
        store.add([row(0), row(1, status=FAILED, fault="x")])
        assert store.forget_failed() == 1
        assert list(store.missing(2)) == [1]


def test_a_second_coordinator_is_refused_and_told_who_the_first_is(tmp_path, small):
    first = claim(tmp_path / "s.db", small)
    with pytest.raises(StoreFault, match=r"in use by another coordinator, process \d+ on .* since .*; wait for it"):
        claim(tmp_path / "s.db", small)
    first.close()
    claim(tmp_path / "s.db", small).close()


def test_another_experiment_is_refused_with_what_differs(tmp_path, small, written):
    claim(tmp_path / "s.db", small).close()
    other = written(SMALL.replace("seed = 7", "seed = 8"))
    with pytest.raises(
        StoreFault,
        match="holds another experiment: seed was 7 and is 8; name another --store, or go on with --accept-changes",
    ):
        claim(tmp_path / "s.db", other)
    claim(tmp_path / "s.db", other, accept_changes=True).close()


def test_more_starts_go_on_and_fewer_are_refused(tmp_path, written):
    with claim(tmp_path / "s.db", written()) as store:
        store.add([row(0)])
    with claim(tmp_path / "s.db", written(SMALL.replace("starts = 3", "starts = 5"))) as store:
        assert store.experiment.blocks == 5
    with pytest.raises(StoreFault, match="was begun with 5 blocks and the experiment now has 3"):
        claim(tmp_path / "s.db", written())


def test_other_code_is_refused_by_name_once_there_are_matches(tmp_path, small):
    with claim(tmp_path / "s.db", small) as store:
        assert store.code == 1
    with claim(tmp_path / "s.db", small, parts={**PARTS, "game": "zz"}) as store:
        store.add([row(0)])
    with pytest.raises(
        StoreFault, match=r"the code has changed since the matches in .* were played \(agent x\); name another --store"
    ):
        claim(tmp_path / "s.db", small, parts={"game": "zz", "agent x": "cc"})
    with pytest.raises(StoreFault, match=r"were played \(python\)"):
        claim(tmp_path / "s.db", small, parts={**PARTS, "game": "zz"}, versions={"python": "4"})
    with claim(tmp_path / "s.db", small, parts={"game": "zz", "agent x": "cc"}, accept_changes=True) as store:
        assert store.code == 3


def test_the_code_of_an_experiment_has_a_hash_for_every_part(small):
    parts = code_parts(schedule_of(small.as_text()))
    assert set(parts) == {"kingmaker", "game sticks(sticks=12)", "agent ahead", "agent greedy", "agent random"}
    assert len(set(parts.values())) == 5
    assert set(versions()) == {"kingmaker", "python", "numpy", "numba"}
    before = code_hash(small.as_text())
    play_numbers(small.as_text(), [0])
    kept.cache_clear()
    assert code_hash(small.as_text()) == before  # playing leaves no trace in it


@pytest.mark.parametrize(
    ("version", "way"), [(VERSION + 1, "update kingmaker"), (0, "export it with the kingmaker that made it")]
)
def test_a_store_of_another_version_is_refused(tmp_path, small, version, way):
    claim(tmp_path / "s.db", small).close()
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    for attempt in (lambda: open_store(tmp_path / "s.db"), lambda: claim(tmp_path / "s.db", small)):
        with pytest.raises(
            StoreFault, match=f"has version {version} of the store, this kingmaker reads version {VERSION}; {way}"
        ):
            attempt()


def test_what_is_no_store_is_refused(tmp_path, small):
    with pytest.raises(StoreFault, match="there is no file"):
        open_store(tmp_path / "none.db")
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE songs (name)")
    for attempt in (lambda: open_store(tmp_path / "other.db"), lambda: claim(tmp_path / "other.db", small)):
        with pytest.raises(StoreFault, match="is not a kingmaker store"):
            attempt()
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at " * 20)
    with pytest.raises(StoreFault, match="is not a kingmaker store: file is not a database"):
        open_store(tmp_path / "text.db")
    with pytest.raises(StoreFault, match=r"cannot use .* as a store: file is not a database"):
        claim(tmp_path / "text.db", small)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, small):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        StoreFault, match=r"cannot write to the folder of .*: unable to open database file; name a store elsewhere"
    ):
        claim(tmp_path / "file" / "s.db", small)


def test_a_full_disk_is_told_and_loses_nothing(tmp_path, small):
    with claim(tmp_path / "s.db", small) as store:
        store.add([row(0)])
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(
            StoreFault, match=r"cannot write to .*: database or disk is full; what was stored before is safe"
        ):
            store.add([row(number, fault="x" * 5000) for number in range(1, 50)])
        assert store.count() == 1
