"""Rows compared block by block."""

import pytest

from kingmaker.repeating import plan
from kingmaker.repeating.paper import papers, parts_named
from kingmaker.repeating.verdicts import clearly
from tests.toy_papers import put_up


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with one small paper, instead of the real ones."""
    yield put_up(tmp_path / "toys", monkeypatch)
    papers.cache_clear()


def test_the_rates_of_the_blocks_give_back_the_rates_of_the_table(toys, tmp_path):
    part = parts_named("sticks")[0]
    plan.play_starts(part, tmp_path, 20, 1, {}, lambda *_: lambda running: None)
    found = plan.played(part, tmp_path)
    assert found.blocks == len(found.rates[0, "maxn", "share"]) > 1
    for row in found.table:
        for column, rate in (("share", row.share), ("wins", row.win_rate), ("with_ties", row.ties_rate)):
            scores, sizes = zip(*found.rates[0, row.agent, column].values(), strict=True)
            assert sum(scores) / sum(sizes) == pytest.approx(rate)
    first, second = found.table[0], found.table[2]
    assert found.differences(first, second, "wins").mean() == pytest.approx(first.win_rate - second.win_rate)
    assert found.differences(first, first, "wins").tolist() == [0.0] * found.blocks
    assert clearly(part, "maxn", "maxn", "wins", found) == 0
    assert clearly(part, "maxn", "random", "victory_points", found) == -clearly(part, "random", "maxn", "wins", found)
