"""Hearts against OpenSpiel's bot: both sides play the same deal, and the result is that of our game."""

import random

import numpy as np
import pytest

from bench import open_spiel_cards
from kingmaker import load_agent, load_game


def test_a_hand_is_kept_in_step_and_counted_for_both_sides():
    spent = np.zeros((2, 2))
    ahead, share = open_spiel_cards.hand(load_agent("weak_rational"), (0, 1, 0, 1), 3, 0.001, 26.0, spent)
    assert -26 <= ahead <= 26
    assert 0 <= share <= 1
    assert 10 < spent[0, 0] <= 26  # moves with a choice
    assert 10 < spent[1, 0] <= 26


def test_both_sides_have_the_same_deal():
    game = load_game("hearts")
    theirs = open_spiel_cards.dealt(game, game.new(5))
    assert theirs.current_player() == game.mover(game.new(5))
    assert theirs.legal_actions() == [open_spiel_cards.theirs_of(0)]


def test_every_two_seats_are_theirs_once():
    assert len(open_spiel_cards.SEATINGS) == 6
    assert np.sum(open_spiel_cards.SEATINGS, axis=0).tolist() == [3, 3, 3, 3]


def test_the_interval_is_student_s():
    low, high = open_spiel_cards.mean_interval([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))


class Late:
    """A bot whose clock runs out twice before its first playout."""

    asked = 0

    def step(self, state):
        import pyspiel

        self.asked += 1
        if self.asked < 3:
            raise pyspiel.SpielError("total_visits = 0")
        return 7


class Choice:
    def legal_actions(self):
        return [6, 7]


def test_a_bot_without_a_single_playout_is_asked_again():
    assert open_spiel_cards.step_of(Late(), Choice()) == 7


def test_open_spiel_s_bot_cannot_play_its_go_fish():
    import pyspiel

    state, rng = pyspiel.load_game("go_fish(players=3)").new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 10, -1, final, False, True, 0.1)
    with pytest.raises(pyspiel.SpielError, match=r"ResampleFromInfostate\(\) not implemented"):
        bot.step(state)
