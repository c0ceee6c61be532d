"""The report is one file that needs nothing else; needs the extra `report`."""

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy
import pytest

from kingmaker import __version__
from kingmaker.arena.experiment.code import versions
from kingmaker.arena.results.answer import answer
from kingmaker.arena.results.machine import machine, processor
from kingmaker.arena.results.plots import plots
from kingmaker.arena.results.report import write_report
from kingmaker.arena.results.standings import Judgement, standings
from kingmaker.arena.results.store import StoreFault, claim_store, open_store
from kingmaker.core.errors import BadParameter
from tests.arena.conftest import SMALL
from tests.arena.test_standings import SWEPT, filled, results


def test_a_report_is_one_file_without_addresses_and_pictures_beside_it(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with open_store(tmp_path / "s.db") as store:
        paths = write_report(store, tmp_path / "r.html")
    names = {path.name for path in paths}
    assert {"r.html", "r-share.png", "r-share.svg", "r-rating.png", "r-sweep-d.svg", "r-seats.png"} <= names
    page = (tmp_path / "r.html").read_text()
    assert page.count("<svg") == 4
    assert not re.search(r"(src|href)=\"http", page)
    assert "Does looking ahead help at sticks?" in page
    assert (tmp_path / "r-share.png").read_bytes().startswith(b"\x89PNG")


def test_a_place_that_cannot_be_written_is_told(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with (
        open_store(tmp_path / "s.db") as store,
        pytest.raises(StoreFault, match=r"cannot write the report to .*; name another place with --to"),
    ):
        write_report(store, tmp_path / "none" / "r.html")


def test_without_the_extra_the_report_says_what_to_install(tmp_path, written, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    filled(tmp_path / "s.db", written(SWEPT))
    with (
        open_store(tmp_path / "s.db") as store,
        pytest.raises(BadParameter, match=r"a report needs altair and vl-convert-python; install kingmaker\[report\]"),
    ):
        write_report(store, tmp_path / "r.html")


PLAIN = SMALL.replace("starts = 3", "starts = 40")


class Page(HTMLParser):
    """The tags of a page, its cells by table, and all its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.tables, self.words, self.cell = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        self.words.append(data)
        if self.cell:
            self.tables[-1][-1][-1] += data


@pytest.fixture
def reported(tmp_path, written):
    """The page of a report and the standings behind it."""

    def report(text):
        experiment = written(text)
        with claim_store(tmp_path / "s.db", experiment, {}, versions()) as store:
            store.add(results(experiment))
        with open_store(tmp_path / "s.db") as store:
            write_report(store, tmp_path / "r.html", pictures=())
            return Page((tmp_path / "r.html").read_text()), standings(store)

    return report


def test_a_report_answers_its_question_first_and_says_by_whom_and_when_it_was_played(reported):
    page, found = reported(PLAIN)
    text = " ".join(page.words)
    assert text.index(answer(found)) < text.index("240 of 240 matches")
    assert answer(found).startswith("ahead has the largest share of wins, ")
    assert f"kingmaker {__version__}" in text
    assert f"numpy {numpy.__version__}" in text
    assert machine() in text
    assert re.search(r"process \d+ on .* since \d{4}-\d\d-\d\d", text)
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d by kingmaker", text)
    definitions = next(table for table in page.tables if table[0] == ["agent", "as it was played"])
    assert definitions[1:] == [["ahead", "maxn(depth=3)"], ["greedy", "greedy()"], ["random", "random()"]]


def test_the_matrix_of_pairs_is_seen_from_both_sides(reported):
    page, found = reported(PLAIN)
    matrix = next(table for table in page.tables if table[0] == ["", "ahead", "greedy", "random"])
    numbers = {
        (row[0], column): cell for row in matrix[1:] for column, cell in zip(matrix[0][1:], row[1:], strict=True)
    }
    for pair in found.pairs:
        assert numbers[pair.first, pair.second].startswith(f"{100 * pair.ahead:.1f}")
        assert numbers[pair.second, pair.first].startswith(f"{100 * (1 - pair.ahead):.1f}")
        assert f"p = {pair.chance:.2g}" in numbers[pair.second, pair.first]
    assert all(numbers[agent, agent] == "" for agent in ("ahead", "greedy", "random"))


def test_a_sweep_has_a_matrix_for_every_setting_and_tells_which_agents_change(reported):
    page, _ = reported(SWEPT)
    assert sum(table[0][0] == "" and len(table[0]) == 4 for table in page.tables) == 2
    definitions = next(table for table in page.tables if table[0] == ["agent", "as it was played", "with"])
    assert definitions[1:3] == [["ahead", "maxn(depth=1)", "d = 1"], ["ahead", "maxn(depth=2)", "d = 2"]]
    assert definitions[3] == ["greedy", "greedy()", "all settings"]


def test_every_plot_has_a_caption_and_the_shares_a_line_where_all_are_equal(reported):
    page, found = reported(SWEPT)
    assert page.tags.count("figcaption") == page.tags.count("figure") == 4
    drawn = {plot.name: plot for plot in plots(found)}
    chart = drawn["share"].chart.to_dict()
    assert {row["equal"] for row in chart["data"]["values"]} == {1 / 3}
    assert any(layer["encoding"]["x"].get("field") == "equal" for layer in chart["spec"]["layer"])
    assert all(plot.caption.endswith(".") for plot in drawn.values())


def test_a_rating_that_is_a_bound_is_drawn_as_one_and_an_unknown_one_not_at_all(reported):
    _, found = reported(PLAIN)
    first, second, third = found.table
    rows = [replace(first, elo_bound=">", elo_error=None), replace(second, elo=None, elo_error=None), third]
    chart = next(plot.chart for plot in plots(replace(found, table=rows)) if plot.name == "rating").to_dict()
    drawn = {row["agent"]: row["sign"] for row in chart["data"]["values"]}
    assert drawn == {"ahead": "triangle-right", "random": "circle"}


def test_nothing_that_somebody_wrote_becomes_part_of_the_page(reported, tmp_path):
    nasty = "<script>alert(1)</script>&amp; \\u001b[31m \\u009b"
    text = SWEPT.replace("ahead =", f'"{nasty}" =').replace("Does looking ahead help", nasty)
    page, _ = reported(text)
    assert "script" not in page.tags
    raw = (tmp_path / "r.html").read_text()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", raw)
    assert "<script>alert(1)</script>&amp; \\x1b[31m \\x9b" in "".join(page.words)


def test_a_processor_always_has_a_name(monkeypatch):
    assert processor()
    for name in ("processor", "machine"):
        monkeypatch.setattr(f"platform.{name}", lambda: "")
    monkeypatch.setattr("pathlib.Path.read_text", lambda *given, **options: "")
    assert processor() == "an unknown processor"


def judged(*verdicts):
    return [Judgement({}, f"share of x above {nth}", verdict) for nth, verdict in enumerate(verdicts)]


def test_the_answer_is_one_sentence_whatever_is_known(tmp_path, written):
    filled(tmp_path / "s.db", written(PLAIN))
    with open_store(tmp_path / "s.db") as store:
        found = standings(store)
    assert answer(replace(found, finished=0)) == "No answer yet: no match is finished."
    assert answer(found).endswith("), and is clearly ahead of every other agent.")
    assert answer(replace(found, pairs=[])).endswith("), but is not clearly ahead of any other agent.")
    some = [pair for pair in found.pairs if "random" in (pair.first, pair.second)]
    assert answer(replace(found, pairs=some)).endswith("), but is not clearly ahead of greedy.")
    assert answer(replace(found, total=9999)).startswith(
        "So far, after 240 of 9999 matches: ahead has the largest share"
    )
    assert answer(replace(found, total=9999, decided=True)).startswith("ahead has the largest share")
    assert answer(replace(found, judgements=judged("yes"))) == "Yes: share of x above 0."
    assert (
        answer(replace(found, judgements=judged("open", "no")))
        == "Not decided: share of x above 0; no: share of x above 1."
    )
    many = judged("yes", "yes", "no", "open")
    assert answer(replace(found, judgements=many)) == "Of 4 expectations 2 came true, 1 did not, and 1 are not decided."


def test_the_answer_to_a_sweep_counts_settings(tmp_path, written):
    filled(tmp_path / "s.db", written(SWEPT))
    with open_store(tmp_path / "s.db") as store:
        assert answer(standings(store)) == (
            "Largest share of wins in 2 settings: ahead in 2 (clearly ahead of all others in 2)."
        )
