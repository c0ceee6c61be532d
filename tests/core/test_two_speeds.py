"""Code that is made quickly at first, and for full speed once that pays."""

import time
from functools import partial

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.compiling.two_speeds import PATIENCE, TwoSpeeds
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import stream

GAME = load_game("sticks(seats=3, sticks=13)")  # which no other test compiles


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path))


@kernel
def halved(numbers):
    """Half of the sum of numbers, the smallest of which counts twice."""
    total, least = 0.0, np.inf
    for number in numbers:
        total += number
        least = min(least, number)
    return (total + least) / 2.0


class Told:
    """Stands for an entry: code that takes so long, and what was asked of it."""

    def __init__(self, kept=False, takes=0.0):
        self.kept, self.takes, self.made = kept, takes, []

    def is_kept(self, wanted):
        return self.kept

    def code(self, wanted, quick=False):
        self.made.append("quick" if quick else "full")
        return partial(time.sleep, self.takes) if quick else lambda: None


def test_both_speeds_compute_the_same():
    numbers = np.random.default_rng(3).normal(size=1000)
    quick, full = halved.compiled.two_speeds(numbers, full=False), halved.compiled.two_speeds(numbers, full=True)
    assert (quick.full, full.full) == (False, True)
    assert quick.code is not full.code
    for some in (numbers, numbers[:1], numbers[::-1].copy()):
        assert quick.code(some) == full.code(some) == halved(some)


def test_quick_code_is_used_until_it_has_run_for_long():
    entry = Told(takes=0.01)
    run = TwoSpeeds(entry, None, full=False)
    for _ in range(3):
        run()
    assert entry.made == ["quick"]
    assert run.spent >= 0.03
    run.spent = PATIENCE + 0.01
    run()
    assert entry.made == ["quick", "full"]
    run()
    assert entry.made == ["quick", "full"]


@pytest.mark.parametrize(("seconds", "made"), [(0.5, ["quick"]), (PATIENCE + 0.1, ["quick", "full"])])
def test_a_long_call_that_is_expected_gets_full_speed_before_it_begins(seconds, made):
    entry = Told()
    run = TwoSpeeds(entry, None, full=False)
    run.expect(seconds)
    assert entry.made == made


def test_full_speed_is_used_at_once_if_it_is_wanted_or_was_made_before():
    for entry, full in ((Told(kept=True), False), (Told(), True)):
        run = TwoSpeeds(entry, None, full)
        run.expect(10 * PATIENCE)
        run()
        assert entry.made == ["full"]


def test_what_is_made_while_a_search_waits_is_known():
    class Slow(Told):
        def code(self, wanted, quick=False):
            time.sleep(0 if quick else 0.05)
            return super().code(wanted, quick)

    run = TwoSpeeds(Slow(), None, full=False)
    run.expect(2 * PATIENCE)
    assert run.making >= 0.05


def run_of(text):
    return load_agent(text).ready(GAME).run


def test_a_search_that_is_counted_begins_with_quick_code_and_finds_the_same_at_full_speed():
    agent = load_agent("paranoid(depth=5, order=history)")
    found = agent.decide(GAME, GAME.new(1))
    assert not run_of(str(agent)).full
    agent.prepare(GAME)
    assert run_of(str(agent)).full
    assert agent.decide(GAME, GAME.new(1)).moves == found.moves


def test_a_search_under_a_clock_has_full_speed_at_once():
    load_agent("paranoid(depth=4, seconds=1)").decide(GAME, GAME.new(1))
    assert run_of("paranoid(depth=4, seconds=1)").full


def test_a_search_that_grows_long_changes_between_two_iterations(monkeypatch):
    """Each iteration is expected to take as many times the last one's time as there are moves."""
    game = load_game("sticks(seats=2, sticks=30)")
    agent = load_agent("maxn(depth=9)")
    ready, asked = agent.ready(game), []
    ready.warm(ready.workspace(game.new(1), stream(0, "agent")))
    monkeypatch.setattr(TwoSpeeds, "expect", lambda run, seconds: asked.append(seconds))
    agent.decide(game, game.new(1))
    assert len(asked) == 9
    assert asked[0] == 0
    assert all(seconds > 0 for seconds in asked[1:])
