"""The rest of a hand of Spades, sketched: played out with open hands by a simple rule, without any search.

Whoever leads plays its highest card. The others take the trick if they can, the last to play with its lowest card that
takes it, those before with their highest, and with their lowest spade if they cannot follow; whoever cannot take it
plays its lowest card.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.cards.cards import SPADES, highest_of, lowest_of

HANDS = 16


@kernel
def sketched(game, state, out):
    """Write the tricks that each seat has when the hand has been played out."""
    hands = scratch(HANDS)
    for seat in range(4):
        out[seat] = state.won[seat]
        for suit in range(4):
            hands[4 * seat + suit] = state.hands[seat, suit]
    leader, laid = np.int64(state.leader), np.int64(state.laid)
    best, led, top = leader, -1, -1
    for ahead in range(laid):
        seat = (leader + ahead) % 4
        card = np.int64(state.trick[seat])
        if ahead == 0:
            led = card // 13
        if ahead == 0 or game.beats(card, top):
            best, top = seat, card
    for _ in range(game.ranks - state.tricks):
        for ahead in range(laid, 4):
            seat = (leader + ahead) % 4
            card = simple_card(hands, seat, led, top, ahead == 3)
            hands[4 * seat + card // 13] = np.int64(hands[4 * seat + card // 13]) & ~(1 << card % 13)
            if ahead == 0:
                led = card // 13
            if ahead == 0 or game.beats(card, top):
                best, top = seat, card
        out[best] += 1.0
        leader, laid, led, top = best, 0, -1, -1


@kernel
def simple_card(hands, seat, led, top, last):
    """The card that the simple rule plays; `top` is the best card of the trick, -1 for whoever leads."""
    if led < 0:
        return extreme_card(hands, seat, True)
    word = np.int64(hands[4 * seat + led])
    if word != 0:
        over = word & ~((2 << top % 13) - 1) if top // 13 == led else 0
        if over == 0:
            return 13 * led + lowest_of(word)
        return 13 * led + (lowest_of(over) if last else highest_of(over))
    spades = np.int64(hands[4 * seat + SPADES])
    over = spades & ~((2 << top % 13) - 1) if top // 13 == SPADES else spades
    return 13 * SPADES + lowest_of(over) if over != 0 else extreme_card(hands, seat, False)


@kernel
def extreme_card(hands, seat, high):
    """The highest or the lowest card of a hand, of several the one of the first suit."""
    best, found = 0, -1 if high else 13
    for suit in range(4):
        word = np.int64(hands[4 * seat + suit])
        if word != 0:
            rank = highest_of(word) if high else lowest_of(word)
            if (rank > found) if high else (rank < found):
                best, found = 13 * suit + rank, rank
    return best
