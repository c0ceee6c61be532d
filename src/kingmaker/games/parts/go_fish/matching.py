"""A first deal of hidden cards at Go Fish that fits what is known, or nearly: a matching of cards and places.

Cards that tellings speak of are claimed for them; a card that would make four with those that a seat holds for all to
see is claimed for elsewhere. Cards that lie where they may not are then moved in circles.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.go_fish.hidden import BY, CARDS, FROM, RANK, RANKS, SUITS, TO, owner_of

PAIRS, CHAIN = CARDS * RANKS, CARDS + 6
EARLY = 64  # bit of an entry of `links`: the card would be the one that a seat was seen to hold
ELSEWHERE = 128  # claims from here on, plus a seat: the card is not with that seat, which would hold four else


@kernel
def chain_up(words, hidden, chain, slots):
    """Chain up the hidden slots of each owner in their order: chain[i] is the next after the i-th plus one, and
    chain[CARDS + owner] the first plus one; 0 is the end.
    """
    for i in range(CARDS, CHAIN):
        chain[i] = 0
    for i in range(slots - 1, -1, -1):
        head = CARDS + owner_of(words[np.int64(hidden[i])])
        chain[i], chain[head] = chain[head], i + 1


@kernel
def link(state, words, seat, hidden, chain, links, counts, firsts):
    """For every place and rank the telling that counts such a card, plus one; tellings of the seat's own cards are left
    out. Returns how much is broken as long as no hidden card is counted.
    """
    cost = 0
    for pair in range(PAIRS):
        links[pair] = 0
    for at in range(state.tellings):
        counts[at], firsts[at] = 0, 0
        code, first = np.int64(state.told[at, RANK]), np.int64(state.told[at, FROM])
        last, by = np.int64(state.told[at, TO]), np.int64(state.told[at, BY])
        owner, rank = owner_of(words[last]), code & 15
        if owner != seat:
            cost += (code >> 4) + (1 if by > 0 else 0)
            i = np.int64(chain[CARDS + owner]) - 1
            while i >= 0 and np.int64(hidden[i]) <= last:
                place = np.int64(hidden[i])
                if place >= first and not words[place] >> rank & 1:
                    links[RANKS * place + rank] = (at + 1) | (EARLY if place < by else 0)
                i = np.int64(chain[i]) - 1
    return cost


@kernel
def exchange(cards, one, other):
    cards[one], cards[other] = cards[other], cards[one]


@kernel
def claim(state, words, cards, seat, rng, hidden, chain, links, claims, total):
    """Give the seats the cards that tellings speak of: one hidden card for each gets a claim, the telling plus one, and
    goes to a place where the telling is about it, if one is left.
    """
    for i in range(total):
        claims[i] = 0
    for at in range(state.tellings):
        code, last, by = state.told[at, RANK], state.told[at, TO], state.told[at, BY]
        if owner_of(words[last]) != seat:
            for nth in range(max(code >> 4, 1)):
                claimed = (at + 1) | (EARLY if nth == 0 and by > 0 else 0)
                fetch(state, words, cards, rng, hidden, chain, links, claims, total, code & 15, claimed)


@kernel
def part(state, words, cards, seat, hidden, claims, total):
    """Claim that cards are elsewhere: a seat that holds cards of a rank for all to see may not get all others too.

    Cards that tellings claim for other seats are elsewhere already.
    """
    supply = scratch(RANKS)
    for rank in range(RANKS):
        supply[rank] = 0
    for i in range(total):
        rank = np.int64(cards[np.int64(hidden[i])])
        supply[rank] = np.int64(supply[rank]) + 1
    for rank in range(RANKS):
        for other in range(len(state.books)):
            shown = np.int64(state.hands[other, rank])
            if other == seat or shown <= 0 or shown + np.int64(supply[rank]) < SUITS:
                continue
            away = shown - (SUITS - 1)
            for i in range(total):
                if cards[np.int64(hidden[i])] == rank:
                    away += 1 if is_free(state, words, np.int64(claims[i]), other) else 0
            for i in range(total):
                if away > 0 and cards[np.int64(hidden[i])] == rank and np.int64(claims[i]) == 0:
                    claims[i] = ELSEWHERE + other
                    away -= 1


@kernel
def is_free(state, words, claimed, seat):
    """May a card with this claim come to the seat?"""
    if claimed == 0 or claimed >= ELSEWHERE:
        return claimed - ELSEWHERE != seat
    return owner_of(words[state.told[(claimed & EARLY - 1) - 1, TO]]) == seat


@kernel
def fetch(state, words, cards, rng, hidden, chain, links, claims, total, rank, claimed):
    """Let a card of the rank be claimed, and bring it to a place for it that is drawn at random."""
    chosen, seen, found = -1, 0, 0
    last = state.told[(claimed & EARLY - 1) - 1, TO]
    i = np.int64(chain[CARDS + owner_of(words[last])]) - 1
    while i >= 0 and np.int64(hidden[i]) <= last:
        if answers(np.int64(links[RANKS * np.int64(hidden[i]) + rank]), claimed) and np.int64(claims[i]) == 0:
            seen += 1
            if below(rng, seen) == 0:
                chosen = i
        i = np.int64(chain[i]) - 1
    for i in range(total):
        if cards[np.int64(hidden[i])] == rank and np.int64(claims[i]) == 0:
            found = i
            break
    if chosen >= 0:
        exchange(cards, np.int64(hidden[chosen]), np.int64(hidden[found]))
        found = chosen
    claims[found] = claimed


@kernel
def answers(entry, claimed):
    """Is a place with this link one for the card that a telling speaks of?"""
    return entry & EARLY - 1 == claimed & EARLY - 1 and entry & EARLY >= claimed & EARLY


@kernel
def takes(state, words, cards, hidden, links, claims, i, j):
    """May the card of the j-th hidden place be at the i-th? So far as can be told without counting cards in hands."""
    place, rank = np.int64(hidden[i]), np.int64(cards[np.int64(hidden[j])])
    claimed = np.int64(claims[j])
    if place >= state.filled:
        return claimed == 0 or claimed >= ELSEWHERE
    entry = np.int64(links[RANKS * place + rank])
    if 0 < claimed < ELSEWHERE:
        return answers(entry, claimed)
    if claimed > 0 and owner_of(words[place]) == claimed - ELSEWHERE:
        return False
    told = (entry & EARLY - 1) - 1
    return not words[place] >> rank & 1 and (told < 0 or state.told[told, RANK] >> 4 == 0)


@kernel
def put_right(state, words, cards, rng, hidden, links, claims, total):
    """Move cards in circles until each is where it may be.

    Breadth first from a place with a wrong card: which places have a card that it could take, which have one that these
    could take, and so on, to a place that may have the wrong card. Such a circle exists, for the true deal is right.
    """
    come, queue = scratch(CARDS), scratch(CARDS)
    for wrong in range(total):
        if takes(state, words, cards, hidden, links, claims, wrong, wrong):
            continue
        for i in range(total):
            come[i] = 0
        queue[0], come[wrong] = wrong, wrong + 1
        head, tail, first, end = 0, 1, below(rng, total), -1
        while head < tail and end < 0:
            at = np.int64(queue[head])
            head += 1
            for ahead in range(total):
                i = (first + ahead) % total
                if np.int64(come[i]) == 0 and takes(state, words, cards, hidden, links, claims, at, i):
                    come[i] = at + 1
                    queue[tail] = i
                    tail += 1
                    if takes(state, words, cards, hidden, links, claims, i, wrong):
                        end = i
                        break
        if end >= 0:
            turn_round(cards, hidden, claims, come, wrong, end)


@kernel
def turn_round(cards, hidden, claims, come, wrong, end):
    """Every place on the way from `wrong` to `end` takes the card of the next one, and `end` that of `wrong`."""
    card, claimed, at = np.int64(cards[np.int64(hidden[wrong])]), np.int64(claims[wrong]), end
    while True:
        place = np.int64(hidden[at])
        next_card, next_claimed = np.int64(cards[place]), np.int64(claims[at])
        cards[place], claims[at] = card, claimed
        if at == wrong:
            return
        card, claimed, at = next_card, next_claimed, np.int64(come[at]) - 1
