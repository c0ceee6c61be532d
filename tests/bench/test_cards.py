"""The card games' part of the bench: hands, redeals and states are measured as they are said to be."""

import pytest
from bench.random_hands import dealer

from bench import cards, peer
from kingmaker.games.hearts import Hearts

SMALL = Hearts(open=True, ranks=4)


def test_random_hands_have_rows_for_ours_and_for_the_peer_s():
    rows = list(cards.hands(1, 20, 1))
    assert [row.what for row in rows] == [
        "hearts: random hands",
        "spades: random hands",
        "go_fish: random hands",
        "hearts, open_spiel: random hands",
        "hearts, open_spiel's bots: random hands",
        "go_fish, open_spiel: random hands",
        "go_fish, open_spiel's bots: random hands",
        "hearts: random hands, ratio to open_spiel",
        "hearts: random hands, ratio to open_spiel's bots",
        "go_fish: random hands, ratio to open_spiel",
        "go_fish: random hands, ratio to open_spiel's bots",
    ]
    assert [row.target for row in rows][-4:] == ["at least 10", "at least 2"] * 2


def test_without_the_peer_ours_run_alone(monkeypatch):
    monkeypatch.setattr(peer, "installed", lambda: False)
    assert len(list(cards.hands(1, 20, 1))) == 3


def test_hands_that_pay_something_else_are_a_fault():
    with pytest.raises(AssertionError, match=r"20 of 20 hands of hearts\(\) do not pay -27 in all"):
        cards.in_one_call(Hearts(), -27.0, 20)()


def test_random_hands_are_the_same_compiled_and_interpreted(wrapping):
    assert dealer(SMALL, 3, compiled=False)(5, -17.0) == 0
    assert dealer(SMALL, 3, compiled=False)(5, -26.0) == 5


def test_redeals_are_timed_for_every_seat_of_a_position():
    rows = list(cards.redeals(Hearts(), 8))
    assert [row.target for row in rows] == ["at most 20 µs", "at most 1000 µs"]
    assert rows[1].what == "hearts(): a redeal, the longest of 8"
    assert 0 < rows[0].value <= rows[1].value


def test_a_whole_hand_is_played_by_four_of_an_agent():
    row = cards.whole_hand(SMALL, "weak_rational", 1)
    assert row.what == "hearts(open=True, ranks=4), four of weak_rational: a hand"
    assert row.value > 0
