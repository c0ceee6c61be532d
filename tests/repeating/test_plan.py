"""How the minutes of a run are used."""

import math
from types import SimpleNamespace

import msgspec
import pytest

from kingmaker.repeating import pace, plan
from kingmaker.repeating.paper import papers, parts_named
from kingmaker.repeating.verdicts import OPEN, Judged
from tests.toy_papers import PAPER, put_up


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with one small paper, instead of the real ones."""
    yield put_up(tmp_path / "toys", monkeypatch)
    papers.cache_clear()


@pytest.fixture
def clock(toys, monkeypatch):
    """Three tables on a clock that only matches move: what is asked for, and how many starts each has."""
    more = "".join(f'\n[tables.{name}]\ntitle = "{name}"\nlike = "one"\n' for name in ("two", "three"))
    (toys / "sticks" / "paper.toml").write_text(PAPER + more)
    papers.cache_clear()
    now, asked, stored = [0.0], [], {"one": 2, "two": 2, "three": 2}
    monkeypatch.setattr(plan, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 1.0)  # six to a block
    monkeypatch.setattr(plan, "blocks_stored", lambda part, folder: stored[part.name])

    def play(part, folder, starts, *_):
        asked.append((part.name, starts))
        now[0] += 6.0 * (starts - stored[part.name])
        stored[part.name] = starts

    monkeypatch.setattr(plan, "play_starts", play)
    return asked, stored


def test_time_goes_where_a_claim_is_decided_soonest_and_is_looked_at_when_blocks_have_doubled(
    clock, tmp_path, monkeypatch
):
    asked, stored = clock
    needs = {"one": 10, "two": 4, "three": 38}  # starts at which the last claim of each is decided

    def soonest(part, *_):
        return 6.0 * (needs[part.name] - stored[part.name]) or math.inf

    monkeypatch.setattr(plan, "soonest", soonest)
    monkeypatch.setattr(plan, "shares", lambda parts, folder: [0.0 for _ in parts])  # nothing else is wanted
    plan.go_on(parts_named("sticks"), tmp_path, 150.0, 1, {}, print)
    # "two" is soonest, but another reading; of "three", 216 seconds away, nothing can be decided
    assert asked == [("one", 4), ("one", 8), ("one", 10), ("two", 4)]


def test_where_nothing_will_be_decided_half_of_the_time_is_shared_out_and_then_it_is_asked_again(
    clock, tmp_path, monkeypatch
):
    asked, stored = clock

    def soonest(part, *_):
        return 12.0 if part.name == "one" and 4 < stored["one"] < 20 else math.inf

    monkeypatch.setattr(plan, "soonest", soonest)
    monkeypatch.setattr(plan, "shares", lambda parts, folder: [0.5, 0.25, 0.25])
    plan.go_on(parts_named("sticks"), tmp_path, 300.0, 1, {}, print)
    shared, later = asked[:3], asked[3:]
    assert dict(shared) == {"one": 14, "two": 8, "three": 9}
    assert later[0] == ("one", 16)


def test_a_table_that_does_not_come_on_is_left_alone(clock, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(plan, "play_starts", lambda part, folder, starts, *_: asked.append(part.name))
    monkeypatch.setattr(plan, "soonest", lambda part, *_: 5.0)
    monkeypatch.setattr(plan, "share_out", lambda *_: None)
    plan.go_on(parts_named("sticks"), tmp_path, 100.0, 1, {}, print)
    assert asked == ["one", "two", "three"]


def test_what_a_match_took_corrects_what_was_measured_before(toys, tmp_path):
    part = parts_named("sticks/one")[0]
    pace.remember_rate(part, 1000.0, tmp_path)
    plan.play_starts(part, tmp_path, 8, 1, {}, lambda *_: None)
    assert 0 < pace.seconds_a_match(part, tmp_path) < 1000


def test_a_few_matches_correct_nothing():
    watch = plan.Watch(None, 100, None)
    for new in (1, 4):
        watch(SimpleNamespace(new=new, done=new))
    assert watch.a_match(1) is None
    watch(SimpleNamespace(new=5, done=5))
    assert watch.a_match(1) is not None
    assert watch.a_match(2) is None


def test_another_reading_whose_first_blocks_take_long_comes_last_and_gets_one(clock, tmp_path, monkeypatch):
    """Two blocks take twelve seconds, of the third table thirty; of 100 seconds that is too much."""
    asked, stored = clock
    stored.update(one=0, two=0, three=0)
    monkeypatch.setattr(plan, "LARGE", 0.2)
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 2.5 if part.name == "three" else 1.0)
    monkeypatch.setattr(plan, "go_on", lambda parts, *_: asked.append(("on", [part.name for part in parts])))
    plan.repeat(parts_named("sticks"), tmp_path, minutes=100 / 60, workers=1, options={}, told=print)
    assert asked == [("one", 2), ("two", 2), ("on", ["one", "two"]), ("three", 1)]


def test_the_sources_own_table_gets_its_long_block_before_other_readings_are_begun_and_is_played_on(
    clock, tmp_path, monkeypatch
):
    """What its source claims may be as large as printed, which nobody knows before its first block."""
    asked, stored = clock
    stored.update(one=0, two=0, three=0)
    monkeypatch.setattr(plan, "LARGE", 0.2)
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 2.5 if part.name == "one" else 1.0)
    monkeypatch.setattr(plan, "go_on", lambda parts, *_: asked.append(("on", [part.name for part in parts])))
    plan.repeat(parts_named("sticks"), tmp_path, minutes=100 / 60, workers=1, options={}, told=print)
    assert asked == [("one", 1), ("two", 2), ("three", 2), ("on", ["one", "two", "three"])]


def test_claims_whose_effect_is_as_large_as_printed_come_first_until_they_are_decided_or_it_is_smaller(
    clock, tmp_path, monkeypatch
):
    """The third table has one; it goes on although it is not expected to be decided in time, till the effect shrinks
    at eight starts. Then the first table is soonest.
    """
    asked, stored = clock

    def as_printed(part, *_):
        return 600.0 if part.name == "three" and stored["three"] < 8 else math.inf

    def soonest(part, *_):
        return 6.0 * (4 - stored["one"]) or math.inf if part.name == "one" else math.inf

    monkeypatch.setattr(plan, "as_printed", as_printed)
    monkeypatch.setattr(plan, "soonest", soonest)
    left = plan.decide(parts_named("sticks"), tmp_path, 100.0, 1, {}, print)
    assert asked == [("three", 4), ("three", 8), ("one", 4)]
    assert left == 100 - 6 * 8


def test_such_a_claim_is_found_by_its_numbers_and_only_while_starts_are_left(toys, tmp_path, monkeypatch):
    part = parts_named("sticks/one")[0]
    assert math.isinf(plan.as_printed(part, tmp_path, 1))  # nothing was played
    plan.play_starts(part, tmp_path, 4, 1, {}, lambda *_: None)
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 1.0)
    assert math.isinf(plan.as_printed(part, tmp_path, 1))  # the paper prints no clear differences
    monkeypatch.setattr(plan, "as_large_as_printed", lambda *_: True)
    monkeypatch.setattr(plan, "judge_claims", lambda part, _found: [Judged(each, OPEN) for each in part.table.claims])
    per_block = pace.per_block(part)
    monkeypatch.setattr(plan, "missing", lambda *_: 3.0)
    assert plan.played(part, tmp_path).blocks == 3  # of four starts, for two are the same
    assert plan.as_printed(part, tmp_path, 1) == 4 * per_block
    monkeypatch.setattr(plan, "missing", lambda *_: math.inf)
    assert plan.as_printed(part, tmp_path, 1) == (part.starts - 4) * per_block
    monkeypatch.setattr(part, "experiment", msgspec.structs.replace(part.experiment, starts=4))
    assert math.isinf(plan.as_printed(part, tmp_path, 1))


def test_what_the_source_claims_is_decided_before_other_readings_are_begun(clock, tmp_path, monkeypatch):
    asked, stored = clock
    stored.update(one=0, two=0, three=0)
    needs = {"one": 10, "two": 60, "three": 60}
    monkeypatch.setattr(plan, "LARGE", 0.05)

    def soonest(part, *_):
        return 6.0 * (needs[part.name] - stored[part.name]) or math.inf

    monkeypatch.setattr(plan, "soonest", soonest)
    monkeypatch.setattr(plan, "shares", lambda parts, folder: [0.0 for _ in parts])
    plan.repeat(parts_named("sticks"), tmp_path, minutes=5, workers=1, options={}, told=print)
    assert asked == [("one", 2), ("one", 4), ("one", 8), ("one", 10), ("two", 2), ("three", 2)]
