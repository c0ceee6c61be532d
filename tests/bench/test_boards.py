"""The board games' part of the bench: the trees on record, and states, moves and matches measured as they are said to
be.
"""

import pytest
from bench.boards import Board
from bench.random_matches import random_match, random_matches

from bench import boards, opening, peer, random_play
from kingmaker import load_game
from kingmaker.core.workspace import workspace
from kingmaker.search.maxn import Maxn

SMALL = load_game("chinese_checkers(seats=2, radius=2, rounds=9)")


def test_every_tree_on_record_is_run_as_deep_as_it_is_small():
    for board in boards.BOARDS:
        rows = list(boards.measured(board, 3000, 1))
        assert len(rows) == len(board.counts) >= 4
        assert all(row.value > 0 and row.target == f"at least {board.million} M leaves/s" for row in rows)
    assert rows[0].what == "chinese_checkers(seats=2, radius=4, camp='all'), 2 deep"


def test_a_tree_with_other_counts_than_on_record_is_a_fault():
    with pytest.raises(AssertionError, match=r"sticks\(\) has \[3, 9\] positions, but on record are \[3, 10\]"):
        list(boards.measured(Board("sticks", 1, 1, {"sticks": [3, 10]}), 100, 1))


def test_a_first_move_is_measured_at_the_depth_that_is_stated():
    found = opening.row(SMALL, Maxn(depth=2), 2)
    assert found.what == "chinese_checkers(seats=2, radius=2, rounds=9), maxn(depth=2): a move, 50 nodes"
    assert found.target == "at most 1 s"
    assert opening.DEPTH == 4


def test_random_matches_have_rows_for_ours_and_for_the_peer_s():
    rows = list(random_play.compared(load_game("chinese_checkers"), "chinese_checkers(players=3)", 1, scale=0.1))
    assert [row.what.partition(": ")[2] for row in rows] == [
        "in one call a match",
        "in one call, all turns listed",
        "agents, turn by turn",
        "open_spiel",
        "open_spiel's bots",
        "ratio to open_spiel",
        "ratio to open_spiel's bots",
    ]
    assert [row.target for row in rows] == ["", "", "", "", "", "at least 10", ""]


def test_without_the_peer_ours_run_alone(monkeypatch):
    monkeypatch.setattr(peer, "installed", lambda: False)
    rows = list(random_play.compared(SMALL, "nothing", 1, scale=0.1))
    assert len(rows) == 3
    assert not any("open_spiel" in row.what for row in rows)


def test_the_peer_s_turns_are_whole_chains_of_hops():
    import pyspiel

    state = pyspiel.load_game("chinese_checkers(players=3)").new_initial_state()
    for text in ("7->16", "107->94", "65->56", "2=>7", "7=>29", "74->64"):
        state.apply_action(state.string_to_action(text))
    assert peer.turns(state) == 5


def test_the_peer_s_rolls_are_no_turns_and_a_double_is_one():
    import pyspiel

    state = pyspiel.load_game("backgammon").new_initial_state()
    for action in (0, None, 35, None, None):  # 21, a turn, 66, both halves of a turn
        state.apply_action(state.legal_actions()[0] if action is None else action)
    assert peer.turns(state) == 2


@pytest.mark.parametrize("listing", [False, True])
def test_a_random_match_is_the_same_compiled_and_interpreted(wrapping, listing):
    for (state, length), seed in zip(random_matches(SMALL, 3, listing), range(3)):
        work = workspace(SMALL, 1, (), compiled=False)
        work.rng.word = seed
        work.states[0] = SMALL.new()
        assert random_match(SMALL, work.record, listing) == length
        assert SMALL.notation(work.states[0]) == SMALL.notation(state)
