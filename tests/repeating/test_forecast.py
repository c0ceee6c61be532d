"""How many blocks are missing until a claim would be decided."""

import math

import msgspec
import numpy as np
import pytest

from kingmaker.repeating import forecast, plan
from kingmaker.repeating.forecast import (
    PRINTED,
    Difference,
    believed,
    clear,
    enough,
    missing,
    more_blocks,
    next_verdict,
    printed_difference,
)
from kingmaker.repeating.paper import papers, parts_named
from kingmaker.repeating.verdicts import OPEN, judge_claims
from kingmaker.stats.blocks import paired
from kingmaker.stats.sequential import look_level
from tests.toy_papers import put_up


@pytest.fixture
def part(tmp_path, monkeypatch):
    """The table of a small paper, instead of the real ones."""
    put_up(tmp_path / "toys", monkeypatch)
    yield parts_named("sticks")[0]
    papers.cache_clear()


def played(part, folder, starts):
    plan.play_starts(part, folder, starts, 1, {}, lambda *_: lambda running: None)
    return plan.played(part, folder)


@pytest.mark.parametrize("spread", [0.0, 0.1, 0.7])
@pytest.mark.parametrize("size", [0.02, -0.3, 0.5])
def test_a_difference_is_clear_when_the_test_of_such_blocks_is(size, spread):
    for blocks in (2, 3, 6, 20, 101):
        waves = np.sin(np.arange(blocks) + 1)
        waves = (waves - waves.mean()) / waves.std(ddof=1)
        expected = paired(size + spread * waves) < look_level(blocks, 30, 0.02)
        assert clear(Difference(size, spread), blocks, 30, 0.02) == expected


@pytest.mark.parametrize(("size", "spread"), [(0.1, 0.5), (-0.4, 0.3), (0.5, 0.0)])
def test_the_fewest_blocks_are_enough_and_one_less_is_not(size, spread):
    blocks = enough(Difference(size, spread), 30, 0.05)
    assert clear(Difference(size, spread), blocks, 30, 0.05)
    assert not clear(Difference(size, spread), blocks - 1, 30, 0.05)


def test_no_difference_is_never_clear():
    assert enough(Difference(0.0, 0.3), 30, 0.05) == math.inf
    assert enough(Difference(0.5, math.inf), 30, 0.05) == math.inf


def test_a_claim_is_expected_to_hold_when_its_last_comparison_and_to_fail_when_its_first_is_clear(part, monkeypatch):
    needs = {"greedy": (0.2, 40.0), "random": (0.3, 90.0)}
    found = type("Found", (), {"blocks": 10})()
    monkeypatch.setattr(forecast, "between", lambda part, first, second, *_: Difference(needs[second][0], second))
    monkeypatch.setattr(forecast, "enough", lambda difference, *_: needs[difference.spread][1])
    (claim,) = part.table.claims
    assert missing(part, claim, found) == 80
    needs["random"] = (-0.3, 90.0)
    assert missing(part, claim, found) == 80
    needs["greedy"] = (-0.2, 40.0)
    assert missing(part, claim, found) == 30


def test_what_is_expected_of_a_table_comes_true(part, tmp_path):
    claim = msgspec.structs.replace(part.table.claims[0], largest=None, ahead=[["maxn", "random"]])
    part.table = msgspec.structs.replace(part.table, claims=[claim])
    found = played(part, tmp_path, 3)
    (judged,) = judge_claims(part, found)
    assert judged.verdict == OPEN
    more = next_verdict(part, found)
    assert more_blocks(part, judged, found) == more
    assert 1 <= more < 37
    later = played(part, tmp_path, 40)
    assert judge_claims(part, later)[0].verdict != OPEN
    assert next_verdict(part, later) == math.inf
    assert more_blocks(part, judge_claims(part, later)[0], later) is None


def test_a_bound_is_compared_with_the_value_of_its_row(part, tmp_path):
    found = played(part, tmp_path, 10)
    share = next(row.share for row in found.table if row.agent == "maxn")
    claim = msgspec.structs.replace(part.table.claims[0], largest=None, above={"maxn": share - 0.1})
    near = msgspec.structs.replace(claim, above={"maxn": share - 0.05})
    never = msgspec.structs.replace(claim, above={"maxn": share})
    assert missing(part, claim, found) < missing(part, near, found) < missing(part, never, found) == math.inf
    other_side = msgspec.structs.replace(claim, above={}, below={"maxn": share + 0.1})
    assert missing(part, other_side, found) == missing(part, claim, found)


def test_blocks_that_are_equal_by_chance_do_not_make_a_printed_difference_hopeless():
    ours, printed = Difference(0.0, 0.0), Difference(0.3, 0.5)
    assert enough(believed(ours, 2, None), 30, 0.05) == math.inf
    assert enough(printed, 30, 0.05) <= enough(believed(ours, 2, printed), 30, 0.05) < math.inf


def test_a_printed_difference_counts_as_some_blocks():
    ours, printed = Difference(-0.2, 0.3), Difference(0.4, 0.5)
    assert believed(ours, 1, printed) == printed  # one block has no spread
    half = believed(ours, int(PRINTED), printed)
    assert half.size == pytest.approx(0.1)
    assert half.spread == pytest.approx(math.sqrt((0.3**2 + 0.5**2) / 2))
    assert believed(ours, 10**6, printed).size == pytest.approx(-0.2, abs=1e-4)


def test_a_printed_difference_varies_as_independent_matches_do(part, tmp_path):
    found = played(part, tmp_path, 5)
    printed = printed_difference(part, "maxn", "random", "share", found)
    games = next(row.games for row in found.table if row.agent == "maxn") / found.blocks
    rng = np.random.default_rng(1)
    winners = rng.choice(3, p=[0.6, 0.01, 0.39], size=(100_000, round(games)))
    blocks = ((winners == 0).mean(axis=1)) - (winners == 1).mean(axis=1)
    assert printed.size == pytest.approx(blocks.mean(), abs=0.01)
    assert printed.spread == pytest.approx(blocks.std(), rel=0.02)
    assert printed_difference(part, "maxn", "greedy", "share", found) is None
    assert printed_difference(part, "maxn", "random", "wins", found) is None


def test_parts_of_victory_points_become_rates_of_the_own_matches(part, tmp_path):
    cells = [msgspec.structs.replace(cell, column="victory_points") for cell in part.table.cells]
    part.table = msgspec.structs.replace(part.table, cells=cells)
    found = played(part, tmp_path, 5)
    points = sum(row.ties_rate * row.games for row in found.table)
    games = next(row.games for row in found.table if row.agent == "maxn")
    printed = printed_difference(part, "maxn", "random", "victory_points", found)
    assert printed.size == pytest.approx(0.59 * points / games)
