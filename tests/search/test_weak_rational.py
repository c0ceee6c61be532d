"""Weak rational: its cards compared with the source's rule, written down anew, on every position of random hands."""

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import Mismatch
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.games.parts.cards.cards import card_in
from tests.samples import STICKS, any_of, positions

AGENT = load_agent("weak_rational")


def wanted(game, state, low):
    """The cards that the rule allows: of the lowest or highest rank if the seat leads or follows, else the other."""
    legal, ranks = game.legal(state), "23456789TJQKA"
    words = [game.say(state, 0, card) for card in legal]
    led = game.say(state, 0, int(state.trick[state.leader]))[1] if state.laid else None
    follows = led is None or words[0][1] == led
    pick = min if follows == low else max
    best = pick(ranks.index(word[0]) for word in words)
    return [card for card, word in zip(legal, words) if ranks.index(word[0]) == best]


@pytest.mark.parametrize(
    ("text", "low"), [("hearts", True), ("hearts(open=True, rules=parlour)", True), ("spades", False)]
)
def test_it_plays_by_the_rule_of_the_source_and_turned_round_where_tricks_are_wanted(text, low):
    game, chosen = load_game(text), set()
    for number, state in enumerate(positions(game, count=60, seed=3)):
        if game.before(state) == OVER:
            allowed = wanted(game, state, low)
            found = AGENT.decide(game, state, stream(number))
            assert found.move in allowed
            chosen.add((len(allowed) > 1, found.move == allowed[0]))
    assert (True, False) in chosen or text != "hearts"  # of equal cards not always the first


def test_by_hand_it_ducks_and_then_throws_its_highest_card():
    game = load_game("hearts(open=True)")
    state = game.position("2.3../A.5../J5.../.76.. - 0 -,-,-,- 12,0,13,1 1")
    for expected in ("2C", "AC", "5C", "7D"):
        move = AGENT.decide(game, state).move
        assert move == card_in(expected)
        state = game.after(state, move)


def test_it_passes_its_highest_cards_and_bids_a_quarter_of_the_tricks():
    hearts, spades = load_game("hearts(rules=parlour)"), load_game("spades(bids=True, nil=True)")
    state = hearts.new(4)
    ranks = sorted((card % 13 for card in hearts.legal(state)), reverse=True)
    for rank in ranks[:3]:
        move = AGENT.decide(hearts, state).move
        assert move % 13 == rank
        state = hearts.after(state, move)
    assert AGENT.decide(spades, spades.new(1)).move == 3


def test_it_plays_a_series_and_sees_nothing_of_other_hands():
    game = load_game("series(hearts(ranks=5), hands=2)")
    state, rng = game.new(3), stream(3)
    with np.errstate(over="ignore"):
        while game.mover(state) != OVER:
            seat = game.mover(state)
            move = AGENT.decide(game, state, rng).move if seat == 0 else any_of(game, state, rng)
            assert seat != 0 or move in wanted(game.game, state.hand[0], True)
            game.play(state, seat, move)
    assert sum(game.payoffs(state)) == -36


def test_it_cannot_tell_apart_what_its_seat_cannot():
    for text in ("hearts", "hearts(rules=parlour)", "spades(bids=True)"):
        game = load_game(text)
        for number, state in enumerate(positions(game, count=15, seed=6)):
            other = world_of(game, state, game.mover(state), stream(number, "other"))
            one, two = (AGENT.decide(game, each, stream(number)) for each in (state, other))
            assert (one.move, one.moves) == (two.move, two.moves)


def test_other_games_are_refused():
    for act in (lambda: AGENT.decide(STICKS, STICKS.new()), lambda: AGENT.fit(STICKS)):
        with pytest.raises(
            Mismatch, match=r"weak_rational cannot play sticks\(sticks=9\), only games of tricks with cards"
        ):
            act()
