"""Spades: trumps, points, bids, nil and bags, texts both ways, estimates and what is refused."""

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.parts.cards.cards import card_in
from kingmaker.games.spades import Spades
from tests import oracles
from tests.samples import any_of, positions

OPEN, SMALL = Spades(open=True), Spades(open=True, ranks=4)
BIDS = Spades(open=True, bids=True, nil=True, bags=True)
SMALL_BIDS = Spades(open=True, bids=True, nil=True, bags=True, breaking=True, ranks=4)
LAST = "A.../.A../..2./...A - 0 -,-,-,- {} 0"


def played(game, state, *words):
    """The state after moves written as people write them."""
    for word in words:
        state = game.after(state, game.parse(state, game.mover(state), word))
    return state


def values(estimate, game, state):
    out = np.zeros(4)
    estimate.value(game, state, out)
    return out


def test_the_lowest_spade_beats_every_other_suit_and_a_trick_is_ten_points():
    state = played(OPEN, OPEN.position(LAST.format("4,4,4,0")), "AC", "AD", "2S", "AH")
    assert OPEN.payoffs(state) == (40.0, 40.0, 50.0, 0.0)


def test_of_two_spades_the_higher_one_takes_and_without_any_the_suit_that_was_led():
    state = OPEN.position("2.../..5./..4./...A - 0 -,-,-,- 4,4,4,0 0")
    assert OPEN.payoffs(played(OPEN, state, "2C", "5S", "4S", "AH")) == (40.0, 50.0, 40.0, 0.0)
    state = OPEN.position("2.../3.../.A../...A - 0 -,-,-,- 4,4,4,0 0")
    assert OPEN.payoffs(played(OPEN, state, "2C", "3C", "AD", "AH")) == (40.0, 50.0, 40.0, 0.0)


def test_with_one_suit_each_all_tricks_go_to_the_spades_and_plays_can_be_counted():
    """Nobody can follow, so the plays after k tricks number (n (n - 1) ... (n - k + 1))^4."""
    top = "AKQJT98765432"
    state = OPEN.position(f"{top}.../.{top}../..{top}./...{top} - 0 -,-,-,- 0,0,0,0 0")
    assert oracles.perft(OPEN, state, 3) == 13**3
    state = SMALL.position("AK.../.AK../..AK./...AK - 0 -,-,-,- 0,2,0,0 0")
    assert oracles.perft(SMALL, state, 8) == 2**4
    for _ in range(8):
        state = SMALL.after(state, SMALL.legal(state)[0])
    assert SMALL.payoffs(state) == (0.0, 20.0, 20.0, 0.0)


def test_spades_may_be_led_at_once_unless_they_must_be_broken():
    text = "A..A./.AK../Q.Q../..K.A - 0 -,-,-,- 0,0,2,0 0"
    assert SMALL.legal(SMALL.position(text)) == [card_in("AC"), card_in("AS")]
    game = Spades(open=True, ranks=4, breaking=True)
    state = game.position(text)
    assert game.legal(state) == [card_in("AC")]
    with pytest.raises(IllegalMove, match="spades are not broken, so AS may not be led; the moves are AC"):
        game.parse(state, 0, "AS")
    state = played(game, state, "AC", "KD", "QC", "KS")
    assert state.broken == 1
    state = game.position("..AK./.AK../Q.Q../K...A - 0 -,-,-,- 0,0,2,0 0")
    assert played(game, state, "AS").lacks.tolist() == [0b1011, 0, 0, 0]


@pytest.mark.parametrize(
    ("bid", "tricks", "before", "points", "after"),
    [
        (3, 3, 0, 30, 0), (3, 2, 0, -30, 0), (3, 5, 0, 32, 2), (0, 0, 0, 100, 0), (0, 1, 4, -100, 4),
        (2, 5, 8, 20 + 3 - 100, 1), (1, 13, 9, 10 + 12 - 200, 1), (13, 13, 9, 130, 9),
    ],
)  # fmt: skip
def test_bids_nil_and_bags_are_counted(bid, tricks, before, points, after):
    state = BIDS.new(1)
    state.bids[:] = bid
    state.kept[:] = before
    state.won[0], state.tricks = tricks, 13
    BIDS.bidding.settle(state, 0)
    assert (state.points[0], state.kept[0]) == (points, after)
    assert BIDS.facts.low <= points <= BIDS.facts.high


def test_without_bags_a_trick_more_is_a_point_and_nothing_else():
    game = Spades(bids=True)
    state = game.new(1)
    state.bids[0] = 2
    assert game.bidding.points(state, 0, 13) == 31
    assert game.legal(game.new(1)) == list(range(1, 14))


def test_everybody_bids_in_turn_before_the_first_trick():
    state = BIDS.new(2)
    assert [BIDS.say(state, 0, bid) for bid in BIDS.legal(state)] == ["nil", *map(str, range(1, 14))]
    state = played(BIDS, state, "nil", "3", "4", "13")
    assert state.bids.tolist() == [0, 3, 4, 13]
    assert BIDS.mover(state) == 0
    assert "0 tricks of nil" in BIDS.show(state, 0)
    with pytest.raises(IllegalMove, match="'14' is no legal move here; the moves are nil, 1, 2"):
        BIDS.parse(BIDS.new(2), 0, "14")
    with pytest.raises(IllegalMove, match=r"99 is no bid of spades.*; ask legal\(\) for the bids"):
        BIDS.say(BIDS.new(2), 0, 99)


@pytest.mark.parametrize("game", [SMALL, SMALL_BIDS], ids=str)
def test_intervals_hold_every_end_that_can_be_reached_and_close_at_the_end(game):
    for estimate in game.estimates:
        for state in positions(game, count=6, seed=4):
            low, high, rng = np.zeros(4), np.zeros(4), stream(1)
            estimate.interval(game, state, low, high)
            with np.errstate(over="ignore"):
                for _ in range(10):
                    end = game.copy(state)
                    while game.mover(end) != OVER:
                        game.play(end, game.mover(end), any_of(game, end, rng))
                    paid = np.array(game.payoffs(end))
                    assert (low <= paid).all(), game.notation(state)
                    assert (paid <= high).all(), game.notation(state)
                    estimate.interval(game, end, low_end := np.zeros(4), high_end := np.zeros(4))
                    assert tuple(low_end) == tuple(high_end) == tuple(paid) == tuple(values(estimate, game, end))


def test_intervals_of_the_source_begin_at_the_present_value_and_end_at_all_tricks():
    rising, state = OPEN.estimate("holding(rising=1)"), OPEN.position("AK.../.AK../..AK./...AK - 0 -,-,-,- 5,0,6,0 0")
    rising.interval(OPEN, state, low := np.zeros(4), high := np.zeros(4))
    assert tuple(low) == tuple(values(OPEN.estimates[0], OPEN, state))
    assert tuple(high) == (130,) * 4
    end = OPEN.after(state, *map(card_in, ["AC", "AD", "AS", "AH", "KS", "KH", "KC", "KD"]))
    rising.interval(OPEN, end, low, high)
    assert tuple(low) == tuple(high) == OPEN.payoffs(end)
    assert not rising.bounds_equivalents_alike
    assert OPEN.estimate("holding(rank=0, standing=1, rising=1)").bounds_equivalents_alike
    with pytest.raises(BadParameter, match="expected 0 or 1 for rising, got 3"):
        OPEN.estimate("holding(rising=3)")


def test_the_source_s_estimate_counts_tricks_and_the_hand():
    """By hand: two tricks left; each ace and king takes 15 parts of 260, a spade more than the mean of 1/2 is 15 parts,
    and the ranks of ace and king above eight are 6 and 5 parts.
    """
    state = OPEN.position("AK.../.AK../..AK./...AK - 0 -,-,-,- 5,0,6,0 0")
    plain, spades = 65 + 30 + 11 + 15 * -2 // 4, 65 + 30 + 11 + 15 * 6 // 4
    expected = [50 + 20 * plain / 260, 20 * plain / 260, 60 + 20 * spades / 260, 20 * plain / 260]
    assert values(OPEN.estimates[0], OPEN, state).tolist() == pytest.approx(expected)


def sketch_by_hand(hands, leader, won, trick=()):
    """The simple rule of the sketch, played with lists of cards instead of bits."""
    hands, won = [set(hand) for hand in hands], list(won)
    trick = [((leader + ahead) % 4, card) for ahead, card in enumerate(trick)]

    def strength(card):
        return (card // 13 == 2, card // 13 == trick[0][1] // 13, card % 13)

    def lowest(cards):
        return min(cards, key=lambda card: (card % 13, card // 13))

    while any(hands) or trick:
        while len(trick) < 4:
            seat = (leader + len(trick)) % 4
            hand = hands[seat]
            if not trick:
                card = min(hand, key=lambda card: (-(card % 13), card // 13))
            else:
                same = [card for card in hand if card // 13 == trick[0][1] // 13]
                top = max(strength(card) for _, card in trick)
                taking = [card for card in same or [card for card in hand if card // 13 == 2] if strength(card) > top]
                if not taking:
                    card = lowest(same or hand)
                else:
                    card = max(taking) if same and len(trick) < 3 else min(taking)
            hand.remove(card)
            trick.append((seat, card))
        leader = max(trick, key=lambda each: strength(each[1]))[0]
        won[leader] += 1
        trick = []
    return won


def test_the_sketch_plays_the_hand_out_by_its_rule():
    sketch, plain = OPEN.estimate("sketch(trust=100)"), OPEN.estimate("sketch(trust=0)")
    for state in positions(OPEN, count=40, seed=2):
        if state.tricks == 12:
            continue  # in the last trick nothing is left to be shared out
        order = [(state.leader + ahead) % 4 for ahead in range(state.laid)]
        hands = [[c for c in range(52) if state.hands[seat, c // 13] >> c % 13 & 1] for seat in range(4)]
        by_hand = sketch_by_hand(hands, int(state.leader), state.won.tolist(), [int(state.trick[s]) for s in order])
        assert values(sketch, OPEN, state).tolist() == pytest.approx([10 * tricks for tricks in by_hand])
        assert values(plain, OPEN, state).tolist() == pytest.approx(values(OPEN.estimates[0], OPEN, state).tolist())


def test_hopes_lie_between_what_a_bid_may_cost_and_bring():
    state = BIDS.new(1)
    state.bids[:] = (3, 0, 3, -1)
    assert BIDS.bidding.hoped(state, 0, 0.0) == -30
    assert BIDS.bidding.hoped(state, 0, 3.0) == 30
    assert BIDS.bidding.hoped(state, 0, 5.0) == 32
    assert BIDS.bidding.hoped(state, 1, 0.5) == 0
    assert BIDS.bidding.hoped(state, 3, 2.5) == 25


GOOD = "A.../.A../..2./...A - 0 -,-,-,- 4,4,4,0 0 3,3,3,3 0,0,0,0 0,0,0,0"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD[:-8], "expected hands, trick, leader, lacks, tricks, broken, bids, bags, points in a position of spades"),
        (GOOD.replace("4,4,4,0", "4,4,3,0"), "the seats have taken 11 tricks, but 12 are gone in the position"),
        (GOOD.replace("3,3,3,3", "3,-,3,3"), "the seats bid in turn, before the first trick in the position"),
        (GOOD.replace("3,3,3,3", "3,3,3,14"), "seat 3 cannot bid 14 in the position"),
        (GOOD.replace("0,0,0,0 0,0,0,0", "10,0,0,0 0,0,0,0"), "expected 0 to 9 for the bags in a position of spades"),
        (GOOD.replace("0,0,0,0 0,0,0,0", "0,0,0,0 -40,0,0,0"), "there are points before the hand is over"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_rule_that_it_breaks(text, sentence):
    assert BIDS.notation(BIDS.position(GOOD)) == GOOD
    with pytest.raises(BadPosition, match=sentence):
        BIDS.position(text)


def test_a_state_that_does_not_hold_together_is_no_position():
    for field, value in (("won", 3), ("broken", 4), ("kept", 11), ("bids", 20), ("leader", -1), ("points", 5)):
        state = BIDS.new(1)
        state[field] = value
        assert not BIDS.admits(state), field
    assert BIDS.admits(BIDS.new(1))


def test_nonsense_is_refused():
    with pytest.raises(BadParameter, match=r"expected bids=True with nil or bags, got bids=False in spades"):
        load_game("spades(nil=true)")
    with pytest.raises(BadParameter, match=r"expected 2 to 13 ranks in a suit, got 14 in spades"):
        load_game("spades(ranks=14)")
    with pytest.raises(BadParameter, match=r"expected weights from -260 to 260, got -999 in holding"):
        OPEN.estimate("holding(trump=-999)")
    with pytest.raises(BadParameter, match=r"expected a trust from 0 to 100 percent, got -1 in sketch"):
        OPEN.estimate("sketch(trust=-1)")
