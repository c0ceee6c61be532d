"""Hearts: tricks, points, the rules of the parlour, texts both ways, estimates and what is refused."""

import numpy as np
import pytest
from bench.random_hands import dealer

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.hearts import Hearts
from kingmaker.games.parts.cards.cards import card_in
from tests import oracles
from tests.samples import TWIN, any_of, positions

OPEN, PARLOUR = Hearts(open=True), Hearts(rules="parlour")
SMALL, SMALL_PARLOUR = Hearts(open=True, ranks=4), Hearts(open=True, rules="parlour", ranks=4)
SUITS_APART = "AKQJT98765432.../.AKQJT98765432../..AKQJT98765432./...AKQJT98765432"
GOOD = "2.3../A.5../J5.../.76.. - 0 -,-,-,- 12,0,13,1 1"


def played(game, state, *words):
    """The state after cards written as people write them."""
    for word in words:
        state = game.after(state, game.parse(state, game.mover(state), word))
    return state


def values(estimate, game, state):
    out = np.zeros(4)
    estimate.value(game, state, out)
    return out


def test_the_two_of_clubs_is_led_and_the_highest_card_of_its_suit_takes_the_trick():
    state = OPEN.position(f"{SUITS_APART} - 0 -,-,-,- 0,0,0,0 0")
    assert OPEN.legal(state) == [card_in("2C")]
    state = played(OPEN, state, "2C", "AD", "QS", "7H")
    assert state.points.tolist() == [14, 0, 0, 0]
    assert OPEN.mover(state) == 0
    assert state.lacks.tolist() == [0, 1, 1, 1]


def test_suit_is_followed_by_whoever_can():
    state = OPEN.position("2..K.A/A.5.Q./J5..J./.7.A9. - 0 -,-,-,- 0,0,12,0 1")
    state = played(OPEN, state, "2C")
    assert OPEN.legal(state) == [card_in("AC")]
    assert OPEN.legal(played(OPEN, state, "AC")) == [card_in("5C"), card_in("JC")]
    assert OPEN.legal(played(OPEN, state, "AC", "5C")) == [card_in("7D"), card_in("9S"), card_in("AS")]


@pytest.mark.parametrize("ranks", [4, 13])
def test_with_one_suit_each_nobody_follows_and_plays_can_be_counted(ranks):
    """Every trick is the leader's; the lowest club opens, so n^3 first tricks and then (n - 1)^4 and so on."""
    top = "AKQJT98765432"[:ranks]
    game = Hearts(open=True, ranks=ranks)
    state = game.position(f"{top}.../.{top}../..{top}./...{top} - 0 -,-,-,- 0,0,0,0 0")
    assert oracles.perft(game, state, 4) == ranks**3
    if ranks == 4:
        assert oracles.perft(game, state, 8) == 4**3 * 3**4


@pytest.mark.parametrize(("text", "total"), [("hearts", -26.0), ("spades", 130.0)])
def test_ten_thousand_random_hands_share_out_all_points(text, total):
    assert dealer(load_game(text), 1)(10_000, total) == 0
    assert dealer(load_game(text), 1)(10, total + 1) == 10


def test_a_hand_is_26_points_and_a_short_deck_fewer():
    for game, points in ((Hearts(), 26), (Hearts(ranks=6), 19)):
        state, rng = game.new(5), stream(5)
        with np.errstate(over="ignore"):
            while game.mover(state) != OVER:
                game.play(state, game.mover(state), any_of(game, state, rng))
        assert sum(state.points.tolist()) == points == -game.facts.total
        assert sum(game.payoffs(state)) == -points


def test_hearts_must_be_broken_before_they_are_led_at_the_parlour():
    for seed in range(60):
        state, rng = SMALL_PARLOUR.new(seed), stream(seed)
        with np.errstate(over="ignore"):
            while SMALL_PARLOUR.mover(state) != OVER:
                seat, legal = SMALL_PARLOUR.mover(state), SMALL_PARLOUR.legal(state)
                if SMALL_PARLOUR.before(state) == OVER and state.laid == 0 and not state.broken:
                    hearts = [card for card in legal if card // 13 == 3]
                    assert not hearts or len(hearts) == len(legal)
                SMALL_PARLOUR.play(state, seat, any_of(SMALL_PARLOUR, state, rng))


def test_whoever_takes_every_point_shoots_the_moon_at_the_parlour_only():
    deal = "A.../.A../..A./...A - 0 -,c,c,c 25,0,0,0 1"
    assert OPEN.payoffs(played(OPEN, OPEN.position(deal), "AC", "AD", "AS", "AH")) == (-26.0, 0.0, 0.0, 0.0)
    state = PARLOUR.blank()
    PARLOUR.clear(state)
    state.tricks, state.points[0] = 13, 26
    assert PARLOUR.payoffs(state) == (0.0, -26.0, -26.0, -26.0)


def test_three_cards_are_passed_and_the_way_changes_from_hand_to_hand():
    for before, step in enumerate((1, 3, 2)):
        state = PARLOUR.blank()
        state.kept[0] = before
        with np.errstate(over="ignore"):
            PARLOUR.start(state, stream(before))
        hands = [set(PARLOUR.legal(state, seat)) for seat in range(4)]
        chosen = [sorted(hand)[:3] for hand in hands]
        assert all(PARLOUR.is_secret(state, seat) for seat in range(4))
        state = PARLOUR.after(state, *(card for cards in chosen for card in cards))
        for seat in range(4):
            now = {13 * suit + rank for suit in range(4) for rank in range(13) if state.hands[seat, suit] >> rank & 1}
            assert now == hands[seat] - set(chosen[seat]) | set(chosen[(seat - step) % 4])
        assert not PARLOUR.is_secret(state, 0)
        assert PARLOUR.legal(state) == [0]


def test_a_search_may_stop_at_the_end_of_a_trick_only():
    state = OPEN.new(1)
    quiet = []
    for _ in range(8):
        quiet.append(bool(OPEN.quiet(state)))
        state = OPEN.after(state, OPEN.legal(state)[0])
    assert quiet == [True, False, False, False] * 2
    found = load_agent("maxn(depth=1, quiet=3)").decide(SMALL, SMALL.new(2), ask=TWIN)
    assert len(found.line) == 4


@pytest.mark.parametrize("game", [SMALL, SMALL_PARLOUR], ids=str)
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


def test_intervals_are_the_points_left_where_nobody_can_shoot_the_moon():
    state = OPEN.position("A.../.A../..A./...A - 0 -,c,c,c 5,10,10,0 1")
    low, high = np.zeros(4), np.zeros(4)
    OPEN.estimates[0].interval(OPEN, state, low, high)
    assert low.tolist() == [-6, -11, -11, -1]
    assert high.tolist() == [-5, -10, -10, 0]


def test_intervals_of_the_source_begin_at_the_present_value_and_end_without_points():
    rising, state = (
        OPEN.estimate("composition(rising=1)"),
        OPEN.position("A3.../.KQ../..76./...98 - 0 -,-,-,- 10,10,4,0 1"),
    )
    rising.interval(OPEN, state, low := np.zeros(4), high := np.zeros(4))
    assert tuple(low) == tuple(values(OPEN.estimates[0], OPEN, state))
    assert tuple(high) == (0, 0, 0, 0)
    end = OPEN.after(state, *map(card_in, ["AC", "KD", "7S", "9H", "3C", "QD", "6S", "8H"]))
    rising.interval(OPEN, end, low, high)
    assert tuple(low) == tuple(high) == OPEN.payoffs(end) == (-12, -10, -4, 0)
    with pytest.raises(BadParameter, match="expected 0 or 1 for rising, got 2"):
        OPEN.estimate("composition(rising=2)")


def test_such_intervals_see_the_difference_of_cards_that_the_estimate_sees():
    assert OPEN.estimate("composition").bounds_equivalents_alike
    assert not OPEN.estimate("composition(rising=1)").bounds_equivalents_alike
    assert OPEN.estimate("composition(rank=0, standing=1, rising=1)").bounds_equivalents_alike


def test_the_source_s_estimate_counts_what_the_hand_is_made_of():
    """By hand: of 2 points left, in parts of 260; a void suit 10 less, a card that nobody can beat 20 more, each rank
    above eight 1 more.
    """
    state = OPEN.position("A3.../.KQ../..76./...98 - 0 -,-,-,- 10,10,4,0 1")
    parts = [
        65 - 30 + 2 * 20 + (12 - 6) + (1 - 6),
        65 - 30 + 2 * 20 + (11 - 6) + (10 - 6),
        65 - 30 + 2 * 20 + (5 - 6) + (4 - 6),
        65 - 30 + 2 * 20 + (7 - 6) + (6 - 6),
    ]
    expected = [-(taken + 2 * part / 260) for taken, part in zip((10, 10, 4, 0), parts)]
    assert values(OPEN.estimates[0], OPEN, state).tolist() == pytest.approx(expected)


def test_points_on_the_table_count_for_the_best_card_so_far():
    state = OPEN.position("A.../.A../..A./...A - 0 -,c,c,c 5,10,10,0 1")
    later = played(OPEN, state, "AC", "AD", "AS")
    for estimate in OPEN.estimates:
        assert values(estimate, OPEN, state).sum() <= -25
        assert (values(estimate, OPEN, played(OPEN, later, "AH")) == (-6, -10, -10, 0)).all()


def sketch_by_hand(hands, leader, taken, trick=()):
    """The simple rule of the sketch, played with lists of cards instead of bits."""
    hands, points = [set(hand) for hand in hands], list(taken)
    laid = [(leader + ahead) % 4 for ahead in range(len(trick))]
    trick = list(zip(laid, trick))
    while any(hands) or trick:
        while len(trick) < 4:
            seat = (leader + len(trick)) % 4
            hand = hands[seat]
            if not trick:
                card = min(hand, key=lambda card: (card % 13, card // 13))
            elif same := [card for card in hand if card // 13 == trick[0][1] // 13]:
                top = max(card for _, card in trick if card // 13 == trick[0][1] // 13)
                under = [card for card in same if card < top]
                no_queen = [card for card in same if card != 36]
                card = max(under) if under else max(no_queen or same) if len(trick) == 3 else min(same)
            else:
                hearts = [card for card in hand if card >= 39]
                highest = max(card % 13 for card in hand)
                card = 36 if 36 in hand else max(hearts) if hearts else min(c for c in hand if c % 13 == highest)
            hand.remove(card)
            trick.append((seat, card))
        leader = max((card, seat) for seat, card in trick if card // 13 == trick[0][1] // 13)[1]
        points[leader] += sum(1 if card >= 39 else 13 if card == 36 else 0 for _, card in trick)
        trick = []
    return points


def test_the_sketch_plays_the_hand_out_by_its_rule():
    sketch, plain = OPEN.estimate("sketch(trust=100)"), OPEN.estimate("sketch(trust=0)")
    for state in positions(OPEN, count=40, seed=2):
        order = [(state.leader + ahead) % 4 for ahead in range(state.laid)]
        hands = [[c for c in range(52) if state.hands[seat, c // 13] >> c % 13 & 1] for seat in range(4)]
        by_hand = sketch_by_hand(hands, int(state.leader), state.points.tolist(), [int(state.trick[s]) for s in order])
        assert values(sketch, OPEN, state).tolist() == [-points for points in by_hand]
        assert values(plain, OPEN, state).tolist() == pytest.approx(values(OPEN.estimates[0], OPEN, state).tolist())
        mixed = (values(sketch, OPEN, state) + values(plain, OPEN, state)) / 2
        assert values(OPEN.estimate("sketch"), OPEN, state).tolist() == pytest.approx(mixed.tolist())


def test_the_picture_hides_the_other_hands():
    state = played(Hearts(), Hearts().new(1), Hearts().say(None, 0, 0))
    seat = Hearts().mover(state)
    shown, whole = Hearts().show(state, seat), Hearts().show(state)
    assert all(len(line) <= 80 for line in [*shown.splitlines(), *whole.splitlines()])
    assert shown.count("13 cards") == 2
    assert shown.count("12 cards") == 1
    assert "2♣*" in shown
    assert "cards" not in whole
    assert "cards" not in OPEN.show(OPEN.new(1), 0)
    passing = PARLOUR.show(PARLOUR.new(1), 2)
    assert "pass 3 cards: left" in passing


def test_a_card_that_breaks_a_rule_is_refused_with_the_rule():
    state = OPEN.position(f"{SUITS_APART} - 0 -,-,-,- 0,0,0,0 0")
    for text, sentence in {
        "AC": "seat 0 must lead 2C, so not AC; the moves are 2C",
        "AD": "seat 0 does not hold AD; the moves are 2C",
        "XX": "'XX' is no legal move here; the moves are 2C",
    }.items():
        with pytest.raises(IllegalMove, match=sentence):
            OPEN.parse(state, 0, text)
    state = OPEN.position(GOOD)
    with pytest.raises(
        IllegalMove, match="seat 1 has clubs and must follow suit, so 5D would be a revoke; the moves are AC"
    ):
        OPEN.parse(played(OPEN, state, "2C"), 1, "5D")
    with pytest.raises(IllegalMove, match=r"60 is no card of hearts\(open=True\); the cards are 0 to 51"):
        OPEN.say(state, 0, 60)
    begun = PARLOUR.new(1)
    first = PARLOUR.legal(begun)[0]
    with pytest.raises(IllegalMove, match="seat 0 has chosen 2C already" if first == 0 else "has chosen"):
        PARLOUR.parse(PARLOUR.after(begun, first), 0, PARLOUR.say(begun, 0, first))


def test_points_on_the_first_trick_and_unbroken_hearts_are_refused_at_the_parlour():
    hold = PARLOUR.blank()
    PARLOUR.clear(hold)
    hold.kept[0], hold.chosen = 4, 12
    for seat, suit in enumerate((0, 1, 2, 3)):
        hold.hands[seat, suit] = PARLOUR.full
    hold.hands[1, 1], hold.hands[1, 3] = 0b1111111111110, 1
    hold.hands[3, 3], hold.hands[3, 1] = 0b1111111111110, 1
    state = PARLOUR.after(hold, 0)
    with pytest.raises(IllegalMove, match="no points may be laid to the first trick, so not 2H"):
        PARLOUR.parse(state, 1, "2H")
    hold.hands[0, 0], hold.hands[0, 3] = 0b0111111111111, 1 << 12
    hold.hands[3, 3], hold.hands[3, 0] = 0b0111111111110, 1 << 12
    hold.tricks = 1
    with pytest.raises(IllegalMove, match="hearts are not broken, so AH may not be led"):
        PARLOUR.parse(hold, 0, "AH")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("banana", r"expected hands, trick, leader, lacks, points, broken in a position of hearts\(open=True\), got"),
        (GOOD.replace("/J5...", ""), "expected four hands with / between them in a position of hearts"),
        (GOOD.replace("2.3..", "2.3."), "expected four suits with dots between them in a hand of hearts"),
        (GOOD.replace("2.3..", "2.X.."), "there is no card 'X' of diamonds in hearts.*; the ranks are 23456789TJQKA"),
        (GOOD.replace("2.3..", "22..."), "the card 2C is twice in a hand of hearts"),
        (GOOD.replace("2.3..", "2.5.."), "the card 5D is there twice in the position"),
        (GOOD.replace("2.3..", "2..."), "seat 0 holds 1 cards instead of 2; a card is missing or too many"),
        (GOOD.replace("2.3..", "AKQJT98765432.2.."), "a card is missing or too many|there twice"),
        (GOOD.replace("- 0 -", "2H,3H,4H,5H 0 -"), "expected at most three cards in the trick of a position"),
        (GOOD.replace("- 0 -", "2X 0 -"), "'2X' is no card in the trick of a position of hearts.*; write QS for"),
        (GOOD.replace(" 0 -", " 7 -"), "expected 0 to 3 for the leader in a position of hearts.*, got '7'"),
        (GOOD.replace("-,-,-,-", "-,-"), "expected what four seats lack in a position of hearts.*, got '-,-'"),
        (GOOD.replace("-,-,-,-", "x,-,-,-"), "expected suits like cdshq or - that seat 0 lacks, got 'x' in hearts"),
        (GOOD.replace("-,-,-,-", "c,-,-,-"), "seat 0 holds 2C, though it is known to lack it in the position"),
        (GOOD.replace("12,0,13,1", "12,0,13"), "expected four numbers for the points in a position of hearts"),
        (GOOD.replace("12,0,13,1", "12,0,13,0"), "the seats have taken 25 points, but 26 are gone in the position"),
        (f"{SUITS_APART} - 1 -,-,-,- 0,0,0,0 0", "seat 1 leads without 2C in the position"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused_with_the_rule_that_it_breaks(text, sentence):
    assert OPEN.notation(OPEN.position(GOOD)) == GOOD
    with pytest.raises(BadPosition, match=sentence):
        OPEN.position(text)


def test_a_revoke_on_the_table_is_refused():
    with pytest.raises(BadPosition, match="seat 1 laid 5H and is not known to lack diamonds, as if it had revoked"):
        OPEN.position("2.../A.../J5.../.76.. 3D,5H 0 -,-,-,- 12,0,12,1 1")


def test_a_state_that_does_not_hold_together_is_no_position():
    for field, value in (
        ("leader", 9), ("laid", 7), ("tricks", 20), ("points", 3), ("hands", 0), ("broken", 4), ("lacks", 255),
        ("trick", 60),
    ):  # fmt: skip
        state = OPEN.new(1)
        state[field] = value
        assert not OPEN.admits(state), field
    for field, value in (("chosen", 40), ("kept", 0), ("given", 1), ("played", 1)):
        state = PARLOUR.new(1)
        state[field] = value
        assert not PARLOUR.admits(state), field
    assert PARLOUR.admits(PARLOUR.new(1))


def test_nonsense_is_refused():
    with pytest.raises(BadParameter, match=r"expected rules 'source' or 'parlour', got 'club' in hearts"):
        load_game("hearts(rules=club)")
    with pytest.raises(BadParameter, match=r"expected 4 to 13 ranks in a suit, got 3 in hearts"):
        load_game("hearts(ranks=3)")
    with pytest.raises(BadParameter, match=r"expected weights from -260 to 260, got 999 in composition"):
        OPEN.estimate("composition(take=999)")
    with pytest.raises(BadParameter, match=r"expected a trust from 0 to 100 percent, got 101 in sketch"):
        OPEN.estimate("sketch(trust=101)")
