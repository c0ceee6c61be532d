"""Hidden cards of Go Fish dealt anew: a walk over deals by swaps of two cards.

The deals that fit are those in which no card is of a rank that it is known not to be, all tellings are true, and nobody
holds four of a rank; each of them is as likely as any other. The walk begins with a shuffled deck that was put right
by a matching of cards and places; that nobody holds four is part of the matching where a seat holds cards of the rank
for all to see. Then two hidden cards are swapped again and again; a swap that breaks one thing more of what is known is
made with the chance `FALSE`, so that the walk can go from any deal that fits to any other. Of all steps those count at
which the deal fits: what is seen at these steps is a walk over the deals that fit alone, on which all of them are
equally likely in the long run. The deal after `STEPS` such steps for every hidden card is taken, or the last that
fitted after `MOST` steps of any kind. A walk that meets no deal that fits starts anew.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below, unit
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.go_fish.hidden import CARDS, RANK, RANKS, SUITS, is_known, owner_of
from kingmaker.games.parts.go_fish.index import note_hands
from kingmaker.games.parts.go_fish.matching import (
    CHAIN,
    EARLY,
    PAIRS,
    chain_up,
    claim,
    exchange,
    link,
    part,
    put_right,
)
from kingmaker.games.parts.go_fish.table import gather_in, lay_out

STEPS, MOST = 3, 20  # for each hidden card: swaps after which the deal fits, and swaps of any kind
FIRST, WALKS = 5, 1000  # swaps for each hidden card until a deal fits, else the walk starts anew, at most so often
FALSE = 0.03  # the chance of a swap that breaks one thing more


@kernel
def deal_anew(game, state, seat, rng):
    """Deal all cards that the seat cannot know anew."""
    hidden = scratch(CARDS)
    words, cards = scratch(CARDS).view(np.int64), scratch(CARDS).view(np.int64)
    lay_out(state, words, cards)
    slots, total = gather(game, state, words, cards, seat, hidden)
    for _ in range(WALKS if slots > 0 else 0):
        if walked(state, words, cards, seat, rng, hidden, slots, total):
            break
        for i in range(slots):
            place = np.int64(hidden[i])
            state.hands[owner_of(words[place]), cards[place]] -= 1
    gather_in(state, cards, game.ranks)
    note_hands(state)


@kernel
def walked(state, words, cards, seat, rng, hidden, slots, total):
    """Walk from a new start to a deal that fits; False if none was met."""
    links, claims, counts = scratch(PAIRS), scratch(CARDS), scratch(CARDS)
    firsts, best, chain = scratch(CARDS), scratch(CARDS), scratch(CHAIN)
    for i in range(total - 1, 0, -1):
        exchange(cards, np.int64(hidden[i]), np.int64(hidden[below(rng, i + 1)]))
    chain_up(words, hidden, chain, slots)
    cost = link(state, words, seat, hidden, chain, links, counts, firsts)
    claim(state, words, cards, seat, rng, hidden, chain, links, claims, total)
    part(state, words, cards, seat, hidden, claims, total)
    put_right(state, words, cards, rng, hidden, links, claims, total)
    for i in range(slots):
        place = np.int64(hidden[i])
        rank = np.int64(cards[place])
        cost += added(state, words, links, counts, firsts, rank, place)
        count(state, words, links, counts, firsts, place, rank, 1)
    fitting, kept = 0, False
    for step in range(MOST * total):
        if fitting >= STEPS * total or (step >= FIRST * total and fitting == 0 and not kept and cost > 0):
            break
        one, other, fits = below(rng, slots), below(rng, total), cost == 0
        cost += swapped(
            state, words, cards, links, counts, firsts, np.int64(hidden[one]), np.int64(hidden[other]), rng, fits
        )
        if cost == 0:
            fitting += 1
        elif fits:
            keep(cards, hidden, best, total, one, other)
            kept = True
    if cost > 0 and kept:
        take_back(state, words, cards, hidden, best, slots, total)
    return cost == 0 or kept


@kernel
def gather(game, state, words, cards, seat, hidden):
    """Collect the places of hidden cards, those of the pool last, and take these cards out of the hands; they lie there
    in the order of ranks. Returns the number of hidden slots and of all hidden places.
    """
    slots, left, rank = 0, 0, 0
    supply = scratch(RANKS)
    for each in range(game.ranks):
        supply[each] = SUITS
    for place in range(state.filled):
        word, card = words[place], cards[place]
        if owner_of(word) == seat or is_known(word):
            supply[card] = np.int64(supply[card]) - 1
        else:
            state.hands[owner_of(word), card] -= 1
            hidden[slots] = place
            slots += 1
    total = slots
    for place in range(state.filled, SUITS * game.ranks):
        hidden[total] = place
        total += 1
    for i in range(total):
        while left == np.int64(supply[rank]):
            rank, left = rank + 1, 0
        cards[np.int64(hidden[i])] = rank
        left += 1
    return slots, total


@kernel
def keep(cards, hidden, best, total, one, other):
    """Write down the deal as it was before the last swap."""
    for i in range(total):
        best[i] = cards[np.int64(hidden[i])]
    best[one], best[other] = best[other], best[one]


@kernel
def take_back(state, words, cards, hidden, best, slots, total):
    """Return to the deal that was written down."""
    for i in range(total):
        place, rank = np.int64(hidden[i]), np.int64(best[i])
        if i < slots:
            seat = owner_of(words[place])
            state.hands[seat, cards[place]] -= 1
            state.hands[seat, rank] += 1
        cards[place] = rank


@kernel
def swapped(state, words, cards, links, counts, firsts, one, other, rng, fits):
    """Swap two cards, if luck will have it; returns by how much more is broken. Where nothing is broken, no less can
    be, so a swap is off as soon as it breaks anything, unless luck allows that.
    """
    first, second = np.int64(cards[one]), np.int64(cards[other])
    if first == second:
        return 0
    luck = unit(rng)
    strict = fits and luck >= FALSE
    if strict and (words[one] >> second | words[other] >> first) & 1:
        return 0
    more = moved(state, words, links, counts, firsts, second, other, one)
    if strict and more > 0:
        return 0
    more += moved(state, words, links, counts, firsts, first, one, other)
    if strict and more > 0:
        return 0
    chance = 1.0
    for _ in range(more):
        chance *= FALSE
    if luck >= chance:
        return 0
    carry(state, words, links, counts, firsts, first, one, other)
    carry(state, words, links, counts, firsts, second, other, one)
    cards[one], cards[other] = second, first
    return more


@kernel
def moved(state, words, links, counts, firsts, rank, away, to):
    """By how much more is broken if a card of this rank goes from one place to another. A place of the pool excludes no
    rank, has no owner and no links, so it breaks nothing.
    """
    left, reached = words[away], words[to]
    more = (reached >> rank & 1) - (left >> rank & 1)
    giver, taker = owner_of(left), owner_of(reached)
    if giver != taker:
        more += 1 if taker >= 0 and state.hands[taker, rank] >= SUITS - 1 else 0
        more -= 1 if giver >= 0 and state.hands[giver, rank] > SUITS - 1 else 0
    before, after = np.int64(links[RANKS * away + rank]), np.int64(links[RANKS * to + rank])
    if before != after:
        same = before & EARLY - 1 == after & EARLY - 1
        if before > 0:
            more += lost(state, counts, firsts, before, same)
        if after > 0:
            more += gained(state, counts, firsts, after, same)
    return more


@kernel
def added(state, words, links, counts, firsts, rank, place):
    """By how much more is broken with a card of this rank at a place of a seat."""
    word, entry = words[place], np.int64(links[RANKS * place + rank])
    more = (word >> rank & 1) + (1 if state.hands[owner_of(word), rank] >= SUITS - 1 else 0)
    return more + (gained(state, counts, firsts, entry, False) if entry > 0 else 0)


@kernel
def lost(state, counts, firsts, entry, same):
    """By how much more of a telling is broken without a card that it counts; `same`: it counts the card elsewhere."""
    at, more = (entry & EARLY - 1) - 1, 0
    wanted = state.told[at, RANK] >> 4
    if wanted > 0 and not same:
        more = 1 if np.int64(counts[at]) <= wanted else -1
    return more + (1 if entry & EARLY and np.int64(firsts[at]) == 1 else 0)


@kernel
def gained(state, counts, firsts, entry, same):
    """By how much more of a telling is broken with one card more that it counts."""
    at, more = (entry & EARLY - 1) - 1, 0
    wanted = state.told[at, RANK] >> 4
    if wanted > 0 and not same:
        more = 1 if np.int64(counts[at]) >= wanted else -1
    return more - (1 if entry & EARLY and np.int64(firsts[at]) == 0 else 0)


@kernel
def carry(state, words, links, counts, firsts, rank, away, to):
    """Count a card of this rank at another place."""
    count(state, words, links, counts, firsts, away, rank, -1)
    count(state, words, links, counts, firsts, to, rank, 1)


@kernel
def count(state, words, links, counts, firsts, place, rank, sign):
    """Count a card at a place (sign 1), or no longer (sign -1); the pool counts nothing."""
    seat = owner_of(words[place])
    if seat >= 0:
        state.hands[seat, rank] += sign
        entry = np.int64(links[RANKS * place + rank])
        if entry > 0:
            at = (entry & EARLY - 1) - 1
            counts[at] = np.int64(counts[at]) + sign
            firsts[at] = np.int64(firsts[at]) + (sign if entry & EARLY else 0)
