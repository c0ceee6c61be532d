"""One tally: what counts, what is a copy, and what the intervals are over."""

from dataclasses import astuple

import numpy as np
import pytest

from kingmaker.arena.results.tally import Tally, elo_text, number_of
from kingmaker.stats.blocks import interval

SEATINGS = [(0, 1), (1, 0)]


def rows(tally):
    table = tally.table()
    return [astuple(row) for row in table.rows(table.ratings())]


def whole(tally):
    """All that a tally says."""
    table = tally.table()
    return (
        rows(tally),
        table.pair_rows(),
        table.seat_row(table.ratings()),
        tally.missing("x"),
        tally.method,
        tally.different,
    )


def counted(matches, agents=2, seats=2):
    """A tally of (seating, payoffs, start, round, line)."""
    tally = Tally(agents, seats)
    for seating, payoffs, start, round_, line in matches:
        tally.add((seating, payoffs), start=start, round=round_, line=line)
    return tally


def drawn(rounds, starts, lines, seed=1):
    """Rounds of two matches with winners by lot; `starts` and `lines` say how many different ones there are."""
    rng = np.random.default_rng(seed)
    found = []
    for round_ in range(rounds):
        for seating in SEATINGS:
            winner = int(rng.random() < 0.4)
            found.append((seating, (1.0 - winner, float(winner)), round_ % starts, round_, int(rng.integers(lines))))
    return found


def settled(rounds, starts):
    """The same, played by agents without luck: start and seating decide."""
    ends = {(start, seating): (start + seating[0]) % 3 > 0 for start in range(starts) for seating in SEATINGS}
    every = [(seating, round_ % starts, round_) for round_ in range(rounds) for seating in SEATINGS]
    return [
        (seating, (1.0, 0.0) if ends[start, seating] else (0.0, 1.0), start, nth, hash(seating))
        for seating, start, nth in every
    ]


@pytest.mark.parametrize("blocks", [16, 4096])
@pytest.mark.parametrize(
    "matches", [drawn(60, 1, 3), drawn(60, 7, 3), drawn(90, 60, 9), settled(60, 1), settled(90, 40)], ids=range(5)
)
def test_the_order_in_which_matches_come_does_not_matter(matches, blocks, monkeypatch):
    monkeypatch.setattr("kingmaker.arena.results.tally.BLOCKS", blocks)
    monkeypatch.setattr("kingmaker.arena.results.tally.LEAST", 4)
    monkeypatch.setattr("kingmaker.arena.results.tally.KINDS", 40)
    first = counted(matches)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(matches))
        assert whole(counted([matches[i] for i in order])) == whole(first)


def test_one_match_played_a_hundred_times_is_one_match():
    tally = counted([((0, 1), (1.0, 0.0), 5, nth, 77) for nth in range(100)])
    assert (tally.finished, tally.different, tally.blocks) == (100, 1, 1)
    assert rows(tally)[0][4] == (0.0, 1.0)
    assert tally.table().pair_rows()[0][4] == 1.0
    assert tally.missing("opening = 4") == (
        "100 matches are 1 different one: the agents are deterministic and there is one start; "
        "use opening = 4, or a game with random starts"
    )


@pytest.mark.parametrize("times", [2, 50])
def test_repeats_of_listed_positions_without_luck_add_nothing(times):
    once, often = counted(settled(4, 4)), counted(settled(4 * times, 4))
    assert whole(often)[:3] == whole(once)[:3]
    assert once.missing("x") == ""
    assert often.missing("x").endswith("the agents are deterministic and there are 4 starts; use x, or more starts")


def test_repeats_with_luck_stay_in_the_block_of_their_start():
    matches = drawn(200, 4, 1000)
    tally = counted(matches)
    assert (tally.different, tally.blocks, tally.method) == (400, 4, "over starts")
    scores = np.zeros(4)
    for seating, payoffs, start, _, _ in matches:
        scores[start] += payoffs[seating.index(0)]
    assert rows(tally)[0][4] == interval(scores, np.full(4, 100.0))


def test_rounds_from_the_only_start_are_blocks_where_luck_is_at_work():
    tally = counted(drawn(200, 1, 1000))
    assert (tally.different, tally.blocks, tally.method) == (400, 200, "over rounds from one start")
    low, high = rows(tally)[0][4]
    assert high - low < 0.2


def test_matches_that_went_alike_by_chance_count_all():
    tally = counted(drawn(200, 1, 1))  # as short as a toss of a coin: few ways to go, all by luck
    assert tally.different == 400


def test_a_table_without_luck_counts_once_beside_one_with_luck():
    matches = []
    for nth in range(30):
        matches += [((0, 1), (1.0, 0.0), 0, nth, 1), ((0, 2), (float(nth % 2), 1.0 - nth % 2), 0, nth, 10 + nth)]
    tally = counted(matches, agents=3)
    assert tally.different == 31
    pairs = {pair[:2]: pair for pair in tally.table().pair_rows()}
    assert pairs[0, 1][2:5] == (1, 1.0, 1.0)
    assert pairs[0, 2][2] == 30
    assert tally.missing("x").startswith(
        "60 matches are 31 different ones: some agents are deterministic and there is one start"
    )


def test_one_round_has_no_interval_and_says_so():
    tally = counted(drawn(1, 1, 9))
    assert (
        tally.missing("--opening 4")
        == "the matches are one block, and an interval needs two; play more, or use --opening 4"
    )
    assert tally.missing("--opening 4", more=True) == ""


def test_ties_that_rounding_breaks_are_ties_in_every_count():
    tally = counted([((0, 1), (1.9999999999999998, 2.0), nth, nth, nth) for nth in range(20)])
    first, second = tally.table().rows(None)
    assert (first.shared, second.shared, first.wins + second.wins) == (20, 20, 0)
    assert tally.table().pair_rows()[0][3] == 0.5


def test_failed_and_unfinished_matches_are_no_games():
    tally = counted(drawn(5, 5, 9))
    before = whole(tally)
    tally.add_unfinished()
    tally.add_fault((1, 0), 0)
    assert whole(tally) == before
    assert (tally.matches, tally.finished, tally.unfinished, tally.failed, tally.faults) == (12, 10, 1, 1, [0, 1])


def test_ratings_are_told_with_error_as_bound_or_not_at_all():
    assert elo_text(12.3, 10.0, "") == "+12 ± 20"
    assert elo_text(-310.2, None, "<") == "< -310"
    assert elo_text(0.0, None, "") == "+0"
    assert elo_text(None, None, "") == "–"


def test_equal_texts_have_equal_numbers_that_a_store_can_hold():
    assert number_of("left=12") == number_of("left=12") != number_of("left=13")
    assert all(0 <= number_of(str(n)) < 2**63 for n in range(100))
