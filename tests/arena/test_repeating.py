"""The sources' tables again: reading them, sharing out the time, and what counts as agreement."""

from dataclasses import replace

import pytest

from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.repeating import plan
from kingmaker.arena.repeating.paper import BadPaper, Cell, Claim, Part, papers, parts_named, read_paper
from kingmaker.arena.repeating.verdicts import check_cell, clearly, comparisons, judge_claims, openness, verdict_on
from kingmaker.arena.results.standings import Pair, Standing, Standings
from kingmaker.core.errors import KingmakerError, UnknownName
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
    assert check_cell(cell, standing("a", 0.5, 0.46, 0.54), 10).verdict == "agrees"
    assert check_cell(cell, standing("a", 0.7, 0.6, 0.8), 10).verdict == "differs"
    wide = check_cell(cell, standing("a", 0.5, 0.4, 0.6), 10)
    assert (wide.verdict, wide.more) == ("undecided", 30)  # half the width needs four times the blocks
    assert check_cell(cell, None, 10).verdict == "undecided"


def test_the_printed_interval_counts_too():
    cell = Cell(row="a", printed=0.5, low=0.45, high=0.58)
    assert check_cell(cell, standing("a", 0.6, 0.57, 0.63), 10).verdict == "agrees"


def test_a_share_of_all_points_is_compared_with_a_scaled_interval():
    found = check_cell(Cell(row="a", printed=0.5, column="victory_points"), standing("a", 0.6, 0.56, 0.64), 10)
    assert (found.ours, found.low, found.high) == pytest.approx((0.45, 0.42, 0.48))
    assert found.verdict == "differs"


def test_a_depth_is_shown_without_a_verdict():
    found = check_cell(Cell(row="a", printed=6.86, column="depth"), standing("a", 0.6, 0.56, 0.64), 10)
    assert (found.ours, found.verdict) == (7.5, "")


def test_claims_are_decided_by_clear_differences_only(toys):
    part = Part("sticks", "one")
    rows = [standing("maxn", 0.6, 0.5, 0.7), standing("greedy", 0.2, 0.1, 0.3), standing("random", 0.2, 0.1, 0.3)]

    def verdict(first, second):
        pairs = [Pair({}, "maxn", "greedy", 100, *first, None), Pair({}, "random", "maxn", 100, *second, None)]
        return judge_claims(part, standings(rows, pairs))[0].verdict

    assert verdict((0.8, 0.001), (0.1, 0.001)) == "holds"
    assert verdict((0.8, 0.001), (0.45, 0.3)) == "undecided"
    assert verdict((0.8, 0.001), (0.9, 0.01)) == "fails"


def test_rows_of_different_settings_are_compared_by_their_errors(toys):
    part = Part("sticks", "one")
    table = [standing("maxn", 0.60, 0.55, 0.65, settings={"n": 1}), standing("greedy", 0.50, 0.45, 0.55)]
    assert clearly(part, "maxn", "greedy", "wins", standings(table)) == 1
    assert clearly(part, "greedy", "maxn", "wins", standings(table)) == -1
    assert clearly(part, "maxn", "greedy", "wins", standings(table), 0.001) == 0  # of many comparisons
    assert clearly(part, "maxn", "greedy", "depth", standings(table)) == 0


def test_a_claim_names_every_comparison(toys):
    part = Part("sticks", "one")
    assert comparisons(part, Claim(says="", largest="maxn")) == [("maxn", "greedy"), ("maxn", "random")]
    assert comparisons(part, Claim(says="", smallest="maxn")) == [("greedy", "maxn"), ("random", "maxn")]
    chain = Claim(says="", ahead=[["maxn", "greedy", "random"]])
    assert comparisons(part, chain) == [("maxn", "greedy"), ("greedy", "random")]
    assert verdict_on(part, Claim(says=""), standings([])) == "undecided"


def test_nothing_played_is_nothing_decided(toys):
    part = Part("sticks", "one")
    assert openness(part, replace(standings([]), finished=0)) == 4


def test_every_built_in_table_can_be_read_and_names_only_what_it_has():
    parts = parts_named("all")
    assert {part.paper for part in parts} >= {"max_prob", "multi_minimax"}
    for part in parts:
        for label in {cell.row for cell in part.table.cells}:
            part.row(label)
        for claim in part.table.claims:
            assert comparisons(part, claim), claim
            for pair in comparisons(part, claim):
                part.row(pair[0])
                part.row(pair[1])
        for row in part.table.rows.values():
            assert all(value in part.experiment.sweep[key] for key, value in row.where.items())


def test_the_printed_rows_of_max_prob_add_up():
    for part in parts_named("max_prob"):
        assert sum(cell.printed for cell in part.table.cells) == pytest.approx(1.0)


def test_the_printed_intervals_of_multi_minimax_are_wilsons():
    games = {"fig8": 5000, "fig9": 10010, "fig10": 15015}
    looked = 0
    for part in parts_named("multi_minimax"):
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
    assert sorted(plan.spread(24)) == list(range(24))
    assert len({number // 8 for number in plan.spread(24)[:3]}) == 3
    assert plan.spread(1) == [0]


def test_the_time_of_a_match_is_measured_once(toys, tmp_path, monkeypatch):
    part = Part("sticks", "one")
    first = plan.seconds_a_match(part, tmp_path)
    monkeypatch.setattr(plan, "timed", lambda text: pytest.fail("measured again"))
    assert plan.seconds_a_match(part, tmp_path) == first > 0
    matches = len(schedule_of(part.experiment.as_text()))
    assert plan.full_seconds(part, tmp_path, 2) == pytest.approx(first * matches / 2)


def test_minutes_are_shared_out_by_what_is_open(toys, tmp_path, monkeypatch):
    part = Part("sticks", "one")
    monkeypatch.setattr(plan, "played", lambda part, folder: None if folder else standings([]))
    monkeypatch.setattr(plan, "openness", lambda part, found: 0)
    assert plan.shares([part, part], tmp_path) == [0.5, 0.5]


def test_a_match_that_fails_while_it_is_measured_is_told(toys, tmp_path):
    (tmp_path / "broken.py").write_text(
        "import kingmaker\n\n\nclass Broken(kingmaker.Agent):\n"
        "    def choose(self, game, state, rng, ask):\n        raise RuntimeError('out of order')\n"
    )
    path = toys / "sticks" / "one.toml"
    path.write_text(path.read_text().replace('"greedy"', f'"{tmp_path / "broken.py"}"'))
    with pytest.raises(KingmakerError, match=r"match \d+ of the experiment failed: .*out of order"):
        plan.seconds_a_match(Part("sticks", "one"), tmp_path)
