"""Openings: random moves before a match, the same for all seatings of a start."""

import json
import sqlite3

import pytest

from kingmaker import load_game
from kingmaker.arena.experiment.declaration import experiment_from
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import StoreFault, open_store
from kingmaker.arena.results.transcripts import replayed, stored_records
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import play_numbers, start_state
from kingmaker.arena.table.opening import opened
from kingmaker.core.errors import BadParameter
from kingmaker.core.game import OVER
from tests.arena.conftest import SMALL
from tests.samples import BIKES, DICE, STICKS

SETTLED = SMALL.replace('greedy = "greedy"', 'other = "paranoid(depth=2)"').replace(
    'random = "random"', 'third = "maxn(depth=1)"'
)


@pytest.mark.parametrize("game", [STICKS, BIKES, DICE], ids=str)
def test_an_opening_follows_from_its_seed_and_never_ends_the_match(game):
    start = game.new(3)
    before = game.notation(start)
    seen = {game.notation(opened(game, start, 2, seed)) for seed in range(12)}
    assert game.notation(start) == before
    assert len(seen) > 1
    assert {game.notation(opened(game, start, 2, seed)) for seed in range(12)} == seen
    assert all(game.mover(opened(game, start, 2, seed)) != OVER for seed in range(12))


def test_so_many_moves_are_played_and_all_at_once_is_one():
    game = load_game("sticks(seats=3, sticks=100)")
    assert opened(game, game.new(), 7, 1).seat == 7 % 3
    bikes = load_game("light_bike(seats=3, width=9, height=9, starts=distinct)")
    state = bikes.new(1)
    once = opened(bikes, state, 1, 5)
    assert bikes.notation(once) != bikes.notation(state)
    assert bikes.mover(once) == bikes.mover(state)


def test_a_match_that_no_opening_leaves_open_is_told():
    with pytest.raises(
        BadParameter,
        match=r"each of 100 openings of 9 random moves ended a match of sticks.*; ask for a shorter opening",
    ):
        opened(STICKS, STICKS.new(), 9, 1)


@pytest.mark.parametrize(
    "starts", ["starts = 4", 'starts = ["left=11 seat=0 winner=0", "left=12 seat=1 winner=0"]\nrepeats = 2']
)
def test_all_seatings_settings_and_repeats_of_a_start_have_one_opening(written, starts):
    schedule = schedule_of(written(SETTLED.replace("starts = 3", f"{starts}\nopening = 3")).as_text())
    game = schedule.variants[0].game
    found = {}
    for number in range(len(schedule)):
        task = schedule.task(number)
        found.setdefault(task.start, set()).add(game.notation(start_state(schedule, task, game)))
    assert all(len(texts) == 1 for texts in found.values())
    assert len(set.union(*found.values())) > 1


def test_matches_after_an_opening_are_stored_replayed_and_counted_by_start(tmp_path, written):
    experiment = written(SETTLED.replace("starts = 3", "starts = 12\nopening = 3"))
    run_experiment(experiment, tmp_path / "s.db", workers=1)
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
        records = list(stored_records(store))
    starts = {record.start for record in records}
    assert all(list(replayed(record)) for record in records)
    assert 2 < len(starts) <= 12
    assert "left=12" not in " ".join(starts)
    assert (found.blocks, found.different, found.method) == (len(starts), 6 * len(starts), "over starts")
    assert experiment_from(experiment.as_text()).opening == 3


def test_an_experiment_of_copies_says_so_in_every_table(tmp_path, written, capsys):
    from kingmaker.arena.results.live import Running
    from kingmaker.arena.results.report import page
    from kingmaker.cli.run import live_table, run
    from kingmaker.cli.status import status

    experiment = written(SETTLED.replace("starts = 3", "starts = 20"))
    line = "120 matches are 6 different ones: the agents are deterministic and there is one start; "
    line += "use opening = 4, or a game with random starts"
    assert run(tmp_path / "small.toml", workers=1) == 0
    capsys.readouterr()
    status(tmp_path / "small.db")
    assert line in " ".join(capsys.readouterr().out.split())
    status(tmp_path / "small.db", json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["missing"], told["finished"], told["different"], told["blocks"]) == (line, 120, 6, 1)
    assert all(row["share_interval"] == [0.0, 1.0] and row["elo_error"] is None for row in told["table"])
    assert all(pair["chance"] == 1.0 for pair in told["pairs"])
    with open_store(tmp_path / "small.db") as store:
        assert line in page(store, standings(store), [])
    running = Running(schedule_of(experiment.as_text()))
    for result in play_numbers(experiment.as_text(), list(range(120))).results:
        running.add(result)
    assert line in str(live_table(running).caption)


POSITIONS = (
    'starts = ["left=11 seat=0 winner=0", "left=12 seat=1 winner=0", '
    '"left=10 seat=0 winner=0", "left=9 seat=2 winner=0"]'
)


def test_repeats_of_listed_positions_change_no_number(tmp_path, written):
    found = []
    for repeats in (1, 5):
        run_experiment(
            written(SETTLED.replace("starts = 3", f"{POSITIONS}\nrepeats = {repeats}")),
            tmp_path / f"{repeats}.db",
            workers=1,
        )
        with open_store(tmp_path / f"{repeats}.db") as store:
            found.append(standings(store))
    once, often = found
    assert (once.finished, often.finished, often.different, often.blocks) == (24, 120, 24, 4)
    names = ("games", "share", "share_interval", "win_interval", "elo", "elo_error", "elo_bound")
    assert [[getattr(row, name) for name in names] for row in often.table] == [
        [getattr(row, name) for name in names] for row in once.table
    ]
    assert often.pairs == once.pairs
    assert once.missing == ""
    assert "there are 4 starts; use opening = 4, or more starts" in often.missing


def made_old(path):
    """A store as version 1 was."""
    with sqlite3.connect(path) as connection:
        for change in (
            "ALTER TABLE matches DROP COLUMN line",
            "ALTER TABLE records DROP COLUMN ends",
            "DROP TABLE starts",
        ):
            connection.execute(change)
        connection.execute("DELETE FROM meta WHERE key = 'setups'")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


def test_a_store_of_version_1_is_counted_by_the_same_rule_and_its_repeats_are_not_mixed_with_ours(tmp_path, written):
    experiment = written(SETTLED.replace("starts = 3", POSITIONS))
    run_experiment(experiment, tmp_path / "s.db", workers=1)
    with open_store(tmp_path / "s.db") as store:
        today = standings(store)
    made_old(tmp_path / "s.db")
    with open_store(tmp_path / "s.db") as store:
        assert standings(store) == today
    assert run_experiment(experiment, tmp_path / "s.db", workers=1).new == 0  # brings it up to date
    with open_store(tmp_path / "s.db") as store:
        assert standings(store) == today
    again = written(SETTLED.replace("starts = 3", "starts = 2\nrepeats = 2"))
    run_experiment(again, tmp_path / "r.db", workers=1)
    with sqlite3.connect(tmp_path / "r.db") as connection:
        connection.execute("UPDATE meta SET value = 'as it was' WHERE key = 'identity'")
    connection.close()
    with pytest.raises(StoreFault, match="holds another experiment: its repeats play other starts"):
        run_experiment(again, tmp_path / "r.db", workers=1)
