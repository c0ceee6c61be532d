"""`kingmaker paper`."""

import json
import re
import sys

import pytest

from kingmaker.cli.paper import until_decided
from kingmaker.core.errors import BadParameter
from kingmaker.repeating import plan
from kingmaker.repeating.paper import papers, parts_named
from tests.toy_papers import PAPER, put_up


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
    assert re.search(r"undecided: MaxN wins most\. About \d+ more blocks expected\.", out)
    again = json.loads(run("paper", "sticks/one", "--scale", "0.3", "--json", *store).out)
    assert again[0]["matches"] == 12 * 6
    assert json.loads(run("paper", "sticks", "--json", *store).out) == again


SECOND = """
[tables.two]
title = "Table 2"
file = "one.toml"
cells = [{ row = "greedy", printed = 0.4 }, { row = "random", printed = 0.39 }, { row = "maxn", printed = 0.5 }]

[[tables.two.claims]]
says = "Random moves win less than MaxN."
ahead = [["maxn", "random"]]
"""


def test_the_end_tells_which_claims_are_as_large_as_printed_and_not_decided(toys, tmp_path, run):
    """At Table 1 the source prints nothing for one of the rows."""
    (toys / "sticks" / "paper.toml").write_text(PAPER + SECOND)
    code, out, _ = run("paper", "sticks", "--scale", "0.1", "--results", str(tmp_path / "out"), "--workers", "1")
    assert code == 0
    assert "Of 2 claims 0 hold, 0 fail and 2 are undecided." in out
    told = re.sub(r"\s+", " ", out)
    assert (
        "1 of the claims rests on differences that are clear in the source; of these 0 hold, 0 fail and 1 is "
        "undecided. 1 of them is found at least as large here, and 1 of those is undecided. "
        "as large as printed, undecided: sticks/two: Random moves win less"
    ) in told
    _, out, _ = run("paper", "sticks", "--scale", "1", "--results", str(tmp_path / "out"), "--workers", "1")
    assert "and none of those is undecided." in re.sub(r"\s+", " ", out)
    assert "as large as printed, undecided" not in out


def test_matches_are_kept_as_text_and_taken_over_where_there_is_no_store(toys, tmp_path, run):
    keep, scale = ("--keep", str(tmp_path / "kept")), ("--scale", "0.1", "--workers", "1")
    first = ("paper", "sticks", "--results", str(tmp_path / "one"), *keep)
    code, out, _ = run(*first, *scale)
    assert code == 0
    assert "sticks-one.csv" in out
    told = [line for line in run("paper", "sticks", "--results", str(tmp_path / "two"), *keep).out.splitlines() if line]
    assert told[0] == "sticks/one: 24 matches were kept and are taken over"
    assert told[1:] == [line for line in run(*first).out.splitlines() if line]
    before = (tmp_path / "kept" / "sticks-one.csv").read_text()
    run("paper", "sticks", "--results", str(tmp_path / "two"), "--scale", "0.2", "--workers", "1", *keep)
    assert (tmp_path / "kept" / "sticks-one.csv").read_text().startswith(before)
    run(*first)  # a store with fewer matches than are kept changes nothing
    assert len((tmp_path / "kept" / "sticks-one.csv").read_text().splitlines()) == 1 + 48
    experiment = toys / "sticks" / "one.toml"
    experiment.write_text(experiment.read_text().replace("sticks=7", "sticks=8"))
    out = run("paper", "sticks", "--results", str(tmp_path / "three"), *keep).out
    assert "sticks/one: the kept matches are of another experiment and are left alone" in out


def test_the_report_begins_with_all_claims_and_links_to_every_table(toys, tmp_path, run):
    (toys / "sticks" / "paper.toml").write_text(PAPER + SECOND)
    store, path = ("--results", str(tmp_path / "out"), "--workers", "1"), tmp_path / "sticks.html"
    assert run("paper", "sticks/one", "--scale", "0.1", *store).code == 0
    assert run("paper", "sticks", "--report", str(path), *store).code == 0
    drawn = path.read_text()
    assert "<p>Of 1 " not in drawn  # one table was played: its claims are in its rows
    assert '<li><a href="#sticks-one">Table 1</a>, 24 matches: <b class="open">undecided</b></li>' in drawn
    assert '<li><a href="#sticks-two">Table 2</a>, nothing was played yet</li>' in drawn
    assert '<h2 id="sticks-one">Table 1</h2>' in drawn
    assert '<h2 id="sticks-two">' in drawn
    assert run("paper", "sticks", "--scale", "0.1", "--report", str(path), *store).code == 0
    assert "<p>Of 2 claims 0 hold, 0 fail and 2 are undecided.</p>" in path.read_text()
    assert run("paper", "sticks/one", "--report", str(path), *store).code == 0
    assert "<li>" not in path.read_text()


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


def test_the_command_plays_for_some_minutes(toys, tmp_path, run, monkeypatch):
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 1e-6)  # however slow the machine is
    monkeypatch.setattr(plan, "PATIENCE", 1e9)
    out = json.loads(
        run("paper", "all", "--minutes", "0.01", "--results", str(tmp_path), "--workers", "1", "--json").out
    )
    assert out[0]["matches"] >= 2 * 6


def test_a_table_whose_matches_take_too_long_is_left_out(toys, tmp_path, run, monkeypatch):
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: 3600.0)
    ran = run("paper", "all", "--minutes", "1", "--results", str(tmp_path), "--workers", "1")
    assert (
        "sticks/one was left out: a block of it takes about 6 h 00 min here, which is more than was left; "
        "use --minutes 360 for it alone"
    ) in ran.out
    assert "sticks/one: nothing was played yet" in ran.out


def test_every_table_gets_its_first_blocks_before_any_gets_more(toys, tmp_path, monkeypatch):
    """Of ten minutes the cheap tables take two blocks, what is open of them gets most of the time, and at last a dear
    one gets one block, for which time was kept back.
    """
    more = "".join(f'\n[tables.{name}]\ntitle = "{name}"\nlike = "one"\n' for name in ("two", "dear", "huge"))
    (toys / "sticks" / "paper.toml").write_text(PAPER + more)
    papers.cache_clear()
    parts, asked, stored = parts_named("sticks"), [], dict.fromkeys(("one", "two", "dear", "huge"), 0)
    seconds = {"one": 1.2, "two": 0.1, "dear": 10.0, "huge": 1000.0}
    monkeypatch.setattr(plan, "seconds_a_match", lambda part, folder: seconds[part.name])
    monkeypatch.setattr(plan, "blocks_stored", lambda part, folder: stored[part.name])

    def play(part, folder, starts, *_):
        asked.append((part.name, starts))
        stored[part.name] = starts

    monkeypatch.setattr(plan, "play_starts", play)
    left = plan.repeat(parts, tmp_path, minutes=10, workers=1, options={}, told=print)
    assert asked[:2] == [("one", 2), ("two", 2)]  # the table itself before another reading of it
    assert [name for name, _ in asked[2:]] == ["two", "one", "dear"]
    assert all(starts > 2 for _, starts in asked[2:4])
    assert asked[4:] == [("dear", 1)]
    more_of_one = 6 * seconds["one"] * (stored["one"] - 2)  # no time passes here, so it gets all that is not kept back
    assert more_of_one + plan.PATIENCE * 6 * seconds["dear"] <= 600
    assert [(part.name, needed) for part, needed in left] == [("huge", 6000.0)]


def test_a_table_ends_when_its_time_is_over(toys, tmp_path):
    """Two blocks would take twelve matches; the run ends after the first that came back."""
    part = parts_named("sticks")[0]
    seen = []
    options = {"scheduler": "", "accept_changes": False}
    plan.play_starts(part, tmp_path, 40, 1, options, lambda *_: seen.append, seconds=0.0)
    found = plan.played(part, tmp_path)
    assert seen
    assert 0 < found.matches < 240


def test_a_run_that_was_to_be_larger_can_be_shown_and_played_on_in_small_steps(toys, tmp_path):
    part, options = parts_named("sticks")[0], {"scheduler": "", "accept_changes": False}
    plan.play_starts(part, tmp_path, 40, 1, options, lambda *_: lambda running: None, seconds=0.0)
    assert plan.begun_with(plan.store_of(part, tmp_path)) == 40
    plan.play_starts(part, tmp_path, 5, 1, options, lambda *_: lambda running: None)
    assert 5 * 6 <= plan.played(part, tmp_path).matches < 40 * 6
    before = plan.played(part, tmp_path).matches
    plan.play_starts(part, tmp_path, 2, 1, options, lambda *_: lambda running: None)
    assert plan.played(part, tmp_path).matches == before


def test_the_list_tells_how_long_each_table_takes(toys, tmp_path, run):
    out = json.loads(run("paper", "--results", str(tmp_path), "--workers", "2", "--json").out)
    assert out["tables"][0]["table"] == "sticks/one"
    assert out["tables"][0]["matches"] == 240
    assert out["tables"][0]["seconds"] == pytest.approx(120 * out["tables"][0]["seconds_a_match"])
    assert "Nobody. Nowhere." in run("paper", "--results", str(tmp_path)).out


def test_the_list_tells_what_a_cluster_would_need(toys, tmp_path, run):
    assert re.search(
        r"all tables: .* on 2 workers, about .* on a cluster of 100",
        run("paper", "--results", str(tmp_path), "--workers", "2").out,
    )


def test_the_page_of_results_holds_tables_claims_notes_and_csv_files(toys, tmp_path, run, refused):
    store, path = ("--results", str(tmp_path / "out"), "--workers", "1"), tmp_path / "results.md"
    assert "nothing was played yet, so there is no page to write" in refused(
        "paper", "all", "--page", str(path), *store
    )
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "notes.md").write_text("## What was found\n\nMaxN takes the last stick.\n")
    out = run("paper", "sticks", "--scale", "0.2", "--page", str(path), *store).out
    assert str(path) in out
    page = path.read_text()
    assert "MaxN takes the last stick." in page
    assert re.search(r"^\| `sticks/one` \| MaxN wins most\. \| (holds|undecided) \|$", page, re.MULTILINE)
    assert re.search(r"^\| random \| share \| 0\.010\* \| 0\.\d+ \| 0\.\d+ to 0\.\d+ \| \w+ \|$", page, re.MULTILINE)
    assert re.search(r"48 matches in \d blocks, 20 % of", page)
    rows = (tmp_path / "results" / "sticks-one.csv").read_text().splitlines()
    assert rows[0].startswith("agent,form,games")
    assert len(rows) == 1 + 3
    assert "cannot write the results to" in refused("paper", "sticks", "--page", str(path / "x.md"), *store)


def test_workers_and_scheduler_reach_the_run(toys, tmp_path, run, monkeypatch):
    asked = {}
    monkeypatch.setattr(plan, "run_experiment", lambda *args, **options: asked.update(options))
    run("paper", "sticks", "--scale", "0.2", "--results", str(tmp_path), "--workers", "3", "--scheduler", "local")
    assert (asked["workers"], asked["scheduler"]) == (3, "local")


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
    assert "expected more than 0 minutes, got -1" in refused("paper", "sticks", "--minutes", "-1")


def test_a_missing_extra_is_named_before_anything_is_played(toys, tmp_path, monkeypatch, refused):
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setattr(plan, "run_experiment", lambda *args, **options: pytest.fail("played"))
    said = refused("paper", "sticks", "--scale", "1", "--report", str(tmp_path / "x.html"))
    assert "a report needs altair and vl-convert-python; install them with: pip install 'kingmaker[report]'" in said


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (None, ""),
        (1, " About 1 more block expected."),
        (72, " About 72 more blocks"),
        (18_874, " About 19,000 more blocks"),
    ],
)
def test_what_is_expected_is_told_to_two_digits(more, sentence):
    assert until_decided(more).startswith(sentence)
