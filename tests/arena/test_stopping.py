"""An experiment with a sequential test ends at the same block, whoever played it."""

import numpy as np
import pytest

from kingmaker.arena.experiment import Stop
from kingmaker.arena.play import play_numbers
from kingmaker.arena.schedule import schedule_of
from kingmaker.arena.session import run_experiment
from kingmaker.arena.standings import standings
from kingmaker.arena.stopping import Stopping
from kingmaker.arena.store import claim_store, open_store
from tests.arena.conftest import SMALL
from tests.arena.test_runner import rows

RULE = Stop(agent="a", null=0.3333, alternative=0.5)
STOPS = SMALL.replace("starts = 3", "starts = 400") + "[stop]\nagent = 'random'\nnull = 0.3333\nalternative = 0.15\n"


def blocks_of(scores):
    """Blocks of four games in which the first of three agents reached such shares."""
    return [(i, np.array([4 * score, 2.0, 2.0]), np.array([4.0, 4.0, 4.0])) for i, score in enumerate(scores)]


def after(blocks):
    stopping = Stopping(RULE, 0, 3)
    for block in blocks:
        stopping.add(*block)
    return stopping


@pytest.mark.parametrize(("mean", "answer"), [(0.33, "null"), (0.5, "alternative")])
def test_the_block_that_decides_does_not_depend_on_the_order_in_which_blocks_come(mean, answer):
    rng = np.random.default_rng(3)
    blocks = blocks_of(np.clip(rng.normal(mean, 0.25, 400), 0, 1))
    in_order = after(blocks)
    assert in_order.verdict.answer == answer
    assert RULE.least <= in_order.next < 400
    for _ in range(20):
        near = np.argsort(np.arange(400) + rng.uniform(0, 30, 400))
        shuffled = after([blocks[i] for i in near])
        assert (shuffled.next, shuffled.verdict) == (in_order.next, in_order.verdict)


def test_blocks_without_the_agent_count_for_nothing():
    rng = np.random.default_rng(4)
    blocks = blocks_of(rng.uniform(0, 0.7, 60))
    gaps = [(2 * i, scores, games) for i, scores, games in blocks]
    gaps += [(2 * i + 1, np.zeros(3), np.array([0.0, 4.0, 4.0])) for i in range(60)]
    assert after(gaps).verdict == after(blocks).verdict


def test_before_the_least_number_of_blocks_nothing_is_decided():
    blocks = blocks_of([0.9, 0.95] * 20)
    assert not after(blocks[: RULE.least - 1]).decided
    assert after(blocks).blocks == RULE.least


def test_one_worker_two_workers_and_an_interrupted_run_end_with_the_same_rows(tmp_path, written):
    experiment = written(STOPS)
    text = experiment.as_text()
    first = run_experiment(experiment, tmp_path / "1.db", workers=1)
    assert first.decided
    assert first.done < first.total
    assert run_experiment(experiment, tmp_path / "2.db", workers=2).done == first.done
    with claim_store(tmp_path / "3.db", experiment, {}, {}) as store:  # a coordinator that died when it had played beyond the end
        store.add(play_numbers(text, [0, 1, 5, *range(first.done, first.done + 9)]).results)
    again = run_experiment(experiment, tmp_path / "3.db", workers=1, accept_changes=True)
    assert again.decided
    assert again.done == first.done
    assert rows(tmp_path / "1.db") == rows(tmp_path / "2.db")
    assert [row[:-1] for row in rows(tmp_path / "3.db")[0]] == [row[:-1] for row in rows(tmp_path / "1.db")[0]]
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
        "sequential test of random, share 0.3333 or 0.15: open after 2 blocks (log likelihood ratio +0.00, bounds -2.94"
    )
    assert found.test.endswith("whenever one stops")
