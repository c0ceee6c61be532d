"""Sets of slots and of ranks at Go Fish: their words, what follows from other fields, moves drawn without a list."""

import random

import numpy as np
import pytest

from kingmaker.core.chance import draw_listed
from kingmaker.core.game import CHANCE
from kingmaker.core.rng import below, stream
from kingmaker.games.go_fish import GoFish
from kingmaker.games.parts.go_fish.bits import first, last, nth, popcount
from kingmaker.games.parts.go_fish.hidden import RANKS
from kingmaker.games.parts.go_fish.index import note_all
from kingmaker.games.parts.go_fish.table import gather_in, lay_out
from kingmaker.games.parts.go_fish.texts import by_place, fault_of
from kingmaker.soundness.fault import frozen
from tests.samples import positions

GAME = GoFish()
GAMES = [GAME, GoFish(seats=6), GoFish(seats=2, ranks=4, cards=3)]
SOME = "2346789TJQK"  # all ranks but 5 and A


def test_a_word_is_a_set_of_numbers():
    rng = random.Random(3)
    for _ in range(300):
        numbers = sorted(rng.sample(range(63), rng.randint(1, 20)))
        word = sum(1 << number for number in numbers)
        assert (popcount(word), first(word), last(word)) == (len(numbers), numbers[0], numbers[-1])
        assert [nth(word, place) for place in range(len(numbers))] == numbers
    assert popcount(0) == 0


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_follows_from_other_fields_is_kept_up_in_every_match(game):
    for seed in range(4):
        for state in positions(game, count=40, seed=seed):
            noted = game.copy(state)
            noted.held[:], noted.seen[:], noted.heard[:] = 0, 0, 0
            note_all(noted)
            assert frozen(noted) == frozen(state)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_slots_laid_out_as_numbers_are_gathered_in_again(game):
    for state in positions(game, count=40, seed=2):
        words, cards = np.zeros(52, int), np.zeros(52, int)
        lay_out(state, words, cards)
        assert (words >> RANKS).tolist() == by_place(state.owner)
        assert (words & 2**RANKS - 1).tolist() == by_place(state.excluded)
        assert cards.tolist() == by_place(state.card)
        pool = [rank for rank in range(game.ranks) for _ in range(state.pool[rank])]
        cards[state.filled : 4 * game.ranks] = pool
        other = game.copy(state)
        other.card[:], other.pool[:] = 0, 0
        gather_in(other, cards, game.ranks)
        assert frozen(other) == frozen(state)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_random_asks_and_draws_are_those_of_the_lists(game):
    out, draws = np.zeros(game.max_moves, np.int64), 0
    for number, before in enumerate(positions(game, count=40, seed=6)):
        one, two = stream(number, "luck"), stream(number, "luck")
        with np.errstate(over="ignore"):
            legal = game.legal(before)
            assert game.any_move(before, game.mover(before), one, out) == legal[below(two, len(legal))]
            state = game.after(before, legal[0])
            if game.mover(state) == CHANCE:
                assert game.roll(state, one) == draw_listed(game, state, two)
                draws += 1
    assert draws > 5


def left_with_two_ranks():
    """Seat 1 has a five that could also be an ace, for all that is known; seat 0 has an ace and is to ask."""
    pool = "2222333344445556666777788889999TTTTJJJJQQQQKKKKAAA"
    return GoFish(seats=2, cards=1), f"A/5 {pool} 0,0 0 0A,15-{SOME} -"


def test_a_card_is_known_when_a_single_rank_is_left_for_it():
    """Seat 0 asks for aces in vain and draws a two; then seat 1 asks for fives, which is no news."""
    game, text = left_with_two_ranks()
    state = game.after(game.position(text), 13 + 12)
    assert game.notation(state).endswith("0,0 0+A 0A,15! A+@0-0")
    assert state.seen.tolist() == [1 << 12, 1 << 3]
    assert game.admits(state)
    state = game.after(game.after(state, 0), 3)
    assert game.notation(state).endswith("0,0 1+5 0A-5,15!,02-5A A+@0-0")


def test_a_card_for_which_a_single_rank_is_left_is_marked_as_known():
    game, text = left_with_two_ranks()
    assert " 0A,15! " in game.notation(game.position(text.replace(SOME, SOME + "A")))
    state = game.position(text)
    state.excluded[12] |= 2
    assert fault_of(game, state) == "card 1 of seat 1 can only be a 5, but is not marked as known"
