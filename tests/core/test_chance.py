"""Chance events: drawn from a list, or by the game where nobody can list them."""

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.chance import draw_listed, event_in, is_event
from kingmaker.core.contract import MOST_OUTCOMES
from kingmaker.core.errors import BadGame, IllegalMove, Mismatch
from kingmaker.core.game import CHANCE
from kingmaker.core.legal_moves import is_legal
from kingmaker.core.rng import stream, unit
from kingmaker.core.turn import rolled
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from kingmaker.soundness.calls import chances_of
from kingmaker.soundness.fault import Fault
from kingmaker.soundness.trial import Trial
from tests.samples import DICE, OWN_GAMES, tree_at, trusted

DEALS = trusted(load_game(f"{OWN_GAMES / 'deals.py'}"))


def drawn_by_hand(game, state, rng):
    """What a number from 0 to 1 falls on when the events lie side by side."""
    left = unit(rng)
    for outcome, odds in game.chances(state):
        left -= odds
        if left < 0:
            return outcome
    return game.chances(state)[-1][0]


def test_an_event_is_drawn_by_its_probability_with_one_number():
    counts = np.zeros(3)
    state = tree_at(DICE, 5, 2)
    with np.errstate(over="ignore"):
        for seed in range(3000):
            one, other = stream(seed, "roll"), stream(seed, "roll")
            number = DICE.roll(state, one)
            assert number == drawn_by_hand(DICE, state, other)
            assert one.word == other.word
            counts[number] += 1
    odds = np.array([each for _, each in DICE.chances(state)])
    assert (np.abs(counts - 3000 * odds) < 5 * np.sqrt(3000 * odds)).all()


@pytest.mark.usefixtures("wrapping")
def test_machine_code_draws_the_same():
    state = tree_at(DICE, 5, 2)
    for seed in range(50):
        assert draw_listed.compiled(DICE, state, stream(seed)) == draw_listed(DICE, state, stream(seed))


def test_where_probabilities_fall_short_of_one_the_last_event_is_drawn():
    class Short(Sticks):
        max_outcomes = 2

        def outcomes(self, state, out, odds):
            out[0], out[1] = 7, 8
            odds[0], odds[1] = 0.0, 0.0
            return 2

    assert rolled(Short(), Short().new(), stream(1)) == 8


def test_an_empty_list_has_no_event():
    class Empty(Sticks):
        max_outcomes = 2

    with pytest.raises(
        BadGame, match=r"expected a chance event of empty\(\) at left=15 .*; outcomes must list at least"
    ):
        rolled(Empty(), Empty().new(), stream(1))


@pytest.mark.parametrize("number", [-1, 2**31, 1.0, None])
def test_a_number_that_no_move_can_hold_is_no_event(number):
    class Wild(Sticks):
        def can_list(self, state):
            return False

        def roll(self, state, rng):
            return number

    with pytest.raises(
        BadGame, match=r"expected a chance event of wild\(\) .*; roll must return a number from 0 to 2147"
    ):
        rolled(Wild(), Wild().new(), stream(1))
    assert not is_event(number)


def test_events_that_cannot_be_listed_are_drawn_and_never_listed():
    state = DEALS.new()
    assert DEALS.mover(state) == CHANCE
    for ask in (DEALS.legal, DEALS.chances):
        with pytest.raises(
            Mismatch, match=r"the chance events of deals\(\) cannot be listed at .*; draw one with roll"
        ):
            ask(state)
    number = rolled(DEALS, state, stream(3))
    dealt = DEALS.after(state, number)
    assert DEALS.mover(dealt) == 0
    assert DEALS.after(state, DEALS.parse(state, CHANCE, f" {number} ")) == dealt
    assert DEALS.say(state, CHANCE, number) == str(number)


@pytest.mark.parametrize("text", ["-1", "2147483648", "1e3", "", "٣", "9" * 5000])
def test_a_word_that_is_no_number_is_no_event(text):
    with pytest.raises(
        IllegalMove, match=r"is no chance event here, where they cannot be listed; expected a number from"
    ):
        event_in(text)


@pytest.mark.parametrize("move", [-1, 2**31, 10**30])
def test_a_number_out_of_range_is_no_legal_event(move):
    with pytest.raises(IllegalMove, match=r"is no legal move in deals\(\)"):
        DEALS.after(DEALS.new(), move)
    assert is_legal(DEALS, DEALS.new(), CHANCE, 2**31 - 1)


def test_a_number_that_the_rules_cannot_play_is_no_event():
    class Picky(type(DEALS)):
        def play(self, state, seat, move):
            if seat == CHANCE and not state.dealt:
                state.left = [2, 2, 100][move]  # and nothing beyond
                state.dealt = 1

    game = Picky()
    assert [is_legal(game, game.new(), CHANCE, move) for move in range(5)] == [True, True, False, False, False]


def test_a_position_before_a_deal_can_be_written_and_read():
    text = DEALS.notation(DEALS.new())
    assert DEALS.position(text) == DEALS.new()


def test_more_outcomes_than_the_stack_holds_are_refused():
    class Crowded(Sticks):
        def __init__(self, outcomes=0):
            super().__init__()
            self.outcomes_wanted = self.max_outcomes = outcomes

    for many in (MOST_OUTCOMES + 1, -1, 2.0):
        with pytest.raises(
            BadGame,
            match=r"expected Crowded.max_outcomes to be a whole number from 0 to 65536, got .*; let can_list say",
        ):
            Crowded(many).checked()


def test_a_game_that_lists_not_everything_must_draw():
    class Silent(Sticks):
        def can_list(self, state):
            return False

    with pytest.raises(
        BadGame, match=r"Silent has the method can_list but no roll\(state, rng\), which draws what cannot"
    ):
        Silent().checked()


def test_odds_that_do_not_sum_to_1_are_named_with_a_way_out():
    class Loaded(RandomTree):
        def outcomes(self, state, out, odds):
            count = super().outcomes(state, out, odds)
            odds[0] += 0.25
            return count

    game = Loaded(seats=2, branching=2, height=3, chance=2)
    with Trial(game) as trial, pytest.raises(Fault, match=r"expected probabilities with sum 1, got .*; divide each by"):
        chances_of(trial, game.after(game.new(1), 0))
