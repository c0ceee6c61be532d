"""Go Fish beside OpenSpiel, its hidden cards beside Bayes' rule, and what nobody may see."""

import random
from collections import Counter

import numpy as np
import pyspiel
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.referee import referee_of
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import stream
from kingmaker.core.secrets import picture, redealt, world_of
from kingmaker.core.workspace import workspace
from kingmaker.games.go_fish import GoFish
from kingmaker.soundness.fault import frozen
from tests.games.go_fish_oracle import Belief
from tests.samples import positions

GAME = GoFish()
SMALL = [GoFish(seats=2, ranks=3, cards=2), GoFish(seats=3, ranks=4, cards=2)]


def in_step(game, seed, interpreted=False):
    """Play one random match beside OpenSpiel: the same movers, asks, draws, hands, books and winners. False if a book
    was dealt, for then OpenSpiel deals further cards.
    """
    rng, state = random.Random(seed), game.blank()
    rules = None if interpreted else referee_of(game)
    settings = {"players": game.seats, "ranks": game.ranks, "initial_cards": game.dealt}
    theirs = pyspiel.load_game("go_fish", settings).new_initial_state()
    state.pool[: game.ranks] = 4
    for place in range(game.seats * game.dealt):
        action = rng.choices(*zip(*theirs.chance_outcomes()))[0]
        theirs.apply_action(action)
        game.take(state, place // game.dealt, action, 0)
    if state.hands.max() == 4:
        return False
    game.open_match(state)
    step = 0
    while (seat := rules.mover(game, state) if rules else game.mover(state)) != OVER:
        assert not theirs.is_terminal()
        if step % 10 == 0 or interpreted:
            assert board(game, state) == str(theirs).split("\n")[1 : game.seats + 3]
        step += 1
        if seat == CHANCE:
            assert interpreted is False or dict(game.chances(state)) == pytest.approx(dict(theirs.chance_outcomes()))
            move = action = rng.choice(theirs.legal_actions())
        else:
            assert seat == theirs.current_player()
            asks = {meant_by(theirs, action): action for action in theirs.legal_actions()}
            assert sorted(asks) == game.legal(state)
            move = rng.choice(list(asks))
            action = asks[move]
        theirs.apply_action(action)
        if rules:
            rules.take(state, ((seat, move),))
        else:
            game.play(state, seat, move)
            assert game.admits(state)
    assert theirs.is_terminal()
    books = state.books.tolist()
    assert sum(books) == game.ranks
    winners = [each for each, value in enumerate(theirs.returns()) if value > 0]
    assert winners == [each for each in range(game.seats) if books[each] == max(books)] or len(set(books)) == 1
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


def test_four_hundred_random_matches_of_three_agree_with_open_spiel():
    assert sum(in_step(GAME, seed) for seed in range(400)) > 390


@pytest.mark.parametrize(("seats", "ranks", "cards"), [(2, 4, 1), (4, 6, 2), (6, 4, 2)])
def test_small_matches_agree_with_open_spiel(seats, ranks, cards):
    game = GoFish(seats=seats, ranks=ranks, cards=cards)
    assert sum(in_step(game, seed, interpreted=True) for seed in range(20)) == 20


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
                assert other.bounds.tobytes() == state.bounds.tobytes()
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
    for change in ("hands[0, 0] += 1", "owner[0] = 9", "filled = 60", "books[0] = 3", "pool[3] += 1", "net[0, 0] = 1"):
        state = GAME.new(1)
        assert GAME.admits(state)
        exec(f"state.{change}", {"state": state})
        assert not GAME.admits(state), change
