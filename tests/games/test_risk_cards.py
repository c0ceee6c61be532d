"""Cards at Risk: which three are a set, what sets bring, who draws and who must trade."""

from collections import Counter
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadPosition
from kingmaker.core.rng import below, stream
from kingmaker.core.wide_records import record
from kingmaker.games.parts.risk.cards import LETTERS, SETS
from kingmaker.games.parts.risk.scripts import NOTES
from tests.games.test_risk import broken
from tests.samples import CHANCE, OVER, TWIN

TRIO = load_game("risk(seats=3, map='two_continents', armies=9, cards=true, limit=60)")
LANDS = "A5,A1,A6,B2,C1,C3"


def said(game, state):
    """The legal orders in words."""
    return [game.say(state, state.seat, move) for move in game.legal(state)]


def played(game, position, *words):
    """The position after orders in words; a chance event is named by what it says."""
    state = game.position(position)
    for word in words:
        seat = game.mover(state)
        move = (
            next(move for move in game.legal(state) if game.say(state, seat, move).startswith(word))
            if seat == CHANCE
            else game.parse(state, seat, word)
        )
        state = game.after(state, move)
    return game.notation(state)


def is_set(cards):
    """Is there a way to name the wild ones so that all three are alike or all differ?"""
    return any(len(set(named)) in (1, 3) for named in product(*["ica" if card == "w" else card for card in cards]))


def test_sets_are_three_alike_or_all_different_with_up_to_two_wild():
    by_definition = {
        cards for cards in combinations_with_replacement("icaw", 3) if is_set(cards) and cards != ("w",) * 3
    }
    listed = [tuple("".join(LETTERS[kind] * count for kind, count in enumerate(each))) for each in SETS.tolist()]
    assert set(listed) == by_definition
    assert len(listed) == len(by_definition) == 13


def test_five_cards_always_hold_a_set_and_four_need_not():
    """So a seat that must trade always can."""
    for size, holds in ((5, True), (4, False)):
        hands = [hand for hand in combinations_with_replacement("icaw", size) if hand.count("w") <= 2]
        found = [any(not Counter(each) - Counter(hand) for each in map(tuple, sets_in_letters())) for hand in hands]
        assert all(found) == holds


def sets_in_letters():
    return ["".join(LETTERS[kind] * count for kind, count in enumerate(each)) for each in SETS.tolist()]


def test_sets_bring_more_and_more():
    assert [int(TRIO.traded_armies(sets)) for sets in range(10)] == [4, 6, 8, 10, 12, 15, 20, 25, 30, 35]


@pytest.mark.parametrize(("text", "deck"), [("classic", [14, 14, 14, 2]), ("two_continents", [2, 2, 2, 2])])
def test_the_deck_has_a_card_for_each_territory_and_two_wild_ones(text, deck):
    game = load_game(f"risk(seats=2, map='{text}', cards=true)")
    assert game.new().hand.tolist() == [[0] * 4] * 2 + [deck]


def test_a_turn_with_a_conquest_ends_with_one_card():
    turn = f"{LANDS} 0 attack 0 0 -,-,- 2.2.2.2 0 0"
    won = played(TRIO, turn, "storm c-d", "0 attackers and 2", "stop", "end")
    assert won.endswith(" draw 0 0 -,-,- 2.2.2.2 0 1")
    assert dict(TRIO.chances(TRIO.position(won))) == {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}
    assert played(TRIO, won, "a card, cavalry").endswith(" 2 place 3 0 c,-,- 2.1.2.2 0 0")
    lost = played(TRIO, turn, "storm c-d", "5 attackers and 0", "stop", "end")
    assert lost.endswith(" 1 place 3 0 -,-,- 2.2.2.2 0 0")


def test_odds_of_a_card_are_those_of_the_pile_and_an_empty_pile_is_made_anew():
    state = TRIO.position(f"{LANDS} 0 draw 0 0 i,-,ca 1.0.1.2 0 1")
    assert TRIO.chances(state) == [(0, 0.25), (2, 0.25), (3, 0.5)]
    rng, seen = stream(3, "cards"), Counter()
    with np.errstate(over="ignore"):
        for _ in range(2000):
            seen[TRIO.roll(state, rng)] += 1
    assert sum((seen[kind] - 2000 * odds) ** 2 / (2000 * odds) for kind, odds in TRIO.chances(state)) < 13.8
    empty = played(TRIO, f"{LANDS} 0 attack 0 0 i,-,ca 0.0.0.0 1 1", "stop", "end")
    assert empty.endswith(" draw 0 0 i,-,ca 1.1.1.2 1 1")
    none_left = played(TRIO, f"{LANDS} 0 attack 0 0 iiww,ccaa,- 0.0.0.0 1 1", "stop", "end")
    assert " place " in none_left


def test_three_may_be_kept_and_five_must_be_traded():
    state = TRIO.position(f"{LANDS} 0 trade 3 0 icaw,-,- 1.1.1.1 0 0")
    assert said(TRIO, state) == ["trade ica", "trade icw", "trade iaw", "trade caw", "keep"]
    kept = played(TRIO, TRIO.notation(state), "keep")
    assert kept.endswith(" 0 place 3 0 icaw,-,- 1.1.1.1 0 0")
    traded = played(TRIO, TRIO.notation(state), "trade caw")
    assert traded.endswith(" 0 place 7 0 i,-,- 1.1.1.1 1 0")
    crowded = TRIO.position(f"{LANDS} 0 trade 3 0 iiccw,-,- 0.0.2.1 5 0")
    assert "keep" not in said(TRIO, crowded)
    assert played(TRIO, TRIO.notation(crowded), "trade icw").endswith(" 0 place 18 0 ic,-,- 0.0.2.1 6 0")


def test_a_turn_begins_with_trading_only_if_there_is_a_set():
    without = played(TRIO, f"{LANDS} 2 fortify 0 0 0,0,0,0,1,3 iic,-,- 0.1.2.2 0 0", "end")
    assert without.endswith(" 0 place 5 1 iic,-,- 0.1.2.2 0 0")
    with_one = played(TRIO, f"{LANDS} 2 fortify 0 0 0,0,0,0,1,3 ica,-,- 1.1.1.2 0 0", "end")
    assert with_one.endswith(" 0 trade 5 1 ica,-,- 1.1.1.2 0 0")


def test_who_takes_the_last_territory_gets_the_cards_and_trades_at_once_if_they_are_six():
    turn = "A5,A1,A6,B1,C1,C3 0 attack 0 0 iic,aw,- 0.1.1.1 0 0"
    five = played(TRIO, turn, "storm c-d", "0 attackers and 1")
    assert five == "A5,A1,A1,A5,C1,C3 0 attack 0 0 iicaw,-,- 0.1.1.1 0 1"
    six = played(TRIO, turn.replace("aw,-", "aaw,-").replace("0.1.1.1", "0.1.0.1"), "storm c-d", "0 attackers and 1")
    assert six == "A5,A1,A1,A5,C1,C3 0 trade 0 0 iicaaw,-,- 0.1.0.1 0 1"
    assert "keep" not in said(TRIO, TRIO.position(six))
    after = played(TRIO, six, "trade ica")  # three are left, so he may not trade again
    assert after == "A5,A1,A1,A5,C1,C3 0 place 4 0 iaw,-,- 0.1.0.1 1 1"
    assert played(TRIO, after, "place d all") == "A5,A1,A1,A9,C1,C3 0 attack 0 0 iaw,-,- 0.1.0.1 1 1"


@pytest.mark.usefixtures("wrapping")
def test_random_matches_with_cards_break_no_law_and_lose_no_card():
    kinds = Counter()
    for seed in range(6):
        state, rng = TRIO.new(seed), stream(seed, "walk")
        while TRIO.mover(state) != OVER:
            seat, before = TRIO.mover(state), TRIO.copy(state)
            legal = TRIO.legal(state)
            move = int(TRIO.roll(state, rng)) if seat == CHANCE else legal[below(rng, len(legal))]
            assert move in legal
            TRIO.play(state, seat, move)
            assert broken(TRIO, before, state, seat, move) == 0
            assert TRIO.admits(state), TRIO.notation(state)
            assert TRIO.notation(TRIO.position(TRIO.notation(state))) == TRIO.notation(state)
            cards = state.hand.sum(axis=0)
            assert state.hand.min() >= 0
            assert (cards <= [2, 2, 2, 2]).all()
            held = int(state.hand[:3].sum()) - int(before.hand[:3].sum())
            drawn, traded = before.phase == 8, before.phase == 7 and state.sets > before.sets
            assert held == (1 if drawn else -3 if traded else 0)
            kinds[drawn, traded] += 1
    assert kinds[True, False] > 10
    assert kinds[False, True] > 3


@pytest.mark.usefixtures("wrapping")
def test_players_trade_as_soon_as_they_can():
    state = TRIO.position(f"{LANDS} 0 trade 3 0 icaw,-,- 1.1.1.1 0 0")
    for name in ("angry", "yakool", "evil_pixie", "plans(maxn(depth=1))"):
        found = load_agent(name).decide(TRIO, state, stream(1, "x"), TWIN)
        assert TRIO.say(state, 0, found.move) == "trade ica"


def test_yakool_attacks_once_for_a_card():
    """He holds a continent, has a middling income and would stop; for a card he tries the weaker neighbour of c."""
    words = {}
    for cards, tail in (("true", " -,-,- 3.3.3.2 0 0"), ("false", "")):
        game = load_game(f"risk(seats=3, map='three_islands', armies=9, cards={cards})")
        memory, state = record(NOTES), game.position(f"A1,A1,A6,B5,B1,B2,C5,C2,C1 0 attack 0 0{tail}")
        words[cards] = []
        while state.phase == 1:
            found = load_agent("yakool").decide(game, state, stream(1, "x"), Ask(compiled=False, memory=memory))
            words[cards].append(game.say(state, 0, found.move))
            state = game.after(state, found.move)
            if game.mover(state) == CHANCE:
                state = game.after(state, 5)  # five attackers are lost
    assert words == {"true": ["fight c-d", "stop"], "false": ["stop"]}


@pytest.mark.usefixtures("wrapping")
def test_players_play_with_cards_to_the_end():
    game = load_game("risk(seats=3, map='three_islands', armies=9, limit=15, cards=true)")
    names = ("yakool", "evil_pixie", "plans(maxn(depth=1))")
    agents = [load_agent(name) for name in names]
    state, memories = game.new(2), [agent.memory(game, seat) for seat, agent in enumerate(agents)]
    dice, streams, traded = stream(2, "dice"), [stream(2, name) for name in names], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if seat == CHANCE:
            game.play(state, seat, game.roll(state, dice))
            continue
        found = agents[seat].decide(game, state, streams[seat], Ask(compiled=False, memory=memories[seat]))
        assert found.move in game.legal(state)
        traded += game.say(state, seat, found.move).startswith("trade")
        game.play(state, seat, found.move)
    assert traded > 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{LANDS} 0 attack 0 0", "and in the end hands, pile, sets traded and conquest as"),
        (f"{LANDS} 0 attack 0 0 -,- 2.2.2.2 0 0", "the numbers or territories after 'attack' cannot be read"),
        (f"{LANDS} 0 attack 0 0 x,-,- 2.2.2.2 0 0", "the numbers or territories after 'attack' cannot be read"),
        (f"{LANDS} 0 attack 0 0 i,-,- 2.2.2.2 0 0", "cannot occur in risk"),  # three infantry, and there are two
        (f"{LANDS} 0 attack 0 0 iccaw,-,- 1.0.1.1 0 0", "cannot occur in risk"),  # five cards, not traded
        (f"{LANDS} 0 trade 3 0 iic,-,- 0.1.2.2 0 0", "cannot occur in risk"),  # no set
        (f"{LANDS} 0 draw 0 0 -,-,- 2.2.2.2 0 0", "cannot occur in risk"),  # nothing was conquered
        ("A5,A1,A6,A2,C1,C3 0 attack 0 0 -,i,- 1.2.2.2 0 0", "cannot occur in risk"),  # B is out
    ],
)
def test_a_bad_position_of_cards_is_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        TRIO.position(text)


def test_the_picture_shows_open_hands():
    state = TRIO.position(f"{LANDS} 0 trade 5 0 ica,-,- 1.1.1.2 0 0")
    assert "> A  3 territories, 12 armies, income 5, cards ica" in TRIO.show(state)
    small, cards = load_game("risk"), load_game("risk(cards=true)")
    assert small.State.itemsize <= 256
    assert cards.State.itemsize <= 512
