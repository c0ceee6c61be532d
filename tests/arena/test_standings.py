"""The answer of an experiment, from rows with a known truth."""

import gc
import tracemalloc
from dataclasses import fields

import numpy as np
import pytest
from bench.arena import AtOnce

from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.result import Result
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import claim_store, open_store
from kingmaker.arena.results.tally import Row, Tally
from kingmaker.arena.running.coordinator import Coordinator
from tests.arena.conftest import SMALL

SWEPT = SMALL.replace("maxn(depth=3)", "maxn(depth={d})").replace("starts = 3", "starts = 40") + "[sweep]\nd = [1, 2]\n"
STRENGTH = (0.6, 0.3, 0.1)  # chances of the three agents to win


def results(experiment, fails=()):
    """Matches whose winner is drawn with known chances; the second setting halves the first agent's."""
    schedule = schedule_of(experiment.as_text())
    rng = np.random.default_rng(1)
    for number in range(len(schedule)):
        task = schedule.task(number)
        common = {
            "number": number,
            "variant": task.variant,
            "block": task.block,
            "seating": task.seating,
            "seed": task.seed,
        }
        if number in fails:
            yield Result(**common, status="failed", fault="x", culprit=task.seating.index(2))
            continue
        winner = rng.choice(3, p=STRENGTH)
        payoffs = tuple(float(agent == winner) for agent in task.seating)
        yield Result(
            **common,
            status="finished",
            payoffs=payoffs,
            moves=(2, 2, 2),
            nodes=tuple(10 * agent for agent in task.seating),
            depths=(6, 6, 6),
        )


def filled(path, experiment, fails=()):
    with claim_store(path, experiment, {}, {}) as store:
        store.add(results(experiment, fails))


def test_shares_ratings_and_efforts_are_those_of_the_rows(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT), fails=(5, 6))
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    assert (found.matches, found.total, found.failed, found.finished) == (480, 480, 2, 478)
    assert found.method == "over rounds from one start"
    assert [row.agent for row in found.table] == ["ahead", "greedy", "random"] * 2
    for row, truth in zip(found.table, STRENGTH * 2, strict=True):
        assert row.share_interval[0] - 0.03 <= truth <= row.share_interval[1] + 0.03
        assert row.share == row.win_rate == row.ties_rate == pytest.approx(row.wins / row.games)
        assert row.depth == 3.0
    assert [row.nodes for row in found.table[:3]] == [0.0, 5.0, 10.0]
    assert sum(row.victory_points for row in found.table[:3]) == pytest.approx(1)
    assert sum(row.faults for row in found.table) == 2
    assert found.table[0].elo > found.table[1].elo > found.table[2].elo


def test_pairs_are_compared_by_block_and_seats_are_even(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    pair = found.pairs[0]
    assert (pair.first, pair.second, pair.matches) == ("ahead", "greedy", 240)
    assert pair.ahead > 0.6
    assert pair.chance < 0.01
    assert pair.blocks_for_five > 40
    assert all(seat["chance"] > 0.001 for seat in found.seats)


def test_expectations_are_judged_by_the_interval(tmp_path, written):
    text = SWEPT + "".join(
        f"[[expect]]\nagent = '{agent}'\n{what}\n"
        for agent, what in (
            ("ahead", "above = 0.4"),
            ("ahead", "below = 0.4"),
            ("ahead", "printed = 0.6\nmeasure = 'wins'"),
            ("ahead", "printed = 0.1"),
            ("random", "ahead_of = 'ahead'"),
            ("greedy", "above = 0.3\nwhere = {d = 2}"),
        )
    )
    filled(tmp_path / "s.db", written(text))
    with open_store(tmp_path / "s.db") as store:
        verdicts = [row.verdict for row in standings(store).judgements]
    assert verdicts == ["yes", "yes", "no", "no", "yes", "yes", "no", "no", "no", "no", "open"]


def test_an_empty_store_has_standings_too(tmp_path, written):
    with claim_store(tmp_path / "s.db", written(), {}, {}):
        pass
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    assert (found.matches, found.total) == (0, 18)
    assert found.table[0].share_interval == (0.0, 1.0)


def test_the_live_table_status_and_match_have_the_same_numbers(tmp_path, written):
    experiment = written(SWEPT)
    filled(tmp_path / "s.db", experiment)
    played = list(results(experiment))
    running, tally = Running(schedule_of(experiment.as_text())), Tally(3, 3, 2)
    for r in np.random.default_rng(3).permutation(len(played)):
        running.add(played[r])
    for r in played:
        if r.variant == 0:
            tally.add((r.seating, r.payoffs), start=0, round=r.block, line=r.line)
            tally.spend((r.seating, r.payoffs), zip(r.moves, r.nodes, r.depths, strict=True))
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    names = [field.name for field in fields(Row)]
    shown = [[getattr(row, name) for name in names] for row in found.table]
    assert [[getattr(row, name) for name in names] for at in (0, 1) for row in running.rows(at)] == shown
    assert [[getattr(row, name) for name in names] for row in tally.table().rows(tally.table().ratings())] == shown[:3]
    assert not running.open


def test_the_memory_of_the_coordinator_does_not_grow_with_the_number_of_matches(tmp_path, written, monkeypatch):
    """Only memory that lines of ours asked for is counted, because threads of earlier tests may ask for some, too."""
    monkeypatch.setattr("kingmaker.arena.results.tally.BLOCKS", 256)  # blocks that are told apart are soon all there
    experiment = written(
        SMALL.replace("starts = 3", "starts = 1000")
        + "[stop]\nagent = 'random'\nnull = 0.1\nalternative = 0.9\nleast = 9999\n"
    )
    schedule = schedule_of(experiment.as_text())
    seen = {}

    def watch(running):
        if running.done >= 1_000 and not tracemalloc.is_tracing():  # before that is nothing that could grow
            tracemalloc.start()
        if running.done // 1_000 not in seen and tracemalloc.is_tracing():
            gc.collect()
            ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/kingmaker/*")])
            seen[running.done // 1_000] = (running.done, sum(trace.size for trace in ours.traces))

    with claim_store(tmp_path / "s.db", experiment, {}, {}) as store:
        try:
            assert Coordinator(schedule, store, AtOnce(schedule), watch).run().done == 6_000
        finally:
            tracemalloc.stop()
    (first, before), (last, after) = seen[2], seen[5]
    assert (after - before) / (last - first) < 8  # bytes a match
