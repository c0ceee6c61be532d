"""Go Fish beside OpenSpiel, its hidden cards beside Bayes' rule, and what nobody may see."""

import random
from collections import Counter

import numpy as np
import pyspiel
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, BadPosition
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import stream
from kingmaker.core.scratch import scratch
from kingmaker.core.secrets import picture, redealt, turn_text, world_of
from kingmaker.core.workspace import workspace
from kingmaker.games.go_fish import GoFish
from kingmaker.games.parts.go_fish.dealing import gather, walked
from kingmaker.games.parts.go_fish.hidden import CARDS
from kingmaker.games.parts.go_fish.table import lay_out
from kingmaker.games.parts.go_fish.texts import fault_of
from kingmaker.soundness.fault import frozen
from tests.games.go_fish_oracle import Belief
from tests.samples import positions

GAME = GoFish()
SMALL = [GoFish(seats=2, ranks=3, cards=2), GoFish(seats=3, ranks=4, cards=2)]


def dealt_by(game, rng):
    """A new match of OpenSpiel's whose cards were dealt at random, and these cards."""
    settings = {"players": game.seats, "ranks": game.ranks, "initial_cards": game.dealt}
    theirs, cards = pyspiel.load_game("go_fish", settings).new_initial_state(), []
    for _ in range(game.seats * game.dealt):
        cards.append(rng.choices(*zip(*theirs.chance_outcomes()))[0])
        theirs.apply_action(cards[-1])
    return theirs, cards


def has_book(game, cards):
    """Was a book dealt? Then OpenSpiel deals further cards."""
    return any(cards[place : place + game.dealt].count(card) == 4 for place, card in enumerate(cards))


def in_step(game, seed):
    """Play one random match beside OpenSpiel, interpreted: the same movers, asks, draws, hands, books and winners."""
    rng, state = random.Random(seed), game.blank()
    theirs, cards = dealt_by(game, rng)
    state.pool[: game.ranks] = 4
    for place, card in enumerate(cards):
        game.take(state, place // game.dealt, card, 0)
    assert state.hands.max() < 4
    game.open_match(state)
    while (seat := game.mover(state)) != OVER:
        assert not theirs.is_terminal()
        assert board(game, state) == str(theirs).split("\n")[1 : game.seats + 3]
        if seat == CHANCE:
            assert dict(game.chances(state)) == pytest.approx(dict(theirs.chance_outcomes()))
            move = action = rng.choice(theirs.legal_actions())
        else:
            assert seat == theirs.current_player()
            asks = {meant_by(theirs, action): action for action in theirs.legal_actions()}
            assert sorted(asks) == game.legal(state)
            move = rng.choice(list(asks))
            action = asks[move]
        theirs.apply_action(action)
        game.play(state, seat, move)
        assert game.admits(state)
    assert_same_end(game, state, theirs)


def assert_same_end(game, state, theirs):
    assert theirs.is_terminal()
    books = state.books.tolist()
    assert sum(books) == game.ranks
    winners = [each for each, value in enumerate(theirs.returns()) if value > 0]
    assert winners == [each for each in range(game.seats) if books[each] == max(books)] or len(set(books)) == 1


@kernel
def followed(game, work, cards, moves, count, movers, open_moves):
    """Deal these cards and play these moves from work.states[0] on; write down who was to move and, as bits, what was
    legal. Returns the first move that is not legal, or `count`.
    """
    state = work.states[0]
    for rank in range(game.ranks):
        state.pool[rank] = 4
    for place in range(game.seats * game.dealt):
        game.take(state, place // game.dealt, cards[place], 0)
    game.open_match(state)
    for at in range(count):
        movers[at], open_moves[at] = game.mover(state), 0
        if movers[at] == OVER:
            return at
        if movers[at] == CHANCE:
            for rank in range(game.ranks):
                open_moves[at] |= (1 if state.pool[rank] > 0 else 0) << rank
        else:
            for i in range(game.moves(state, movers[at], work.moves[0])):
                open_moves[at] |= 1 << work.moves[0, i]
        if not open_moves[at] >> moves[at] & 1:
            return at
        game.play(state, movers[at], moves[at])
    return count


def beside(game, seed, work, follow):
    """One random match of OpenSpiel's, followed by our rules in one call; False if a book was dealt."""
    rng = random.Random(seed)
    theirs, cards = dealt_by(game, rng)
    if has_book(game, cards):
        return False
    moves, movers, legal = [], [], []
    while not theirs.is_terminal():
        seat, actions = theirs.current_player(), theirs.legal_actions()
        meant = actions if seat == CHANCE else [meant_by(theirs, action) for action in actions]
        at = rng.randrange(len(actions))
        moves.append(meant[at])
        movers.append(seat)
        legal.append(sum(1 << move for move in meant))
        theirs.apply_action(actions[at])
    ours = np.zeros((2, len(moves)), np.int64)
    work.states[0] = game.blank()
    given = np.array(cards), np.array(moves), len(moves)
    assert follow(game, work.record, *given, ours[0], ours[1]) == len(moves)
    assert ours.tolist() == [movers, legal]
    assert game.mover(work.states[0]) == OVER
    assert_same_end(game, work.states[0], theirs)
    return True


MEANT = {}


def meant_by(theirs, action):
    """The number of our move for an ask of OpenSpiel's, from its text like `1c`."""
    key = (theirs.num_players(), theirs.get_game().num_distinct_actions(), action)
    if key not in MEANT:
        text = theirs.action_to_string(0, action)
        MEANT[key] = 13 * int(text[:-1]) + ord(text[-1]) - ord("a")
    return MEANT[key]


def board(game, state):
    """Our state as OpenSpiel prints it: who is to act, hands with books, the pool."""

    def cards(counts):
        return "".join(f"{chr(97 + rank)}{counts[rank]}" for rank in range(game.ranks) if counts[rank])

    hands = [f"{cards(state.hands[seat])}:{state.books[seat]}" for seat in range(game.seats)]
    return [str(state.seat), *hands, cards(state.pool)]


def test_two_thousand_random_matches_of_three_agree_with_open_spiel():
    work, numbers = workspace(GAME, 1, (), compiled=True), np.zeros(1, np.int64)
    follow = followed.compiled.direct(GAME, work.record, numbers, numbers, 1, numbers, numbers)
    assert sum(beside(GAME, seed, work, follow) for seed in range(2000)) > 1950


@pytest.mark.parametrize(("seats", "ranks", "cards"), [(2, 4, 1), (4, 6, 2), (6, 4, 2)])
def test_small_matches_agree_with_open_spiel(seats, ranks, cards):
    game = GoFish(seats=seats, ranks=ranks, cards=cards)
    for seed in range(20):
        in_step(game, seed)


@kernel
def whole_match(game, work):
    """Play work.states[0] to its end at random; how many cards hands, pool and books had at least, and 99 if ever
    more.
    """
    state, fewest = work.states[0], 52
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if seat == CHANCE:
            game.play(state, seat, game.roll(state, work.rng))
        else:
            game.play(state, seat, game.any_move(state, seat, work.rng, work.moves[0]))
        cards = game.pool_size(state)
        for each in range(game.seats):
            cards += game.size(state, each) + 4 * state.books[each]
        fewest = min(fewest, cards) if cards <= 52 else 99
    return fewest


def test_ten_thousand_random_matches_end_with_thirteen_books():
    work = workspace(GAME, 1, (), compiled=True)
    play, starts = whole_match.compiled.direct(GAME, work.record), [GAME.new(seed) for seed in range(200)]
    for seed in range(10_000):
        work.rng.word = seed
        work.states[0] = starts[seed % 200]
        assert play(GAME, work.record) == 52
        assert sum(work.states[0].books.tolist()) == 13


def known_to(game, seed, steps):
    """A random match of so many events, with what every seat can know of it."""
    rng, state = random.Random(seed), game.new(seed)
    assert not state.books.any()
    hands = state.hands[:, : game.ranks].tolist()
    beliefs = [Belief(me, game.seats, game.ranks, game.dealt, tuple(hands[me])) for me in range(game.seats)]
    for _ in range(steps):
        seat = game.mover(state)
        if seat == OVER:
            break
        books = state.books.tolist()
        if seat == CHANCE:
            drawer, asked = int(state.seat), int(state.asked) - 1
            rank = rng.choices(*zip(*game.chances(state)))[0]
            game.play(state, CHANCE, rank)
            book = rank if state.books.tolist() != books else None
            for belief in beliefs:
                belief.drew(drawer, rank if belief.me == drawer or rank == asked else None, asked, book)
        else:
            move = rng.choice(game.legal(state))
            other, rank = divmod(move, 13)
            given = int(state.hands[other, rank])
            game.play(state, seat, move)
            for belief in beliefs:
                belief.asked(seat, other, rank, given, state.books.tolist() != books)
    return state, beliefs


def world(game, state):
    hands = tuple(tuple(hand[: game.ranks]) for hand in state.hands.tolist())
    return hands, tuple(state.pool.tolist()[: game.ranks])


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_worlds_are_as_likely_as_bayes_rule_says(game):
    """The distance from the true chances, half the sum of all differences, is that of as many true draws, nearly."""
    draws, distances, noises, several = 400, [], [], 0
    deal = redealt.compiled.direct(game, game.new(0), 0, stream(1))
    numbers = np.random.default_rng(5)
    for seed, steps in [(seed, steps) for seed in range(1, 5) for steps in (2, 5, 8, 12, 16)]:
        state, beliefs = known_to(game, seed, steps)
        me = seed % game.seats
        shares = beliefs[me].shares()
        found = Counter()
        for number in range(draws):
            other = game.copy(state)
            deal(game, other, me, stream(number, seed, steps))
            found[world(game, other)] += 1
        assert set(found) <= set(shares), "a world that does not fit what the seat has seen"
        assert all(each in found for each, share in shares.items() if share > 0.03)
        chances = np.array(list(shares.values()))
        distances.append(sum(abs(found[each] / draws - share) for each, share in shares.items()) / 2)
        noises.append(np.mean(np.abs(numbers.multinomial(draws, chances, 50) / draws - chances).sum(1)) / 2)
        several += len(shares) > 2
    assert several > 2
    assert np.mean(distances) < 1.25 * np.mean(noises) + 0.002
    assert max(np.array(distances) - noises) < 0.08


NARROW = (  # seat 0 knows so much that three cards of the pool must keep the others from fours of several ranks
    "3335QQQ/4455569JKKK/44666999TTTJJJK 3TQ 3,0,1 2 "
    "05-36TJ,02-36TJ,0K-36TJ,08-36TJ,07-36TJ,15-2379J,15-2379J,1Q-2379J,1A-2379J,1Q-2379J,23-258QKA,"
    "24-258QKA,26-258QKA,27-258QKA,27-258QKA,0A-236TJ,1K-23579J,26!,2J-2358QKA,0Q-67TJ,16-2359J,"
    "29-2568QKA,09-6TJA,1A-239JK,29-258JQKA,03-69TJ,1J-239A,24-2568QKA,0K-2TJ,1T-2369K,2T-2358QKA,"
    "02-9TJA,14-2369Q,27-258JQK,02!,0J-59T,18-369T,2T-2568QK,08-9TQ,14-3689,2A-256K,03-29T,16-39K,"
    "2K-59,02!,19-3T,28-59,05-3,1J-5 "
    "22@0-38+5,5+@5-9,6+@10-14,31@10-43+15,A1@0-41+16,A1@5-16,71@0-31+16,72@10-21,K+@5-20,J+@10-21,"
    "91@0-28+23,A1@20-42+24,61@5-26,31@19-28,9+@10-27,Q2@5-45+30,71@24-33,51@0-31+32,K2@0-35,"
    "T1@5-48+33,T1@10-33,J1@35-35,Q+@0-35,81@5-42+37,J1@26-42,A1@33-43,82@0-47+42,3+@31-41,"
    "81@40-46+47,T+@37-46"
)


def test_a_walk_begins_with_a_deal_that_fits_where_few_do():
    position, rng = GAME.position(NARROW), stream(1, "narrow")
    for _ in range(5):
        state, hidden = GAME.copy(position), scratch(CARDS)
        words, cards = np.zeros(CARDS, int), np.zeros(CARDS, int)
        lay_out(state, words, cards)
        with np.errstate(over="ignore"):
            slots, total = gather(GAME, state, words, cards, 0, hidden)
            assert walked(state, words, cards, 0, rng, hidden, slots, total)


def test_worlds_of_a_whole_deck_keep_all_that_was_seen():
    deal = redealt.compiled.direct(GAME, GAME.new(0), 0, stream(1))
    changed = 0
    for seed in range(3):
        for number, state in enumerate(positions(GAME, count=40, seed=seed)[::8]):
            for me in range(3):
                other = GAME.copy(state)
                deal(GAME, other, me, stream(number, "deck"))
                assert GAME.admits(other)
                assert other.hands[me].tolist() == state.hands[me].tolist()
                for name in ("owner", "excluded", "told", "seen", "heard"):
                    assert other[name].tobytes() == state[name].tobytes()
                changed += frozen(other) != frozen(state)
    assert changed > 30


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_the_same_luck_gives_the_same_world_and_the_same_decision_from_all_that_looks_the_same(game):
    agent = load_agent("maxn(depth=2, one_world=True, estimate=sets)")
    for number, state in enumerate(positions(game, count=5, seed=4)):
        for me in range(game.seats):
            other = world_of(game, state, me, stream(number, "other"))
            one, two = (world_of(game, each, me, stream(number, "luck")) for each in (state, other))
            assert frozen(one) == frozen(two)
            assert picture(game, other, me) == picture(game, state, me)
        if number < 2:
            other = world_of(game, state, game.mover(state), stream(number, "other"))
            first, second = (agent.decide(game, each, stream(number), Ask(compiled=False)) for each in (state, other))
            assert (first.move, first.values, first.nodes) == (second.move, second.values, second.nodes)


def test_a_seat_sees_its_own_cards_only():
    state = GAME.new(2)
    assert picture(GAME, state, 1).count("?") == 10
    assert "pool: 37 cards" in picture(GAME, state, 1)
    assert "?" not in picture(GAME, state)
    assert max(map(len, picture(GAME, state).splitlines())) <= 80


def test_books_and_sets_are_counted():
    game, out = SMALL[0], np.zeros(2)
    state = game.new(1)
    state.hands[:, :3], state.pool[:3] = [[2, 1, 0], [1, 0, 3]], [1, 3, 1]
    game.estimate("books").value(game, state, out)
    assert out.tolist() == [0.0, 0.0]
    game.estimate("sets").value(game, state, out)
    assert out.tolist() == pytest.approx([4 / 6 + 1 / 4, 1 / 6 + 9 / 10])


def test_intervals_hold_all_open_books_and_close_at_the_end():
    low, high = np.zeros(2), np.zeros(2)
    game, state = SMALL[0], SMALL[0].new(1)
    state.books[:] = [1, 0]
    game.estimate().interval(game, state, low, high)
    assert (low.tolist(), high.tolist()) == ([1.0, 0.0], [3.0, 2.0])
    state.books[:] = [1, 2]
    game.estimate().interval(game, state, low, high)
    assert low.tolist() == high.tolist() == list(game.payoffs(state))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("go_fish(seats=7)", "expected 2 to 6 seats at go fish, got 7"),
        ("go_fish(ranks=14)", "expected 2 to 13 ranks, got 14"),
        ("go_fish(seats=6, cards=9)", "expected at most 8 cards for each seat, got 9; give `cards` a number"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(text)


def test_states_that_no_match_can_come_to_are_not_admitted():
    for change in (
        "hands[0, 0] += 1", "owner[0] = 0", "filled = 60", "books[0] = 3", "pool[3] += 1", "card[0] += 1 << 50",
        "told[9, 0] = 1", "told[0] = [64, 0, 3, 0]; state.tellings = 1", "seat = 5", "draws = 1", "tellings = 60",
    ):  # fmt: skip
        state = GAME.new(1)
        assert GAME.admits(state)
        exec(f"state.{change}", {"state": state})
        assert not GAME.admits(state), change


SMALL_DECK = GoFish(seats=2, ranks=4, cards=3)


@pytest.mark.parametrize("game", [GAME, SMALL_DECK, GoFish(seats=6)], ids=str)
def test_every_position_survives_being_written_and_read(game):
    for seed in range(3):
        for state in positions(game, count=30, seed=seed):
            assert frozen(game.position(game.notation(state))) == frozen(state)


def test_the_text_of_a_position_says_what_all_know():
    """Seat 0 asks for fives in vain and draws a three, which it does not show; then seat 1 asks for threes."""
    state = SMALL_DECK.position(text_of())
    state = SMALL_DECK.after(state, 13 + 3)
    assert SMALL_DECK.notation(state) == "255/234 2233344455 0,0 0+5 05,05,02,12-5,13-5,14-5 5+@0-2"
    state = SMALL_DECK.after(state, 1)
    assert SMALL_DECK.notation(state) == "2355/234 223344455 0,0 1 05,05,02,12-5,13-5,14-5,03-5 5+@0-2"
    state = SMALL_DECK.after(state, 1)
    told = "5+@0-2,3+@3-5,31@0-6"
    assert SMALL_DECK.notation(state) == f"255/2334 223344455 0,0 1 05,05,02,12-5,13-5,14-5,03-5 {told}"
    state = SMALL_DECK.after(state, 0)
    assert SMALL_DECK.notation(state).endswith("0,0 1 05,05,02,12-5,13-5,14-5,03-5 " + told + ",2+@3-5,21@0-6")


def text_of(hands="255/234", pool="2233344455", books="0,0", turn="0", cards="05,05,02,12,13,14", told="-"):
    return f"{hands} {pool} {books} {turn} {cards} {told}"


ALL_DRAWN = {"hands": "22233345/23444555", "pool": "-", "cards": "02,02,02,03,03,03,04,05,12,13,14,14,14,15,15,15"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"told": ""}, "expected hands, pool, books, turn, cards and tellings in a position"),
        ({"hands": "255"}, "expected 2 hands with / between them in a position"),
        ({"hands": "25K/234"}, "there is no card 'K' in .*; the ranks are 2345"),
        ({"books": "0"}, "expected 2 numbers of books in a position"),
        ({"turn": "0K"}, r"expected a seat, \+ if it draws, and the rank asked for, like 0\+K, got '0K'"),
        ({"cards": "05,05,2,12,13,14"}, "'2' is no card; write 0K for a king of seat 0, 0K! if all know it"),
        ({"told": "5@0"}, "'5@0' is no telling; write K2@3-17 for two kings among the cards 3 to 17"),
        ({"cards": ",".join(["05"] * 53)}, "expected at most 52 cards dealt and drawn, got 53"),
        ({"told": ",".join(["51@0-2"] * 53)}, "expected at most 52 tellings, got 53"),
        ({"cards": ",".join(["05"] * 17)}, "more cards or tellings than there are, 17 and 0,"),
        ({"cards": "05,05,02,12,13,1K"}, "a card that is not in the deck, or more than 6 cards"),
        ({"hands": "255/2344"}, "5 cards of rank 4 are there instead of 4; a card is missing or too many"),
        ({"hands": "25/234"}, "3 cards of rank 5 are there instead of 4; a card is missing or too many"),
        ({"pool": "22333444555"}, "the pool has 3 cards of rank 5 instead of the 2 that nobody was dealt"),
        ({"hands": "25555/234"}, "seat 0 holds 4 cards of rank 5, which are a book and must be laid down"),
        ({"books": "1,0"}, "the seats have 1 books, but 0 ranks are gone"),
        ({"cards": "05,05,02,32,13,14"}, "a card was dealt to a seat that is not there; the seats are 0 to 1"),
        ({"cards": "05-5,05,02,12,13,14"}, "card 0 of seat 0 is a 5, though all know that it is not"),
        ({"cards": "05-23456789TJQKA,05,02,12,13,14"}, "card 0 of seat 0 is a 5, though all know that it is not"),
        ({"cards": "05-K,05,02,12,13,14"}, "card 0 of seat 0 is known not to be of a rank that is not in the deck"),
        ({"told": "51@0-2"}, "seat 0 got 2 cards of rank 5 as cards 0 to 2, but its answers and books tell of 1"),
        ({"told": "5+@3-5"}, "seat 1 asked for 5 without a card of that rank before card 6"),
        ({"told": "52@0-9"}, "a telling is about cards 0 to 9, but 6 were dealt or drawn"),
        ({"told": "52@0-2+9"}, "a telling about cards 0 to 2 speaks of card 9"),
        ({"turn": "0+"}, "seat 0 has cards and draws without having asked"),
        ({"turn": "0+4"}, "seat 0 has asked for 4 without a card of that rank"),
        ({"turn": "7"}, "the seat to move or the rank asked for is out of range"),
        ({"hands": "-/223345", "pool": "2233444555", "cards": "12,12,13,13,14,15"}, "seat 0 is to ask without cards"),
        (ALL_DRAWN | {"turn": "0+2"}, "seat 0 is to draw from an empty pool"),
    ],
)
def test_positions_that_no_match_comes_to_are_refused_with_the_rule_broken(words, sentence):
    with pytest.raises(BadPosition, match=sentence):
        SMALL_DECK.position(text_of(**words))


def test_fields_that_no_text_can_have_are_refused_too():
    for change, sentence in (
        ("hands[0, 9] = 1", "seat 0 holds cards that are not in the deck"),
        ("told[3, 1] = 1", "there are more than 0 tellings"),
        ("held[0] = 1", "the ranks held, [1, 7], do not follow from cards and tellings"),
        ("seen[1] = 4", "the ranks seen, [0, 4], do not follow from cards and tellings"),
        ("heard[0] = 8", "the ranks heard, [8, 0], do not follow from cards and tellings"),
    ):
        state = SMALL_DECK.position(text_of())
        exec(f"state.{change}", {"state": state})
        assert fault_of(SMALL_DECK, state) == sentence


def test_what_is_told_of_a_draw_is_the_same_for_all_cards_that_the_others_cannot_tell_apart():
    told = 0
    for before in positions(SMALL_DECK, count=60, seed=8):
        state = SMALL_DECK.after(before, SMALL_DECK.legal(before)[0])
        if SMALL_DECK.mover(state) != CHANCE:
            continue
        drawer, asked = int(state.seat), int(state.asked) - 1
        words = {}
        for rank, _ in SMALL_DECK.chances(state):
            shown = rank == asked or state.hands[drawer, rank] == 3
            words.setdefault(rank if shown else None, set()).add(turn_text(SMALL_DECK, state, CHANCE, rank, 1 - drawer))
            assert turn_text(SMALL_DECK, state, CHANCE, rank, drawer).startswith(f"you fish a {'2345'[rank]}")
        assert all(len(each) == 1 for each in words.values())
        told += 1
    assert told > 10


def test_an_ask_is_told_with_its_answer_and_its_book():
    state = SMALL_DECK.position("2355/345 222334445 0,0 0 05,05,02,13,15,14,03 -")
    assert turn_text(SMALL_DECK, state, 0, 13 + 3, 0) == "asks seat 1 for 5 and gets 1"
    assert turn_text(SMALL_DECK, state, 0, 13 + 3, 1) == "asks you for 5 and gets 1"
    assert turn_text(SMALL_DECK, state, 0, 13, 0) == "asks seat 1 for 2 and is told to go fish"
    book = SMALL_DECK.position("2355/3455 22233444 0,0 0 05,05,02,13,15,14,03,15 -")
    assert turn_text(SMALL_DECK, book, 0, 13 + 3, 0) == "asks seat 1 for 5 and gets 2, which makes a book of 5"
