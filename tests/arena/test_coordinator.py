"""Whoever plays the matches, and however often they are interrupted, the rows are the same."""

import json
import math
import multiprocessing
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from kingmaker.arena.experiment.code import code_parts, versions
from kingmaker.arena.experiment.declaration import Experiment
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import StoreFault, claim_store, open_store, unpacked
from kingmaker.arena.running.coordinator import MOST_DEATHS, Coordinator, Stopped
from kingmaker.arena.running.pools import Processes, Unreachable, WorkerDied
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import play_numbers
from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter
from kingmaker.games.sticks import Sticks
from kingmaker.search.random import Random
from tests.arena.conftest import SMALL

HERE = Path(__file__).parent
LONG = SMALL.replace("starts = 3", "starts = 60").replace("sticks=12", "sticks=40")
WILD = """
question = "What happens when a match goes wrong?"
game = "{file}(fault={fault}, moment=0.005)"
starts = 6
seed = 3
[agents]
one = "random"
two = "random"
[limits]
seconds = {seconds}
attempts = 2
"""
CALM = """
question = "Does anything get lost?"
game = "{file}(fault='none', moment=0.005)"
starts = 180
[agents]
one = "random"
two = "random"
"""


def wild(fault, seconds=60.0):
    """An experiment in some of whose matches something goes wrong; a match may take so many seconds."""
    return WILD.format(file=HERE / "misbehaving.py", fault=fault, seconds=seconds)


def rows(path):
    """All that must be the same however a store came about."""
    with sqlite3.connect(path) as connection:
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY match").fetchall() for table in ("matches", "records")
        ]


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
    return [
        (r.number, r.variant, r.block, r.seed, r.status, (r.moves, r.nodes, r.depths), r.seating, r.payoffs, r.hands)
        for r in results
    ]


def stored(path):
    """The rows of a store in the same form."""

    def tuples(value):
        return tuple(map(tuples, value)) if isinstance(value, list) else value

    columns = "match, variant, block, seed, status, efforts, seating, payoffs, hands"
    with open_store(path) as store:
        found = store.rows(columns, "matches JOIN records USING (match)")
        return [
            (*row[:5], tuple(map(tuple, unpacked(row[5]))), *(tuples(json.loads(text)) for text in row[6:]))
            for row in found
        ]


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
        [sys.executable, HERE / "coordinator.py", file, store, str(workers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
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
        workers = {
            int(name.rpartition(":")[2]) for (name,) in connection.execute("SELECT DISTINCT worker FROM timings")
        }
    wait_for(lambda: not any(map(alive, workers)))  # they end with their coordinator
    assert 0 < len(kept) < total
    process = started(tmp_path / "small.toml", store)
    output = process.communicate()[0].decode()
    assert process.returncode == 0, output
    assert stored(store) == comparable(directly(experiment))
    assert set(kept) <= set(rows(store)[0])


def test_workers_killed_at_ten_moments_lose_and_double_nothing(tmp_path, written, directly, monkeypatch):
    monkeypatch.setattr(
        "kingmaker.arena.running.coordinator.MOST_AT_ONCE", 1
    )  # so that there is a moment after every match
    experiment, store = written(LONG.replace("[agents]", "[limits]\nattempts = 9\n[agents]")), tmp_path / "s.db"
    total = len(schedule_of(experiment.as_text()))
    rng = random.Random(4)
    moments = sorted(rng.sample(range(total - 60), 10))

    def strike(running):
        if moments and running.done > moments[0] and killed(rng.choice(workers() or [None])):
            moments.pop(0)

    running = run_experiment(experiment, store, workers=2, watch=strike)
    assert not moments
    assert (running.done, running.failed) == (total, 0)
    assert stored(store) == comparable(directly(experiment))


def killed(worker):
    """Whether the worker with this process number was there to be killed: it may have ended since it was listed."""
    if worker is None:
        return False
    try:
        os.kill(worker, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def workers():
    return [child.pid for child in multiprocessing.active_children() if child.name.startswith("SpawnProcess")]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("crash", "ZeroDivisionError: nothing to divide by"),
        ("leave", "SystemExit: 3"),
        ("sleep", "the match did not come to an end within the match's limit of 1 s"),
        ("loop", "the match did not come to an end within the match's limit of 1 s"),
        ("exit", "its worker died in each of 2 attempts to play it alone"),
        ("kill", "its worker died in each of 2 attempts to play it alone"),
    ],
)
def test_a_match_that_goes_wrong_is_stored_as_failed_and_the_others_are_played(tmp_path, written, fault, sentence):
    text = wild(fault, seconds=1.0 if "limit" in sentence else 60.0)
    if fault in ("exit", "kill"):  # every such match needs several new processes
        text = text.replace("starts = 6", "starts = 3")
    running = run_experiment(written(text), tmp_path / "s.db", workers=2)
    assert running.done == running.total == (6 if fault in ("exit", "kill") else 12)
    assert 0 < running.failed < running.total
    with open_store(tmp_path / "s.db") as store:
        faults = [text for status, text in store.rows("status, fault") if status == "failed"]
    assert len(faults) == running.failed
    assert set(faults) == {sentence}


@pytest.mark.parametrize("where", ["start", "moves", "play", "payoff"])
@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("leave", "SystemExit: 3"), ("interrupt", "KeyboardInterrupt: "), ("wild", "Wild: no exception of the usual")],
)
def test_whatever_a_game_raises_anywhere_is_a_failed_match(where, fault, sentence):
    game = f"{HERE / 'misbehaving.py'}(fault={fault}, where={where})"
    experiment = Experiment(question="?", game=game, agents={"one": "random", "two": "random"}, starts=3)
    results = play_numbers(experiment.as_text(), list(range(6))).results
    failed = [result for result in results if result.status == "failed"]
    assert len(failed) == (6 if where == "start" else 2)
    assert all(sentence in result.fault for result in failed)


LEAVING = """
import numpy as np
from kingmaker import OVER, Game

class Leaving(Game):
    State = np.dtype([("made", np.int64)])
    max_moves = 1

    def __init__(self, seats=2):
        self.seats = seats

    def start(self, state, rng):
        state.made = 0

    def mover(self, state):
        return state.made if state.made < self.seats else OVER

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def play(self, state, seat, move):
        state.made += 1
        if state.made == 2:
            raise SystemExit(3)

    def payoff(self, state, out):
        out[0] = 1.0
        out[1] = 0.0
"""


def test_what_machine_code_raises_is_a_failed_match_too(tmp_path):
    (tmp_path / "leaving.py").write_text(LEAVING)
    experiment = Experiment(question="?", game=str(tmp_path / "leaving.py"), agents={"one": "random", "two": "random"})
    assert [result.fault for result in play_numbers(experiment.as_text(), [0, 1]).results] == ["SystemExit: 3"] * 2


def test_an_agent_that_leaves_is_to_blame_with_its_seat(monkeypatch, small):
    def leave(*_):
        raise SystemExit(4)

    monkeypatch.setattr(Random, "decide", leave)
    (result,) = play_numbers(small.as_text(), [0]).results
    assert (result.status, result.culprit, result.fault) == ("failed", 2, "random() on seat 2 crashed: SystemExit: 4")


@pytest.mark.parametrize("fault", ["undefined", "infinite"])
def test_payoffs_that_are_no_finite_numbers_are_a_failed_match(tmp_path, written, fault):
    text = wild(fault)
    experiment = written(text.replace("moment=0.005", "where=payoff"))
    running = run_experiment(experiment, tmp_path / "s.db", workers=1)
    assert (running.done, running.failed) == (12, 2)
    with open_store(tmp_path / "s.db") as store:
        (fault,) = {fault for (fault,) in store.rows("fault") if fault}
        assert standings(store).finished == 10
    assert re.search(r"misbehaving\(.*\) pays (nan|-inf) \d\.0; payoffs must be finite numbers", fault)


def test_hands_that_add_up_to_more_than_a_number_holds_are_a_failed_match(monkeypatch):
    monkeypatch.setattr(Sticks, "payoff", lambda self, state, out: out.__setitem__(slice(0, 3), 1e308))
    game = "series(sticks, hands=2)"
    experiment = Experiment(question="?", game=game, agents=dict.fromkeys("abc", "random"), interpreted=True)
    (result,) = play_numbers(experiment.as_text(), [0]).results
    assert result.status == "failed"
    assert "pays inf inf inf; payoffs must be finite numbers" in result.fault


SPOILT = [
    ({"values": (0.0, math.nan, 1.0)}, "expects 0.0 nan 1.0; expected one finite number for each of 3 seats"),
    ({"values": (0.0, 1.0)}, "expects 0.0 1.0; expected one finite number for each of 3 seats"),
    (
        {"nodes": 10**30},
        "tells of 1000000000000000000000000000000 nodes, depth 0 and 0.0 s; expected numbers from 0 to",
    ),
    ({"nodes": math.nan}, "tells of nan nodes"),
    ({"seconds": math.inf}, "and inf s; expected"),
    ({"depth": -1}, "depth -1 and"),
    ({"move": 1.0}, "TypeError: 'float' object cannot be interpreted as an integer"),
    ({"move": "\ud800"}, "crashed: TypeError"),
]


@pytest.mark.parametrize(("change", "sentence"), SPOILT)
def test_a_decision_that_no_store_could_keep_is_the_fault_of_its_seat(tmp_path, monkeypatch, small, change, sentence):
    def decide(agent, game, state, rng=None, ask=None):
        return Decision(**({"move": 1, "values": None, "nodes": 0, "depth": 0, "seconds": 0.0} | change), **REST)

    monkeypatch.setattr(Random, "decide", decide)
    (result,) = play_numbers(small.as_text(), [0]).results
    assert (result.status, result.culprit) == ("failed", 2)
    assert sentence in result.fault
    with claim_store(tmp_path / "s.db", small, {}, {}) as store:
        store.add([result])


REST = {"moves": (), "line": (), "stopped": "no search"}


def test_numbers_of_numpy_and_words_beyond_unicode_can_be_stored(tmp_path, monkeypatch, written):
    def decide(agent, game, state, rng=None, ask=None):
        if state.left < 9:
            raise ValueError("\ud800" + "x" * 10_000)
        return Decision(
            np.int64(1), np.zeros(3, np.float32), nodes=np.uint8(2), depth=np.int16(3), seconds=np.float32(0.5), **REST
        )

    monkeypatch.setattr(Random, "decide", decide)
    experiment = written(SMALL.replace("seed = 7", "seed = 7\nvalues = true").replace("sticks=12", "sticks=9"))
    results = play_numbers(experiment.as_text(), [0, 4]).results
    assert {len(result.fault) < 3000 for result in results} == {True}
    with claim_store(tmp_path / "s.db", experiment, {}, {}) as store:
        store.add(results)
        assert store.count() == 2


def test_an_agent_gets_a_copy_of_the_state_and_cannot_change_the_match(monkeypatch):
    def cheat(agent, game, state, rng, ask):
        move = game.legal(state)[0]
        state.left, state.seat = 1, 0
        return Decision(move, None, nodes=0, depth=0, seconds=0.0, **REST)

    honest = play_match(Sticks(sticks=7), [First()] * 3)
    monkeypatch.setattr(First, "choose", cheat)
    assert (
        play_match(Sticks(sticks=7), [First()] * 3).turns
        == honest.turns
        == tuple(((turn % 3, 1),) for turn in range(7))
    )


@dataclass(frozen=True)
class First(Agent):
    """Plays the first move."""

    def choose(self, game, state, rng, ask):
        return Decision(game.legal(state)[0], None, nodes=0, depth=0, seconds=0.0, **REST)


class Deadly:
    """A pool whose workers are killed by somebody else after a script, one word for each task that is handed out.

    `wait`: nothing comes back yet; `play`: all that waits comes back played; else a worker dies and all that waits is
    lost. Then the word says what that worker was at: this task's first match, `begun` or getting `ready`; nothing,
    `idle`; or nobody knows, `unknown`.
    """

    width = 1  # two tasks are handed out at a time, a suspect alone

    def __init__(self, text, script):
        self.text, self.script, self.waiting, self.sent = text, list(script), [], []

    def submit(self, numbers, done):
        self.sent.append(numbers)
        self.waiting.append((numbers, done))
        event = self.script.pop(0) if self.script else "play"
        if event == "wait":
            return
        playing = (
            None
            if event == "unknown"
            else {numbers[0]: True}
            if event == "begun"
            else {numbers[0]: False}
            if event == "ready"
            else {}
        )
        for each, answer in self.waiting:
            answer(each, play_numbers(self.text, list(each)) if event == "play" else WorkerDied(playing))
        self.waiting.clear()

    def renew(self):
        pass

    abandon = check = close = renew


def coordinated(path, experiment, script):
    schedule = schedule_of(experiment.as_text())
    pool = Deadly(experiment.as_text(), script)
    with claim_store(path, experiment, {}, {}) as store:
        return Coordinator(schedule, store, pool).run(), pool


KILLED = [
    ["wait", "begun", *["idle"] * 15],  # the suspect is innocent: each time it is another worker that dies
    ["wait", "begun", "begun", "ready", "ready", "idle", "ready", "play"],
    ["wait", "idle", "wait", "idle", "wait", "begun", "play"],
    ["wait", "unknown", "begun", "begun", "play", "play"],  # two suspects, one death each
    ["wait", "begun", "play"] * 5,
]


@pytest.mark.parametrize("script", KILLED)
def test_matches_are_innocent_of_the_death_of_workers_that_were_not_at_them_alone(tmp_path, written, directly, script):
    experiment = written(SMALL.replace("[agents]", "[limits]\nattempts = 2\n[agents]"))
    running, _ = coordinated(tmp_path / "s.db", experiment, script)
    assert (running.done, running.failed) == (18, 0)
    assert stored(tmp_path / "s.db") == comparable(directly(experiment))


def test_nothing_is_under_way_beside_a_suspect_not_even_the_last(tmp_path, small):
    pool = Deadly(small.as_text(), ["wait", "begun", "wait"])
    with claim_store(tmp_path / "s.db", small, {}, {}) as store:
        coordinator = Coordinator(schedule_of(small.as_text()), store, pool)
        for _ in range(3):
            coordinator.hand_out()
            coordinator.take_in()
    assert pool.sent == [(0,), (1,), (1,)]


def test_a_match_that_kills_its_worker_when_alone_is_given_up(tmp_path, written):
    experiment = written(SMALL.replace("[agents]", "[limits]\nattempts = 2\n[agents]"))
    running, _ = coordinated(tmp_path / "s.db", experiment, ["wait", "begun", "begun", "begun"])
    assert running.failed == 1
    running, _ = coordinated(tmp_path / "t.db", experiment, ["wait", *["ready"] * (MOST_DEATHS + 1)])
    assert running.failed == 1
    with open_store(tmp_path / "t.db") as store:
        assert (
            store.connection.execute("SELECT max(fault) FROM matches").fetchone()[0]
            == f"its worker died in each of {MOST_DEATHS} attempts to make it ready"
        )


def test_workers_that_never_begin_anything_end_the_run(tmp_path, small):
    with pytest.raises(
        Unreachable, match="workers end before they have played anything, 50 times in a row; is there enough memory"
    ):
        coordinated(tmp_path / "s.db", small, ["idle"] * 999)


def test_failed_matches_are_played_again_when_asked_for(tmp_path, written):
    experiment = written(wild("crash"))
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
            with pytest.raises(
                StoreFault, match=r"the worker \S+ runs other code than the coordinator; install the same on both"
            ):
                coordinator.run()
        finally:
            pool.close()


def test_fewer_workers_than_one_are_refused(tmp_path, small):
    with pytest.raises(BadParameter, match="expected at least 1 worker, got -1"):
        run_experiment(small, tmp_path / "s.db", workers=-1)
