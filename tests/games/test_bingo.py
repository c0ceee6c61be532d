"""Bingo against a plain reading of its rules, and as the zero of opponent impact."""

import random
from collections import Counter

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, BadPosition
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.workspace import workspace
from kingmaker.games.bingo import Bingo
from tests.samples import TWIN, positions

GAME = Bingo()
CARD = "1,16,31,46,61,2,17,32,47,62,3,18,0,48,63,4,19,33,49,64,5,20,34,50,65"
OTHER = "6,21,35,51,66,7,22,36,52,67,8,23,0,53,68,9,24,37,54,69,10,25,38,55,70"


def complete(card, called, goal):
    """Has a card a complete line? Written from the rules: rows, columns and both diagonals of a square."""
    grid = [[number in called or number == 0 for number in card[5 * row : 5 * row + 5]] for row in range(5)]
    lines = [*grid, *zip(*grid), [grid[i][i] for i in range(5)], [grid[i][4 - i] for i in range(5)]]
    return all(map(all, grid)) if goal == "card" else any(map(all, lines))


@pytest.mark.parametrize(("seats", "goal"), [(2, "line"), (5, "line"), (10, "line"), (3, "card")])
def test_a_match_ends_with_the_first_complete_card_and_those_share_the_point(seats, goal):
    game, shared = Bingo(seats=seats, goal=goal), 0
    for seed in range(6):
        state, rng, called = game.new(seed), random.Random(seed), set()
        cards = state.cards.tolist()
        order = rng.sample(range(1, 76), 75)
        for number in order:
            assert game.mover(state) == CHANCE
            assert {event for event, _ in game.chances(state)} == set(order) - called
            assert all(odds == pytest.approx(1 / (75 - len(called))) for _, odds in game.chances(state))
            game.play(state, CHANCE, number)
            called.add(number)
            for seat in range(seats):
                assert game.mover(state) == seat
                assert game.legal(state) == [0]
                game.play(state, seat, 0)
            done = [complete(card, called, goal) for card in cards]
            assert (game.mover(state) == OVER) == any(done)
            if any(done):
                assert game.payoffs(state) == tuple(each / sum(done) for each in done)
                shared += sum(done) > 1
                break


def test_cards_are_dealt_by_columns_without_a_number_twice():
    seen = Counter()
    for seed in range(200):
        for card in Bingo(seats=2).new(seed).cards.tolist():
            numbers = [number for cell, number in enumerate(card) if cell != 12]
            assert card[12] == 0
            assert len(set(numbers)) == 24
            assert all(15 * (cell % 5) < number <= 15 * (cell % 5) + 15 for cell, number in enumerate(card) if number)
            seen.update(numbers)
    assert set(seen) == set(range(1, 76))
    assert max(seen.values()) < 2 * min(seen.values())


def test_nobody_has_an_impact_on_anybody():
    """By both definitions of the source: a seat's moves never give a target two values, and never lower one."""
    before, after = np.zeros(4), np.zeros(4)
    game = Bingo(seats=4)
    for state in positions(game, count=80, seed=2):
        seat = game.mover(state)
        (move,) = game.legal(state)
        game.estimate().measure(game, state, before)
        game.estimate().measure(game, game.after(state, move), after)
        assert all(after[other] == before[other] for other in range(4) if other != seat)
        assert after[seat] >= before[seat]


@kernel
def whole_match(game, work):
    """Play work.states[0] to its end; how many numbers were called."""
    state, calls = work.states[0], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if seat == CHANCE:
            game.play(state, seat, game.roll(state, work.rng))
            calls += 1
        else:
            game.play(state, seat, 0)
    return calls


def test_ten_thousand_matches_end_after_four_to_seventy_five_calls():
    work = workspace(GAME, 1, (), compiled=True)
    play, calls, won = whole_match.compiled.direct(GAME, work.record), [], np.zeros(3)
    starts = [GAME.new(seed) for seed in range(100)]
    for seed in range(10_000):
        work.rng.word = seed
        work.states[0] = starts[seed % 100]
        calls.append(play(GAME, work.record))
        if seed < 100:
            won += GAME.payoffs(work.states[0])
    assert 4 <= min(calls) <= max(calls) <= 75
    assert won.sum() == pytest.approx(100)


def test_a_search_averages_the_calls_to_come():
    """Seat 1 lacks one number, which one call in 71 brings; seat 0 is far behind."""
    game = Bingo(seats=2)
    state = game.position(f"{CARD};{OTHER} 6,7,8,9 9 0")
    found = load_agent("maxn(depth=3)").decide(game, state, ask=TWIN)
    low = 1 - 4 / 5  # the value of a seat that has the free cell only, in its best line
    assert found.values[0] == pytest.approx(
        np.mean([expected(game, number) for number in range(1, 76) if number not in (6, 7, 8, 9)])
    )
    assert found.values[0] > low


def expected(game, number):
    """The value of seat 0 after a further call and its own mark: not yet over, for seat 1 marks after it."""
    missing = 3 if number in (3, 18, 48, 63, 31, 32, 33, 34, 1, 17, 49, 65, 61, 47, 19, 5) else 4
    return 1 - missing / 5


def test_missing_marks_are_counted_in_the_best_line():
    game, out = Bingo(seats=2), np.zeros(2)
    game.estimate().measure(game, game.position(f"{CARD};{OTHER} 1,2,4,5,35,36 36 2"), out)
    assert out.tolist() == [-1.0, -2.0]
    whole = Bingo(seats=2, goal="card")
    whole.estimate().measure(whole, whole.position(f"{CARD};{OTHER} 1,2,4,5,35,36 36 2"), out)
    assert out.tolist() == [-20.0, -22.0]


def test_texts_are_those_of_the_hall():
    state = GAME.new(1)
    assert GAME.say(state, CHANCE, 1) == "B1"
    assert GAME.say(state, CHANCE, 75) == "O75"
    assert GAME.parse(state, CHANCE, "n40") == 40
    picture = GAME.show(Bingo(seats=3).position(f"{CARD};{OTHER};{CARD} {','.join(map(str, range(1, 40)))} 39 3"))
    assert max(map(len, picture.splitlines())) <= 80
    assert "[ 1]" in picture
    assert " 46 " in picture
    assert "[**]" in picture


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("banana", r"expected 'CARD;CARD;… CALLED LAST TURN' in a position of bingo\(seats=2\), got 'banana'"),
        (f"{CARD} - 0 2", r"expected 2 cards in a position of bingo\(seats=2\), got 1"),
        (f"{CARD};1,2 - 0 2", "expected 25 numbers, got 2 on the card of seat 1"),
        (f"{CARD};{OTHER.replace(',0,', ',39,')} - 0 2", "expected 0 in the free cell, got 39 on the card of seat 1"),
        (
            f"{CARD};{OTHER.replace('55', '54')} - 0 2",
            "expected every number once, got one twice on the card of seat 1",
        ),
        (f"{CARD};{OTHER.replace('55', '40')} - 0 2", "expected 46 to 60 in column G, got 40 on the card of seat 1"),
        (f"{CARD};{OTHER} 76 76 2", "expected different numbers from 1 to 75 that were called in a position"),
        (f"{CARD};{OTHER} 5,5 5 2", "expected different numbers from 1 to 75 that were called in a position"),
        (f"{CARD};{OTHER} 5,6 7 2", "the last number 7 or the turn 2 does not fit a position"),
        (f"{CARD};{OTHER} 5,6 6 3", "the last number 6 or the turn 3 does not fit a position"),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused_by_its_name(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        Bingo(seats=2).position(text)


def test_parameters_that_make_no_sense_are_refused():
    with pytest.raises(BadParameter, match="expected 2 to 10 seats at bingo, got 11"):
        load_game("bingo(seats=11)")
    with pytest.raises(BadParameter, match="expected goal 'line' or 'card', got 'corners'"):
        load_game("bingo(goal=corners)")


def test_states_that_no_match_can_come_to_are_not_admitted():
    for change in ("marked[0, 0] = 1", "called[0] = 1", "turn = 4", "turn = 0", "cards[0, 0] = 16", "last = 5"):
        state = GAME.new(1)
        exec(f"state.{change}", {"state": state})
        assert not GAME.admits(state), change
