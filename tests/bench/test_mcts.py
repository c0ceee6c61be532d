"""The figures of search by sampling have a row each; no test asserts a time."""

from bench import mcts, peer
from kingmaker import load_game
from tests.samples import STICKS


def test_ours_run_alone_where_the_peer_is_not_installed(monkeypatch):
    monkeypatch.setattr(peer, "installed", lambda: False)
    (row,) = mcts.compared(STICKS, "tic_tac_toe", rounds=1, ours=50)
    assert row.what == "sticks: mcts"
    assert row.value > 0


def test_both_peers_are_asked_for_as_many_playouts_as_are_counted():
    if peer.installed():
        for python in (False, True):
            found = mcts.their_playouts("tic_tac_toe", 10, python)
            assert (found.nodes, found.seconds > 0) == (10, True)


def test_pimc_and_threads_have_rows_with_their_targets():
    rows = list(mcts.asked_in_worlds(load_game(mcts.TRICKS), "mcts(playouts=50, tree=8)", rounds=1, deals=2))
    assert [row.target for row in rows] == ["at most 1.1", "at least 1.8"]
    assert mcts.side_by_side(STICKS, 1, 50).target == "at least 1.8"
