"""The sources' tables again: reading them, sharing out the time, and what counts as agreement."""

from collections import Counter
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.standings import Pair, Standing, Standings
from kingmaker.core.errors import KingmakerError, UnknownName
from kingmaker.repeating import pace, plan, verdicts
from kingmaker.repeating.paper import BadPaper, Cell, Claim, Part, papers, parts_named, read_paper
from kingmaker.repeating.verdicts import (
    CLAIM,
    CLEAR,
    at_any_look,
    check_cell,
    check_cells,
    clearly,
    comparisons,
    judge_claims,
    margin,
    measured,
    openness,
    verdict_on,
)
from kingmaker.stats.intervals import wilson
from tests.toy_papers import PAPER, put_up


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with one small paper, instead of the real ones."""
    yield put_up(tmp_path / "toys", monkeypatch)
    papers.cache_clear()


def standing(agent, share, low, high, games=100, settings=None):
    return Standing(
        settings=settings or {},
        agent=agent,
        form=agent,
        faults=0,
        games=games,
        wins=0,
        shared=0,
        share=share,
        share_interval=(low, high),
        win_rate=share,
        win_interval=(low, high),
        ties_rate=share,
        ties_interval=(low, high),
        victory_points=0.75 * share,
        elo=None,
        elo_error=None,
        elo_bound="",
        depth=7.5,
        nodes=1000.0,
        moves=10,
    )


def standings(table, pairs=()):
    return Standings(
        question="",
        matches=100,
        total=100,
        finished=100,
        different=100,
        unfinished=0,
        failed=0,
        blocks=10,
        method="over starts",
        missing="",
        reproducible=True,
        table=table,
        pairs=list(pairs),
        seats=[],
        judgements=[],
    )


def test_a_printed_number_agrees_differs_or_is_open():
    cell = Cell(row="a", printed=0.5)
    assert check_cell(cell, (0.5, 0.46, 0.54), 10).verdict == "agrees"
    assert check_cell(cell, (0.7, 0.6, 0.8), 10).verdict == "differs"
    wide = check_cell(cell, (0.5, 0.4, 0.6), 10)
    assert (wide.verdict, wide.more) == ("undecided", 30)  # half the width needs four times the blocks
    assert check_cell(cell, None, 10).verdict == "undecided"


def test_an_interval_that_rounding_moved_off_zero_does_not_differ_from_it():
    assert check_cell(Cell(row="a", printed=0.0), (0.0, 1e-17, 0.9), 10).verdict == "undecided"
    assert check_cell(Cell(row="a", printed=1.0), (1.0, 0.2, 1 - 1e-12), 10).verdict == "undecided"
    assert check_cell(Cell(row="a", printed=0.0), (0.1, 0.01, 0.2), 10).verdict == "differs"


def test_the_printed_interval_counts_too():
    cell = Cell(row="a", printed=0.5, low=0.45, high=0.58)
    assert check_cell(cell, (0.6, 0.57, 0.63), 10).verdict == "agrees"


def test_a_share_of_all_points_is_compared_with_a_scaled_interval():
    table = [standing("a", 0.6, 0.56, 0.64), standing("b", 0.9, 0.8, 1.0), standing("never", 0.0, 0.0, 0.03)]
    found = check_cell(
        Cell(row="a", printed=0.5, column="victory_points"), measured(table[0], "victory_points", table), 10
    )
    assert (found.low, found.high) == pytest.approx((0.56 / 1.5, 0.64 / 1.5))
    assert found.verdict == "differs"
    assert measured(table[2], "victory_points", table) == pytest.approx((0.0, 0.0, 0.02))  # not won yet is not never


def test_a_depth_is_shown_without_a_verdict():
    ours = measured(standing("a", 0.6, 0.56, 0.64), "depth", [])
    found = check_cell(Cell(row="a", printed=6.86, column="depth"), ours, 10)
    assert (found.ours, found.verdict) == (7.5, "")
    assert check_cell(Cell(row="a", printed=6.86, column="depth"), None, 10).verdict == ""


def test_claims_are_decided_by_clear_differences_only(toys):
    part = Part("sticks", "one")
    rows = [standing("maxn", 0.6, 0.5, 0.7), standing("greedy", 0.2, 0.1, 0.3), standing("random", 0.2, 0.1, 0.3)]

    def verdict(first, second):
        pairs = [Pair({}, "maxn", "greedy", 100, *first, None), Pair({}, "random", "maxn", 100, *second, None)]
        return judge_claims(part, standings(rows, pairs))[0].verdict

    assert verdict((0.8, 0.001), (0.1, 0.001)) == "holds"
    assert verdict((0.8, 0.001), (0.45, 0.3)) == "undecided"
    assert verdict((0.8, 0.001), (0.9, 0.001)) == "fails"
    assert verdict((0.8, 0.01), (0.1, 0.01)) == "undecided"  # clear at one look, but not if it may be any of many


def test_rows_of_different_settings_are_compared_by_their_errors(toys):
    part = Part("sticks", "one")
    table = [standing("maxn", 0.65, 0.60, 0.70, settings={"n": 1}), standing("greedy", 0.50, 0.45, 0.55)]
    assert clearly(part, "maxn", "greedy", "wins", standings(table)) == 1
    assert clearly(part, "greedy", "maxn", "wins", standings(table)) == -1
    assert clearly(part, "maxn", "greedy", "wins", standings(table), 0.001) == 0  # of many comparisons
    assert clearly(part, "maxn", "greedy", "depth", standings(table)) == 0


def test_an_interval_holds_at_any_look_and_needs_two_blocks(toys):
    part = Part("sticks", "one")
    ours, low, high = at_any_look((0.5, 0.4, 0.7), part, 10)
    assert ours == 0.5
    assert (high - ours) / (ours - low) == pytest.approx(2.0)  # both arms grow by the same factor
    assert 1.5 < (ours - low) / 0.1 < 2.0
    assert at_any_look((0.5, 0.4, 0.7), part, 1) == (0.5, None, None)
    few = replace(standings([standing("maxn", 0.6, 0.0, 1.0)]), blocks=1)
    assert check_cells(part, few)[0].verdict == "undecided"
    wide = replace(standings([standing("maxn", 0.6, 0.3, 0.8)]), blocks=2)
    assert (check_cells(part, wide)[0].low, check_cells(part, wide)[0].high) == (0.0, 1.0)


def test_a_claim_names_every_comparison(toys):
    part = Part("sticks", "one")
    assert comparisons(part, Claim(says="", largest="maxn")) == [("maxn", "greedy"), ("maxn", "random")]
    assert comparisons(part, Claim(says="", smallest="maxn")) == [("greedy", "maxn"), ("random", "maxn")]
    chain = Claim(says="", ahead=[["maxn", "greedy", "random"]])
    assert comparisons(part, chain) == [("maxn", "greedy"), ("greedy", "random")]
    assert verdict_on(part, Claim(says=""), standings([])) == "undecided"


@pytest.mark.parametrize(
    ("means", "wrong"),
    [((0.0, 1.0), "holds"), ((0.0, 0.0), "holds"), ((0.0, 0.0), "fails"), ((0.0, 1.0), "fails")],
)
def test_a_verdict_is_wrong_in_few_cases_although_a_claim_makes_several_comparisons(toys, monkeypatch, means, wrong):
    """Differences of 40 blocks around these means: to hold, the claim would need both above 0; to fail, one below."""
    part, rng = Part("sticks", "one"), np.random.default_rng(5)
    table = [standing(name, 0.5, 0.4, 0.6) for name in ("maxn", "greedy", "random")]
    found, mean_of = replace(standings(table), blocks=40), dict(zip(("greedy", "random"), means, strict=True))
    monkeypatch.setattr(verdicts, "differences", lambda _part, _first, second, *_: rng.normal(mean_of[second], 1, 40))
    told = [verdict_on(part, Claim(says="", largest="maxn"), found) for _ in range(600)]
    assert told.count(wrong) <= 30


def test_a_claim_of_several_comparisons_holds_if_each_is_clear_by_itself(toys, monkeypatch):
    part, asked = Part("sticks", "one"), []
    monkeypatch.setattr(verdicts, "clearly", lambda *given: asked.append(given[-1]) or (given[-1] == CLEAR))
    claim = Claim(says="", ahead=[["maxn", "greedy", "random"]])
    assert verdict_on(part, claim, standings([])) == "holds"
    assert asked == [CLEAR / 2, CLEAR / 2, CLEAR, CLEAR]


def test_nothing_played_is_nothing_decided(toys):
    part = Part("sticks", "one")
    assert openness(part, replace(standings([]), finished=0)) == openness(part, None) == 1 + CLAIM + 2


def test_the_demo_is_apart_and_has_a_slice_of_every_paper_with_printed_numbers():
    assert "demo" not in {part.paper for part in parts_named("all")}
    assert [part.name for part in parts_named("demo")] == ["abalone", "hearts", "risk", "fig8"]
    printed = {
        (part.name, cell.row, cell.column): cell.printed for part in parts_named("all") for cell in part.table.cells
    }
    for part in parts_named("demo"):
        name = {"hearts": "hearts2", "risk": "risk2"}.get(part.name, part.name)
        assert all(printed[name, cell.row, cell.column] == cell.printed for cell in part.table.cells)


def test_every_built_in_table_can_be_read_and_names_only_what_it_has():
    parts = [*parts_named("all"), *parts_named("demo")]
    assert {part.paper for part in parts} >= {"max_prob", "mp_mix", "multi_minimax", "prom"}
    for part in parts:
        for label in {cell.row for cell in part.table.cells}:
            part.row(label)
        for claim in part.table.claims:
            assert comparisons(part, claim) or claim.above or claim.below, claim
            for label in (*claim.above, *claim.below):
                part.row(label)
            for pair in comparisons(part, claim):
                part.row(pair[0])
                part.row(pair[1])
        for row in part.rows.values():
            assert all(value in part.experiment.sweep[key] for key, value in row.where.items())


def test_the_printed_rows_of_max_prob_add_up():
    for part in parts_named("max_prob"):
        assert sum(cell.printed for cell in part.table.cells) == pytest.approx(1.0)


def test_the_printed_intervals_of_multi_minimax_are_wilsons():
    games = {"fig8": 5000, "fig9": 10010, "fig10": 15015}
    looked = 0
    for part in [part for part in parts_named("multi_minimax") if part.name in games]:
        for cell in part.table.cells:
            if cell.column == "wins":
                low, high = wilson(cell.printed * games[part.name], games[part.name])
                assert (cell.low, cell.high) == pytest.approx((low, high), abs=2e-4)
                looked += 1
    assert looked == 24


def test_a_row_or_agent_that_is_not_there_is_named(toys):
    with pytest.raises(UnknownName, match="unknown row 'max' in sticks/one; did you mean maxn"):
        Part("sticks", "one").row("max")
    (toys / "sticks" / "paper.toml").write_text(PAPER + '\n[tables.one.rows.x]\nagent = "nobody"\n')
    papers.cache_clear()
    with pytest.raises(UnknownName, match="unknown agent 'nobody' in sticks/one"):
        Part("sticks", "one")


def test_a_paper_that_cannot_be_read_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "paper.toml"
    path.write_text('title = 3\nsource = ""\nabout = ""\n[tables]\n')
    with pytest.raises(BadPaper, match=r"expected 'str', got 'int' at title in paper.toml of"):
        read_paper(path)


def test_a_beginning_of_the_matches_is_spread_over_all_settings():
    assert sorted(pace.spread(24)) == list(range(24))
    assert len({number // 8 for number in pace.spread(24)[:3]}) == 3
    assert pace.spread(1) == [0]


def test_the_time_of_a_match_is_measured_once(toys, tmp_path, monkeypatch):
    part = Part("sticks", "one")
    first = pace.seconds_a_match(part, tmp_path)
    monkeypatch.setattr(pace, "timed", lambda text: pytest.fail("measured again"))
    assert pace.seconds_a_match(part, tmp_path) == first > 0
    matches = len(schedule_of(part.experiment.as_text()))
    assert pace.full_seconds(part, tmp_path, 2) == pytest.approx(first * matches / 2)


def test_minutes_are_shared_out_by_what_is_open(toys, tmp_path, monkeypatch):
    part = Part("sticks", "one")
    monkeypatch.setattr(plan, "played", lambda part, folder: None if folder else standings([]))
    monkeypatch.setattr(plan, "openness", lambda part, found: 0)
    assert plan.shares([part, part], tmp_path) == [0.5, 0.5]
    monkeypatch.setattr(plan, "openness", lambda part, found: 8)
    assert plan.shares([part, part], tmp_path) == [0.5, 0.5]
    other = Part("sticks", "one")
    other.table = msgspec.structs.replace(part.table, like="one")
    assert plan.shares([part, other], tmp_path) == [0.8, 0.2]


def test_a_match_that_fails_while_it_is_measured_is_told(toys, tmp_path, monkeypatch):
    monkeypatch.setattr(pace, "SAMPLE", 600.0)  # so that every match is played, however slow the machine is
    (tmp_path / "broken.py").write_text(
        "import kingmaker\n\n\nclass Broken(kingmaker.Agent):\n"
        "    def choose(self, game, state, rng, ask):\n        raise RuntimeError('out of order')\n"
    )
    path = toys / "sticks" / "one.toml"
    path.write_text(path.read_text().replace('"greedy"', f'"{tmp_path / "broken.py"}"'))
    with pytest.raises(KingmakerError, match=r"match \d+ of the experiment failed: .*out of order"):
        pace.seconds_a_match(Part("sticks", "one"), tmp_path)


def test_a_margin_is_what_a_row_has_more_than_the_best_other_at_its_table():
    table = [
        standing("tested", 0.40, 0.36, 0.44, settings={"n": 1}),
        standing("other", 0.30, 0.27, 0.33, settings={"n": 1}),
        standing("worse", 0.10, 0.08, 0.12, settings={"n": 1}),
        standing("other", 0.90, 0.80, 0.95, settings={"n": 2}),
    ]
    assert margin(table[0], table) == pytest.approx((0.10, 0.03, 0.17))
    assert margin(table[3], table) == (0.90, 0.80, 0.95)


def test_a_claim_may_name_a_bound(toys):
    part = Part("sticks", "one")
    found = standings([standing("maxn", 0.64, 0.59, 0.69), standing("greedy", 0.20, 0.15, 0.25)])

    def verdict(**bounds):
        return verdict_on(part, Claim(says="", column="wins", **bounds), found)

    assert verdict(above={"maxn": 0.5}, below={"greedy": 0.5}) == "holds"
    assert verdict(above={"maxn": 0.56}) == "undecided"
    assert verdict(above={"maxn": 0.5, "greedy": 0.5}) == "fails"
    assert verdict(above={"random": 0.1}) == "undecided"  # nothing is known of it


LIKE = """
[tables.two]
title = "The same with more sticks"
like = "one"
replace = [["sticks=7", "sticks=9"], ["depth=6", "depth=7"]]
budget = { depth = 3 }

[tables.far]
title = "Like nothing"
like = "none"
"""


def test_a_table_may_be_like_another_with_texts_replaced(toys):
    (toys / "sticks" / "paper.toml").write_text(PAPER + LIKE)
    papers.cache_clear()
    one, two = Part("sticks", "one"), Part("sticks", "two")
    assert two.experiment.game == "sticks(sticks=9)"
    assert two.experiment.agents["maxn"] == "maxn(depth=7)"
    assert two.experiment.budget.depth == 3
    assert two.table.cells == one.table.cells
    assert two.table.claims == one.table.claims
    assert plan.store_of(one, toys) != plan.store_of(two, toys)
    with pytest.raises(UnknownName, match="unknown table 'none' in sticks/far; did you mean"):
        Part("sticks", "far")


def test_a_match_that_is_too_long_to_measure_has_the_pace_of_another_table(toys, tmp_path):
    (toys / "sticks" / "paper.toml").write_text(
        PAPER + '\n[tables.long]\ntitle = "Long"\nlike = "one"\npace = { table = "one", times = 50 }\n'
    )
    papers.cache_clear()
    single = pace.seconds_a_match(Part("sticks", "one"), tmp_path)
    assert pace.seconds_a_match(Part("sticks", "long"), tmp_path) == 50 * single


def test_the_further_tables_of_multi_minimax_differ_in_what_their_titles_say():
    tables = {part.name: part for part in parts_named("multi_minimax")}
    for fig, seats in (("fig8", 3), ("fig9", 4), ("fig10", 6)):
        assert tables[fig].experiment.game == f"light_bike(seats={seats})"
        assert tables[f"{fig}_distinct"].experiment.game == f"light_bike(seats={seats}, starts=distinct)"
        assert tables[f"{fig}_calibrated"].experiment.game == f"light_bike(seats={seats}, starts=distinct)"
        assert tables[f"{fig}_time"].experiment.budget.seconds == 0.002
        texts = tables[f"{fig}_published"].experiment.as_text()
        assert texts.count("rule=published") == 2
        assert "rule=published" not in tables[f"{fig}_distinct"].experiment.as_text()


def test_the_printed_shares_of_risk_add_up_to_one():
    tables = {part.name: part for part in parts_named("mp_mix")}
    for name, rows in (("risk1", 3), ("risk2", 6)):
        printed = [cell.printed for cell in tables[name].table.cells if cell.printed is not None]
        assert len(printed) == rows
        assert sum(printed) == pytest.approx(1.0)


def test_hearts_experiment_two_plays_every_composition():
    part = next(part for part in parts_named("mp_mix/hearts2"))
    schedule = schedule_of(part.experiment.as_text())
    assert len({schedule.task(number).seating for number in range(5**4)}) == 5**4
    assert len(schedule) == 2 * 5**4


def test_table_1_plays_every_order_equally_often_in_blocks_of_four():
    for part in parts_named("max_prob"):
        schedule = schedule_of(part.experiment.as_text())
        seatings = Counter(schedule.task(number).seating for number in range(len(schedule)))
        assert schedule.per_block == 4
        assert len(seatings) == 24
        assert set(seatings.values()) == {8 if "tournament" in part.name else 100}
