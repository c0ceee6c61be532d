"""What holds for every game: its own and users', by random play."""

from functools import cache
from itertools import islice

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.rng import stream
from kingmaker.games import GAMES
from tests.samples import CHANCE, OVER, OWN_GAMES, WRITTEN, any_of

TEXTS = [
    "series(sticks(sticks=5), hands=3)",
    "series(random_tree(height=3, chance=2), points=30)",
    "sticks",
    "sticks(seats=2, sticks=21)",
    "sticks(seats=8, sticks=30)",
    "light_bike",
    "light_bike(seats=6, width=7, height=5, starts='distinct')",
    "light_bike(seats=4, walls='vanish')",
    "light_bike(seats=8, width=15, height=6)",
    "random_tree",
    "random_tree(seats=4, kind='constant_sum', values=7)",
    "random_tree(seats=5, kind='binary', branching=2)",
    "random_tree(chance=2)",
    "random_tree(seats=1, branching=1, height=9)",
    "abalone(rounds=8)",
    "abalone(seats=3, rounds=5)",
    "chinese_checkers(seats=3, radius=2, rounds=8)",
    "backgammon(layout='hyper', gammons=true)",
    "bingo(seats=2)",
    "chess(opening=2)",
    "hearts(ranks=5)",
    "hearts(open=True, rules='parlour', ranks=4)",
    "spades(open=True, ranks=5)",
    "spades(bids=True, nil=True, bags=True, breaking=True, ranks=4)",
    "risk(seats=3, map='two_continents', armies=4, limit=4)",
    "risk(seats=2, map='line', armies=5, fortify='one', placing='random', limit=6, cards=true)",
    "go_fish(seats=3, ranks=3, cards=2)",
    f"{OWN_GAMES / 'nim.py'}(seats=4, size=5)",
]
ALL = [load_game(text) for text in TEXTS] + [WRITTEN]
LIMIT = 3000  # plies, more than any of these games can last


def name(game):
    return f"{game}".replace(" ", "")[:60]


def walk(game, seed):
    """Every state of a random match with the seat to move, but for chance nodes that cannot be listed."""
    for state, seat in walked(game, seed):
        yield game.copy(state), seat


@cache
def walked(game, seed):
    """The same states, played once for all tests, which are not to change them."""
    state, rng, found = game.new(seed), stream(seed, "walk"), []
    with np.errstate(over="ignore"):
        for _ in range(LIMIT):
            seat = game.mover(state)
            if seat != CHANCE or game.can_list(state):
                found.append((game.copy(state), seat))
            if seat == OVER:
                return found
            game.play(state, seat, any_of(game, state, rng))
    raise AssertionError(f"{game} did not end within {LIMIT} plies")


def apart(game):
    """How much farther apart positions may be: a random match of chess lasts for hundreds of plies."""
    return 5 if game.name == "chess" else 1


def spoken(game, word):
    """A move in other letters than it is printed; in chess B is a bishop and b a pawn."""
    return word if game.name == "chess" else word.upper()


def test_every_game_is_tried():
    assert {game.name for game in ALL} >= set(GAMES)


@pytest.mark.parametrize("game", ALL, ids=name)
def test_random_matches_end_with_payoffs_within_the_facts(game):
    facts = game.facts
    for seed in range(8):
        for state, seat in walk(game, seed):
            if seat == OVER:
                payoffs = game.payoffs(state)
                assert len(payoffs) == game.seats
                assert all(facts.low <= value <= facts.high for value in payoffs)
                assert sum(payoffs) <= facts.total + 1e-12
                if facts.constant_sum:
                    assert sum(payoffs) == pytest.approx(facts.total, abs=1e-12)
                if facts.single_winner:
                    assert payoffs.count(max(payoffs)) == 1


@pytest.mark.parametrize("game", ALL, ids=name)
def test_any_move_is_a_legal_one(game):
    rng, out = stream(5, "any"), np.zeros(game.max_moves, np.int32)
    with np.errstate(over="ignore"):
        for state, seat in walk(game, 1):
            if seat not in (OVER, CHANCE):
                before = game.notation(state)
                assert game.any_move(state, seat, rng, out) in game.legal(state)
                assert game.notation(state) == before


@pytest.mark.parametrize("game", ALL, ids=name)
def test_notation_round_trips(game):
    for seed in range(3):
        for state, seat in islice(walk(game, seed), seed, None, 3 * apart(game)):
            text = game.notation(state)
            again = game.position(text)
            assert "\n" not in text
            assert game.notation(again) == text
            assert game.mover(again) == seat
            assert game.legal(again) == game.legal(state)
            if game.has_records:
                assert again.tobytes() == state.tobytes() or again == state


@pytest.mark.parametrize("game", ALL[:-1], ids=name)
def test_the_game_and_its_text_are_one(game):
    file = OWN_GAMES / "nim.py" if game.name == "nim" else ""
    again = load_game(str(game).replace("nim", str(file)) if file else str(game))
    assert str(again) == str(game)
    assert again.notation(again.new(4)) == game.notation(game.new(4))


@pytest.mark.parametrize("game", ALL, ids=name)
def test_copies_are_independent(game):
    for seed in range(2):
        for state, seat in islice(walk(game, seed), 0, None, 2 * apart(game)):
            before = game.notation(state)
            if seat != OVER:
                for move in game.legal(state):
                    twin = game.copy(state)
                    with np.errstate(over="ignore"):
                        game.play(twin, seat, move)
                    assert game.notation(state) == before
                    assert game.notation(twin) != before


@pytest.mark.parametrize("game", ALL, ids=name)
def test_legal_moves_are_distinct_and_at_most_max_moves(game):
    for seed in range(3):
        for state, seat in walk(game, seed):
            legal = game.legal(state)
            assert len(set(legal)) == len(legal)
            if seat >= 0:
                assert 1 <= len(legal) <= game.max_moves
            elif seat == CHANCE:
                assert 1 <= len(legal) <= game.max_outcomes
                assert sum(odds for _, odds in game.chances(state)) == pytest.approx(1)
                assert all(odds >= 0 for _, odds in game.chances(state))
            else:
                assert legal == []


@pytest.mark.parametrize("game", ALL, ids=name)
def test_a_move_as_people_write_it_is_read_back(game):
    for seed in range(3):
        for state, seat in islice(walk(game, seed), seed, None, 3 * apart(game)):
            if seat >= 0:
                for move in game.legal(state):
                    assert game.parse(state, seat, f" {spoken(game, game.say(state, seat, move))} ") == move


@pytest.mark.parametrize("game", ALL, ids=name)
def test_the_same_seed_starts_the_same_match(game):
    assert game.notation(game.new(7)) == game.notation(game.new(7))


@pytest.mark.parametrize("game", ALL, ids=name)
def test_estimates_keep_what_they_promise(game):
    out = np.zeros(game.seats)
    for estimate in game.estimates or (game.estimate(),):
        for seed in range(2):
            for state, seat in islice(walk(game, seed), 0, None, 3 * apart(game)):
                if seat == OVER:
                    continue
                with np.errstate(over="ignore"):
                    estimate.value(game, state, out)
                assert np.isfinite(out).all()
                if estimate.within_bounds:
                    assert (out >= game.facts.low).all(), f"{estimate} fell below the lowest payoff: {out}"
                    assert (out <= game.facts.high).all(), f"{estimate} rose above the highest payoff: {out}"
                if estimate.within_total:
                    assert out.sum() <= game.facts.total, f"{estimate} gave away more than there is: {out}"


def leaders(row):
    """The seats with the highest number, rounding aside."""
    return [seat for seat, number in enumerate(row) if number >= max(row) - 1e-9 * max(1.0, abs(max(row)))]


@pytest.mark.parametrize("game", ALL, ids=name)
def test_estimates_measure_in_their_unit_as_they_value(game):
    """At the end of a match too, where a table or a page may ask how the seats stand."""
    for estimate in game.estimates or (game.estimate(),):
        assert estimate.unit.isalpha()
        for seed in range(2):
            for state, seat in islice(walk(game, seed), 0, None, 3 * apart(game)):
                values, amounts = np.full(game.seats, np.nan), np.full(game.seats, np.nan)
                with np.errstate(over="ignore"):
                    estimate.value(game, state, values)
                    estimate.measure(game, state, amounts)
                assert np.isfinite(amounts).all()
                assert leaders(values.tolist()) == leaders(amounts.tolist()), f"{estimate}: {values} and {amounts}"
                if seat != OVER:
                    assert amounts.max() - amounts.min() <= estimate.widest_edge(game) + 1e-9


@pytest.mark.parametrize("game", ALL, ids=name)
def test_a_picture_is_text(game):
    assert game.show(game.new(1)).strip()
