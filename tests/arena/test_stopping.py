"""An experiment with a sequential test ends at the same block, whoever played it."""

import numpy as np
import pytest

from kingmaker.arena.experiment.declaration import Stop
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.stopping import Round, Stopping
from kingmaker.arena.results.store import claim_store, open_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import play_numbers
from tests.arena.conftest import SMALL
from tests.arena.test_coordinator import rows

RULE = Stop(agent="a", null=0.3333, alternative=0.5)
STOPS = SMALL.replace("starts = 3", "starts = 400") + "[stop]\nagent = 'random'\nnull = 0.3333\nalternative = 0.15\n"


def rounds_of(scores, starts=None):
    """Rounds of four games in which the agent reached such shares, each from a start of its own or from those given."""
    starts = range(len(scores)) if starts is None else starts
    return [
        (i, Round(0, 4 * score, 4, start, {(0, 1, 2): i}))
        for i, (score, start) in enumerate(zip(scores, starts, strict=True))
    ]


def after(rounds):
    stopping = Stopping(RULE, 0, 3)
    for each in rounds:
        stopping.add(*each)
    return stopping


@pytest.mark.parametrize(("mean", "answer"), [(0.33, "null"), (0.5, "alternative")])
def test_the_block_that_decides_does_not_depend_on_the_order_in_which_blocks_come(mean, answer):
    rng = np.random.default_rng(3)
    blocks = rounds_of(np.clip(rng.normal(mean, 0.25, 400), 0, 1))
    in_order = after(blocks)
    assert in_order.verdict.answer == answer
    assert RULE.least <= in_order.next < 400
    for _ in range(20):
        near = np.argsort(np.arange(400) + rng.uniform(0, 30, 400))
        shuffled = after([blocks[i] for i in near])
        assert (shuffled.next, shuffled.verdict) == (in_order.next, in_order.verdict)


def test_rounds_without_the_agent_count_for_nothing():
    rng = np.random.default_rng(4)
    rounds = rounds_of(rng.uniform(0, 0.7, 60))
    gaps = [(2 * i, each) for i, each in rounds] + [(2 * i + 1, Round(0, 0.0, 0, -i)) for i in range(60)]
    assert after(gaps).verdict == after(rounds).verdict


def test_rounds_of_one_start_are_one_block():
    scores = np.random.default_rng(5).uniform(0, 0.9, 30)
    once = after(rounds_of(scores))
    twice = after(rounds_of(np.repeat(scores, 2), np.repeat(np.arange(30), 2)))
    assert (twice.blocks, twice.total, twice.squares) == (30, pytest.approx(once.total), pytest.approx(once.squares))


def test_rounds_of_the_only_start_count_if_luck_is_at_work_and_once_if_they_are_copies():
    scores = np.random.default_rng(5).uniform(0, 0.9, 30)
    lucky = after(rounds_of(scores, [7] * 30))
    assert (lucky.blocks, lucky.total) == (30, pytest.approx(sum(scores)))
    copies = [(i, Round(0, 3.0, 4, 7, {(0, 1, 2): "alike"})) for i in range(30)]
    assert after(copies).blocks == 1
    late = after([*copies, (30, Round(0, 1.0, 4, 7, {(0, 1, 2): "otherwise"}))])
    assert (late.blocks, late.total) == (31, pytest.approx(30 * 0.75 + 0.25))
    several = after([*copies, (30, Round(0, 1.0, 4, 8, {(0, 1, 2): "elsewhere"}))])
    assert (several.blocks, several.total) == (2, pytest.approx(0.75 + 0.25))


def test_before_the_least_number_of_blocks_nothing_is_decided():
    blocks = rounds_of([0.9, 0.95] * 20)
    assert not after(blocks[: RULE.least - 1]).decided
    assert after(blocks).blocks == RULE.least


def test_one_worker_two_workers_and_an_interrupted_run_end_with_the_same_rows(tmp_path, written):
    experiment = written(STOPS)
    text = experiment.as_text()
    first = run_experiment(experiment, tmp_path / "1.db", workers=1)
    assert first.decided
    assert first.done < first.total
    assert run_experiment(experiment, tmp_path / "2.db", workers=2).done == first.done
    with claim_store(
        tmp_path / "3.db", experiment, {}, {}
    ) as store:  # a coordinator that died when it had played beyond the end
        store.add(play_numbers(text, [0, 1, 5, *range(first.done, first.done + 9)]).results)
    again = run_experiment(experiment, tmp_path / "3.db", workers=1, accept_changes=True)
    assert again.decided
    assert again.done == first.done
    assert rows(tmp_path / "1.db") == rows(tmp_path / "2.db")
    first_rows, third_rows = (
        [(*row[:-2], row[-1]) for row in rows(tmp_path / name)[0]] for name in ("1.db", "3.db")
    )  # without the code
    assert first_rows == third_rows
    assert run_experiment(experiment, tmp_path / "2.db", workers=1).new == 0


def test_the_standings_tell_where_the_test_stands(tmp_path, written):
    experiment = written(STOPS)
    schedule = schedule_of(experiment.as_text())
    with claim_store(tmp_path / "s.db", experiment, {}, {}) as store:
        store.add(play_numbers(experiment.as_text(), list(range(2 * schedule.per_block))).results)
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    assert not found.decided
    assert found.test.startswith(
        "sequential test of random, share 0.3333 or 0.15: open after 2 blocks (log likelihood ratio +0.00, bounds -3.18"
    )
    assert found.test.endswith("valid at any time of stopping")
