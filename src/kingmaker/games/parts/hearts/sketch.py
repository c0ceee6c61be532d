"""The rest of a hand of Hearts, sketched: played out with open hands by a simple rule, without any search.

Whoever leads plays its lowest card. Whoever follows plays its highest card that does not take the trick; if every card
would take it, the last to play lays its highest, the others their lowest. Whoever cannot follow gets rid of the queen
of spades, else of its highest heart, else of its highest card.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.cards.cards import HEARTS, QUEEN, SPADES, highest_of, lowest_of

HANDS = 16
THE_QUEEN = 13 * SPADES + QUEEN


@kernel
def points_of(card):
    return 1 if card // 13 == HEARTS else 13 if card == THE_QUEEN else 0


@kernel
def sketched(game, state, out):
    """Write the points that each seat has when the hand has been played out."""
    hands = scratch(HANDS)
    for seat in range(4):
        out[seat] = state.points[seat]
        for suit in range(4):
            hands[4 * seat + suit] = state.hands[seat, suit]
    leader, laid = np.int64(state.leader), np.int64(state.laid)
    best, led, top, points = leader, -1, -1, 0
    for ahead in range(laid):
        seat = (leader + ahead) % 4
        card = np.int64(state.trick[seat])
        if ahead == 0:
            led = card // 13
        if card // 13 == led and card % 13 > top:
            best, top = seat, card % 13
        points += points_of(card)
    for _ in range(game.ranks - state.tricks):
        for ahead in range(laid, 4):
            seat = (leader + ahead) % 4
            card = simple_card(hands, seat, led, top, ahead == 3)
            hands[4 * seat + card // 13] = np.int64(hands[4 * seat + card // 13]) & ~(1 << card % 13)
            if ahead == 0:
                led = card // 13
            if card // 13 == led and card % 13 > top:
                best, top = seat, card % 13
            points += points_of(card)
        out[best] += points
        leader, laid, led, top, points = best, 0, -1, -1, 0


@kernel
def simple_card(hands, seat, led, top, last):
    """The card that the simple rule plays; `top` is the highest rank of the suit that was led, -1 for whoever leads."""
    if led < 0:
        return lowest_card(hands, seat)
    word = np.int64(hands[4 * seat + led])
    if word == 0:
        return worst_card(hands, seat)
    under = word & ((1 << top) - 1)
    if under != 0:
        return 13 * led + highest_of(under)
    if not last:
        return 13 * led + lowest_of(word)
    other = word & ~(1 << QUEEN) if led == SPADES else word
    return 13 * led + highest_of(other if other != 0 else word)


@kernel
def lowest_card(hands, seat):
    best, lowest = 0, 13
    for suit in range(4):
        word = np.int64(hands[4 * seat + suit])
        if word != 0 and lowest_of(word) < lowest:
            best, lowest = 13 * suit + lowest_of(word), lowest_of(word)
    return best


@kernel
def worst_card(hands, seat):
    """What a seat gets rid of first."""
    if np.int64(hands[4 * seat + SPADES]) >> QUEEN & 1:
        return THE_QUEEN
    if np.int64(hands[4 * seat + HEARTS]) != 0:
        return 13 * HEARTS + highest_of(np.int64(hands[4 * seat + HEARTS]))
    best, highest = 0, -1
    for suit in range(4):
        if highest_of(np.int64(hands[4 * seat + suit])) > highest:
            highest = highest_of(np.int64(hands[4 * seat + suit]))
            best = 13 * suit + highest
    return best
