"""What a seat can know at a card table: worlds are exactly those that fit, each as likely as any other."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from kingmaker.core.game import OVER
from kingmaker.core.rng import below, stream
from kingmaker.core.secrets import redealt, world_of
from kingmaker.games.hearts import Hearts
from kingmaker.games.parts.cards.cards import card_in, card_text
from kingmaker.games.parts.cards.redeal import below_many
from kingmaker.games.spades import Spades
from kingmaker.soundness.fault import frozen
from tests.games.table_oracle import cards, consistent, hands_of

SOURCE, PARLOUR = Hearts(ranks=4), Hearts(rules="parlour", ranks=4)
SPADES, BROKEN = Spades(ranks=4), Spades(ranks=4, breaking=True, bids=True, nil=True)
HOLD = 3  # hands before the one in which nobody passes


def hand_played(game, seed, plies, before=0):
    """A state so many cards into a random hand, and the cards that were played, with who played them."""
    state, rng, played = game.blank(), stream(seed, "table"), []
    if "kept" in game.State.names and not hasattr(game, "bids"):
        state.kept[0] = before
    with np.errstate(over="ignore"):
        game.start(state, rng)
        while len(played) < plies and game.mover(state) != OVER:
            seat, legal = game.mover(state), game.legal(state)
            move = legal[below(rng, len(legal))]
            if game.before(state) == OVER:
                played.append((int(seat), move))
            game.play(state, seat, move)
    return state, played


def worlds_of(game, state, seat, played):
    """All worlds that fit, by the oracle."""
    if "given" not in game.State.names:
        return set(consistent(game, state, seat, played))
    given = [cards(state.given[each]) for each in range(4)]
    return set(consistent(game, state, seat, played, given, int(game.passing.step(state))))


def seen_in(game, world):
    gifts = [cards(world.given[each]) for each in range(4)] if "given" in game.State.names else [frozenset()] * 4
    return tuple(hands_of(world)), tuple(gifts)


def drawn(game, state, seat, count):
    return Counter(seen_in(game, world_of(game, state, seat, stream(number, "drawn"))) for number in range(count))


LED_A_HEART, LED_A_SPADE = 0b10111, 0b1011  # what a seat lacks that leads one before it is broken
CASES = [
    (SOURCE, 0, 8, 1), (SPADES, 0, 9, 1), (BROKEN, 0, 9, LED_A_SPADE), (PARLOUR, HOLD, 8, LED_A_HEART),
    (PARLOUR, HOLD, 9, 1), (PARLOUR, 0, 10, 1), (PARLOUR, 2, 11, 1),
]  # fmt: skip


@pytest.mark.parametrize(("game", "before", "plies", "lacking"), CASES, ids=str)
def test_worlds_are_exactly_those_that_fit_and_each_is_as_likely_as_any_other(game, before, plies, lacking):
    for seed in range(300):
        state, played = hand_played(game, seed, plies, before)
        for seat in range(4):
            if any(int(state.lacks[other]) & lacking == lacking for other in range(4) if other != seat):
                worlds = worlds_of(game, state, seat, played)
                if 5 <= len(worlds) <= 60:
                    dealt = drawn(game, state, seat, 20 * len(worlds))
                    assert set(dealt) == worlds
                    assert chisquare(list(dealt.values())).pvalue > 1e-3
                    return
    raise AssertionError("no such hand")


def test_a_first_trick_full_of_points_tells_that_there_was_nothing_else():
    """By the rules of the parlour: whoever lays a point to the first trick has no card without one."""
    told = 0
    for seed in range(400):
        state, played = hand_played(PARLOUR, seed, 4, HOLD)
        for seat, card in played[1:]:
            if card // 13 == 3 or card == PARLOUR.odd:
                told += 1
                assert int(state.lacks[seat]) & 0b111 == 0b111
                assert set(drawn(PARLOUR, state, (seat + 1) % 4, 200)) <= worlds_of(
                    PARLOUR, state, (seat + 1) % 4, played
                )
        if told:
            return
    raise AssertionError("no such hand")


@pytest.mark.parametrize(
    ("game", "before"),
    [(Hearts(), 0), (Hearts(rules="parlour"), 0), (Hearts(rules="parlour"), 1), (Spades(), 0)],
    ids=str,
)
def test_worlds_of_a_whole_deck_fit_what_was_played_and_keep_what_was_seen(game, before):
    for seed in range(6):
        state, _ = hand_played(game, seed, 5 * seed, before)
        for seat in range(4):
            world = world_of(game, state, seat, stream(seed, seat))
            assert game.admits(world)
            assert cards(world.hands[seat]) == cards(state.hands[seat])
            assert frozenset().union(*hands_of(world)) == frozenset().union(*hands_of(state))
            if "given" in game.State.names and game.before(state) == OVER:
                receiver = (seat + int(game.passing.step(state))) % 4
                kept = cards(state.given[seat]) & cards(state.hands[receiver])
                assert kept <= cards(world.hands[receiver])


def test_a_world_dealt_from_a_world_is_the_one_dealt_from_the_state():
    for game in (SOURCE, PARLOUR, BROKEN):
        state, _ = hand_played(game, 3, 6)
        other = world_of(game, state, 1, stream(1, "other"))
        assert frozen(world_of(game, state, 1, stream(2))) == frozen(world_of(game, other, 1, stream(2)))


def test_numbers_below_a_large_count_are_uniform(wrapping):
    rng, count = stream(1, "many"), 3 * 2**61
    thirds = Counter(below_many(rng, count) // 2**61 for _ in range(3000))
    assert set(thirds) == {0, 1, 2}
    assert chisquare(list(thirds.values())).pvalue > 0.01


def test_cards_are_written_and_read():
    assert [card_text(card) for card in (0, 12, 36, 51)] == ["2C", "AC", "QS", "AH"]
    assert [card_in(text) for text in ("2c", " QS ", "10h", "T♥", "q♠", "1S", "", "QSS")] == [
        0, 36, 47, 47, 36, -1, -1, -1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "game", [Hearts(), Hearts(rules="parlour"), Spades(bids=True, nil=True, bags=True, breaking=True)], ids=str
)
def test_machine_code_deals_the_same_worlds(game):
    deal = redealt.compiled.direct(game, game.new(), 0, stream(0))
    for seed in range(12):
        state, _ = hand_played(game, seed, 4 * seed)
        for seat in range(4):
            machine, twin = stream(seed, seat), stream(seed, seat)
            world = game.copy(state)
            deal(game, world, seat, machine)
            assert frozen(world) == frozen(world_of(game, state, seat, twin))
            assert machine.word == twin.word
