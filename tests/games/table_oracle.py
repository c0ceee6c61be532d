"""All worlds that fit what a seat has seen at a card table, by trying every one: slow, and from the definition alone.

A world fits if the seat held the same cards in it, gave and was given the same ones, and every card that was played
would have been legal for whoever played it. Nothing of what `redeal` uses is used: hands are dealt in all ways, and
the whole hand is played again from its first card.
"""

from itertools import combinations, product

import numpy as np


def cards(words):
    return frozenset(13 * suit + rank for suit in range(4) for rank in range(13) if int(words[suit]) >> rank & 1)


def words(hand):
    found = [0, 0, 0, 0]
    for card in hand:
        found[card // 13] |= 1 << card % 13
    return found


def hands_of(state):
    return [cards(state.hands[seat]) for seat in range(4)]


def all_splits(unseen, sizes):
    """Every way to deal cards to seats: `sizes` is (seat, how many) for each."""
    if not sizes:
        yield {}
        return
    (seat, size), *rest = sizes
    for hand in combinations(sorted(unseen), size):
        for others in all_splits(unseen - set(hand), rest):
            yield {seat: frozenset(hand), **others}


def all_gifts(step, seat, given, after_passing):
    """Every way in which the others may have passed three cards each; what the seat gave and was given is known."""
    if step == 0:
        yield [frozenset()] * 4
        return
    choices = [
        [given[giver]]
        if seat in (giver, (giver + step) % 4)
        else [frozenset(each) for each in combinations(sorted(after_passing[(giver + step) % 4]), 3)]
        for giver in range(4)
    ]
    for gifts in product(*choices):
        yield list(gifts)


def consistent(game, state, seat, played, given=None, step=0):
    """Every world that fits, as (hands, gifts); `played` is (seat, card) for each card so far."""
    hands = hands_of(state)
    others = [each for each in range(4) if each != seat]
    unseen = frozenset().union(*(hands[other] for other in others))
    laid = [frozenset(card for who, card in played if who == each) for each in range(4)]
    for split in all_splits(unseen, [(other, len(hands[other])) for other in others]):
        now = [hands[seat] if each == seat else split[each] for each in range(4)]
        begun = [now[each] | laid[each] for each in range(4)]
        for gifts in all_gifts(step, seat, given, begun):
            if was_legal(game, state, begun, gifts, step, played):
                yield tuple(now), tuple(gifts)


def was_legal(game, state, begun, gifts, step, played):
    """Could all cards have been passed to these hands, and played from them?"""
    if any(not gifts[giver] <= begun[(giver + step) % 4] for giver in range(4)):
        return False
    again = game.blank()
    game.clear(again)
    for seat in range(4):
        again.hands[seat] = words(begun[seat])
    if "kept" in game.State.names:
        again.kept[:] = state.kept[:]
    if "given" in game.State.names:
        again.chosen = 12
        for seat in range(4):
            again.given[seat] = words(gifts[seat])
    if "bids" in game.State.names:
        again.bids[:] = state.bids[:]
    if hasattr(game, "open_hand"):
        game.open_hand(again)
    with np.errstate(over="ignore"):
        for seat, card in played:
            if game.mover(again) != seat or card not in game.legal(again, seat):
                return False
            game.play(again, seat, card)
    return True
