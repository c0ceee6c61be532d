"""Whoever plays the matches, and however often they are interrupted, the rows are the same."""

import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kingmaker.arena.code import code_parts, versions
from kingmaker.arena.play import play_numbers
from kingmaker.arena.pools import Processes
from kingmaker.arena.runner import Coordinator, Stopped
from kingmaker.arena.schedule import schedule_of
from kingmaker.arena.session import run_experiment
from kingmaker.arena.store import StoreFault, claim_store, open_store, unpacked
from kingmaker.core.errors import BadParameter
from tests.arena.conftest import SMALL

HERE = Path(__file__).parent
LONG = SMALL.replace("starts = 3", "starts = 60").replace("sticks=12", "sticks=40")
WILD = """
question = "What happens when a match goes wrong?"
game = "{file}(fault={fault}, moment=0.005)"
starts = 12
seed = 3
[agents]
one = "random"
two = "random"
[limits]
seconds = 1.0
attempts = 2
"""
CALM = """
question = "Does anything get lost?"
game = "{file}(fault=none, moment=0.005)"
starts = 180
[agents]
one = "random"
two = "random"
"""


def rows(path):
    """All that must be the same however a store came about."""
    with sqlite3.connect(path) as connection:
        return [connection.execute(f"SELECT * FROM {table} ORDER BY match").fetchall() for table in ("matches", "records")]


def count(path):
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM matches").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@pytest.fixture
def directly():
    """The rows of an experiment played in this process, one match after the other."""

    def play(experiment):
        return play_numbers(experiment.as_text(), list(range(len(schedule_of(experiment.as_text()))))).results

    return play


def comparable(results):
    return [(r.number, r.variant, r.block, r.seed, r.status, (r.moves, r.nodes, r.depths), r.seating, r.payoffs, r.hands) for r in results]


def stored(path):
    """The rows of a store in the same form."""

    def tuples(value):
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    columns = "match, variant, block, seed, status, efforts, seating, payoffs, hands"
    with open_store(path) as store:
        found = store.rows(columns, "matches JOIN records USING (match)")
        return [(*row[:5], tuple(map(tuple, unpacked(row[5]))), *(tuples(json.loads(text)) for text in row[6:])) for row in found]


def test_one_and_two_workers_give_the_rows_of_this_process(tmp_path, small, directly):
    expected = comparable(directly(small))
    for workers in (1, 2):
        running = run_experiment(small, tmp_path / f"{workers}.db", workers=workers)
        assert running.done == running.total == 18
        assert stored(tmp_path / f"{workers}.db") == expected
    assert rows(tmp_path / "1.db") == rows(tmp_path / "2.db")


def test_a_run_goes_on_where_it_stopped_and_then_has_nothing_to_do(tmp_path, small, directly):
    text = small.as_text()
    schedule = schedule_of(text)
    with claim_store(tmp_path / "s.db", small, code_parts(schedule), versions()) as store:
        store.add(play_numbers(text, [3, 4, 11]).results)
    running = run_experiment(small, tmp_path / "s.db", workers=1)
    assert (running.done, running.new) == (18, 15)
    assert stored(tmp_path / "s.db") == comparable(directly(small))
    assert run_experiment(small, tmp_path / "s.db", workers=1).new == 0


def started(file, store, workers=2):
    return subprocess.Popen(
        [sys.executable, HERE / "coordinator.py", file, store, str(workers)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def wait_for(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened for a long time"
        time.sleep(0.01)


def alive(pid):
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_coordinator_killed_at_ten_moments_loses_and_doubles_nothing(tmp_path, written, directly):
    experiment, store = written(CALM.format(file=HERE / "misbehaving.py")), tmp_path / "s.db"
    total = len(schedule_of(experiment.as_text()))
    rng = random.Random(2)
    moments = sorted(rng.sample(range(total - 60), 9))
    kept = []
    for moment in [None, *moments]:
        process = started(tmp_path / "small.toml", store)
        if moment is None:
            time.sleep(rng.random())  # somewhere in the start
        else:
            wait_for(lambda moment=moment: count(store) > moment)
        process.kill()
        process.wait()
        process.stdout.close()
        after = rows(store)[0] if store.exists() and count(store) else []
        assert set(kept) <= set(after)
        kept = after
    with sqlite3.connect(store) as connection:
        workers = {int(name.rpartition(":")[2]) for (name,) in connection.execute("SELECT DISTINCT worker FROM timings")}
    wait_for(lambda: not any(map(alive, workers)))  # they end with their coordinator
    assert 0 < len(kept) < total
    process = started(tmp_path / "small.toml", store)
    output = process.communicate()[0].decode()
    assert process.returncode == 0, output
    assert stored(store) == comparable(directly(experiment))
    assert set(kept) <= set(rows(store)[0])


def test_workers_killed_at_ten_moments_lose_and_double_nothing(tmp_path, written, directly):
    experiment, store = written(LONG.replace("[agents]", "[limits]\nattempts = 9\n[agents]")), tmp_path / "s.db"
    total = len(schedule_of(experiment.as_text()))
    rng = random.Random(4)
    moments = sorted(rng.sample(range(total - 60), 10))

    def strike(running):
        if moments and running.done > moments[0]:
            moments.pop(0)
            victim = rng.choice(workers())
            os.kill(victim, signal.SIGKILL)

    running = run_experiment(experiment, store, workers=2, watch=strike)
    assert not moments
    assert (running.done, running.failed) == (total, 0)
    assert stored(store) == comparable(directly(experiment))


def workers():
    return [child.pid for child in multiprocessing.active_children() if child.name.startswith("SpawnProcess")]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("crash", "ZeroDivisionError: nothing to divide by"),
        ("sleep", "the match did not come to an end within the match's limit of 1 s"),
        ("loop", "the match did not come to an end within the match's limit of 1 s"),
        ("exit", "its worker died in each of 2 attempts to play it alone"),
        ("kill", "its worker died in each of 2 attempts to play it alone"),
    ],
)
def test_a_match_that_goes_wrong_is_stored_as_failed_and_the_others_are_played(tmp_path, written, fault, sentence):
    experiment = written(WILD.format(file=HERE / "misbehaving.py", fault=fault))
    running = run_experiment(experiment, tmp_path / "s.db", workers=2)
    assert (running.done, running.total) == (24, 24)
    assert 0 < running.failed < 24
    with open_store(tmp_path / "s.db") as store:
        faults = [text for status, text in store.rows("status, fault") if status == "failed"]
    assert len(faults) == running.failed
    assert set(faults) == {sentence}


def test_failed_matches_are_played_again_when_asked_for(tmp_path, written):
    experiment = written(WILD.format(file=HERE / "misbehaving.py", fault="crash"))
    first = run_experiment(experiment, tmp_path / "s.db", workers=1)
    again = run_experiment(experiment, tmp_path / "s.db", workers=1, retry_failed=True)
    assert (again.new, again.failed) == (first.failed, first.failed)


def test_a_signal_stops_between_two_writes_and_the_rest_is_played_later(tmp_path, written, directly):
    experiment = written(LONG)

    def interrupt(running):
        if running.done > 20:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Stopped, match=r"stopped after \d+ of 360 matches; run the same command to go on"):
        run_experiment(experiment, tmp_path / "s.db", workers=1, watch=interrupt)
    assert 20 < count(tmp_path / "s.db") < 360
    run_experiment(experiment, tmp_path / "s.db", workers=1)
    assert stored(tmp_path / "s.db") == comparable(directly(experiment))


def test_a_worker_with_other_code_is_refused(tmp_path, small):
    schedule = schedule_of(small.as_text())
    with claim_store(tmp_path / "s.db", small, code_parts(schedule), versions()) as store:
        pool = Processes(small.as_text(), 1)
        coordinator = Coordinator(schedule, store, pool)
        coordinator.code = "another"
        try:
            with pytest.raises(StoreFault, match=r"the worker \S+ runs other code than the coordinator; install the same on both"):
                coordinator.run()
        finally:
            pool.close()


def test_fewer_workers_than_one_are_refused(tmp_path, small):
    with pytest.raises(BadParameter, match="expected at least 1 worker, got -1"):
        run_experiment(small, tmp_path / "s.db", workers=-1)
