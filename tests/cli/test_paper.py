"""`kingmaker paper`."""

import json
import re

import pytest

from kingmaker.arena.repeating import plan
from kingmaker.arena.repeating.paper import papers
from kingmaker.core.errors import BadParameter
from tests.toy_papers import put_up


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with one small paper, instead of the real ones."""
    yield put_up(tmp_path / "toys", monkeypatch)
    papers.cache_clear()


def test_the_command_plays_a_scale_shows_the_verdicts_and_goes_on(toys, tmp_path, run):
    store = ("--results", str(tmp_path / "out"), "--workers", "1")
    code, out, _ = run("paper", "sticks", "--scale", "0.2", *store)
    assert code == 0
    assert re.search(r"maxn +share +0\.600", out)
    assert "0.010*" in out
    assert "* worked out from the rest of the source" in out
    assert re.search(r"(holds|undecided): MaxN wins most\.", out)
    again = json.loads(run("paper", "sticks/one", "--scale", "0.3", "--json", *store).out)
    assert again[0]["matches"] == 12 * 6
    assert json.loads(run("paper", "sticks", "--json", *store).out) == again


def test_the_report_draws_every_column_with_both_numbers(toys, tmp_path, run, refused):
    store, path = ("--results", str(tmp_path / "out"), "--workers", "1"), tmp_path / "papers.html"
    assert run("paper", "sticks", "--scale", "0.2", "--report", str(path), *store).code == 0
    page = path.read_text()
    assert page.count("<figure>") == page.count("<svg") == 1
    assert "0.010 (reconstructed)" in page
    assert "MaxN wins most." in page
    assert "Nobody. Nowhere." in page
    run("paper", "sticks", "--report", str(path), "--results", str(tmp_path / "empty"))
    assert "Nothing was played yet." in path.read_text()
    assert "cannot write the report to" in refused(
        "paper", "sticks", "--report", str(tmp_path / "no" / "x.html"), *store
    )


def test_the_command_plays_for_some_minutes(toys, tmp_path, run):
    out = json.loads(
        run("paper", "all", "--minutes", "0.01", "--results", str(tmp_path), "--workers", "1", "--json").out
    )
    assert out[0]["matches"] >= 2 * 6


def test_the_list_tells_how_long_each_table_takes(toys, tmp_path, run):
    out = json.loads(run("paper", "--results", str(tmp_path), "--workers", "2", "--json").out)
    assert out["tables"][0]["table"] == "sticks/one"
    assert out["tables"][0]["matches"] == 240
    assert out["tables"][0]["seconds"] == pytest.approx(120 * out["tables"][0]["seconds_a_match"])
    assert "Nobody. Nowhere." in run("paper", "--results", str(tmp_path)).out


def test_what_was_not_played_is_told(toys, tmp_path, run):
    told = run("paper", "sticks", "--results", str(tmp_path)).out
    assert told == "sticks/one: nothing was played yet; use --minutes or --scale\n"


def test_bad_input_gets_a_sentence(toys, tmp_path, refused):
    assert "unknown paper 'stix'; did you mean sticks" in refused("paper", "stix")
    assert "unknown table 'two' in sticks; did you mean one" in refused("paper", "sticks/two")
    assert "expected --minutes or --scale, got both" in refused("paper", "all", "--minutes", "1", "--scale", "1")
    assert "a scale of 0.01 is less than one block of sticks/one, which has 40; use at least 0.025" in refused(
        "paper", "sticks", "--scale", "0.01", "--results", str(tmp_path)
    )
    assert "expected a scale above 0 and up to 1, got 2" in refused("paper", "sticks", "--scale", "2")
    with pytest.raises(BadParameter, match="expected more than 0 minutes, got 0"):
        plan.repeat([], tmp_path, minutes=0, workers=1, options={}, told=print)
