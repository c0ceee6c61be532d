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
from kingmaker.games.parts.go_fish.hidden import BY, CARDS, FROM, RANK, RANKS, SUITS, TO, is_known, may_be, owner_of

STEPS, MOST = 3, 20  # for each hidden card: swaps after which the deal fits, and swaps of any kind
FIRST, WALKS = 5, 1000  # swaps for each hidden card until a deal fits, else the walk starts anew, at most so often
FALSE = 0.03  # the chance of a swap that breaks one thing more
PAIRS = CARDS * RANKS
EARLY = 64  # bit of an entry of `links`: the card would be the one that a seat was seen to hold
ELSEWHERE = 128  # claims from here on, plus a seat: the card is not with that seat, which would hold four else


@kernel
def deal_anew(game, state, seat, rng):
    """Deal all cards that the seat cannot know anew."""
    hidden = scratch(CARDS)
    slots, total = gather(game, state, seat, hidden)
    for _ in range(WALKS if slots > 0 else 0):
        if walked(state, seat, rng, hidden, slots, total):
            break
        for i in range(slots):
            place = np.int64(hidden[i])
            state.hands[owner_of(state.slot[place]), state.card[place]] -= 1
    for rank in range(game.ranks):
        state.pool[rank] = 0
    for place in range(state.filled, SUITS * game.ranks):
        state.pool[state.card[place]] += 1
        state.card[place] = 0


@kernel
def walked(state, seat, rng, hidden, slots, total):
    """Walk from a new start to a deal that fits; False if none was met."""
    links, claims, counts = scratch(PAIRS), scratch(CARDS), scratch(CARDS)
    firsts, best = scratch(CARDS), scratch(CARDS)
    for i in range(total - 1, 0, -1):
        exchange(state, np.int64(hidden[i]), np.int64(hidden[below(rng, i + 1)]))
    cost = link(state, seat, links, counts, firsts)
    claim(state, seat, rng, hidden, links, claims, slots, total)
    part(state, seat, hidden, claims, total)
    put_right(state, rng, hidden, links, claims, total)
    for i in range(slots):
        cost += put(state, links, counts, firsts, np.int64(hidden[i]), np.int64(state.card[np.int64(hidden[i])]), 1)
    fitting, kept = 0, False
    for step in range(MOST * total):
        if fitting >= STEPS * total or (step >= FIRST * total and fitting == 0 and not kept and cost > 0):
            break
        one, other, fits = below(rng, slots), below(rng, total), cost == 0
        cost += swapped(state, links, counts, firsts, np.int64(hidden[one]), np.int64(hidden[other]), rng, fits)
        if cost == 0:
            fitting += 1
        elif fits:
            keep(state, hidden, best, total, one, other)
            kept = True
    if cost > 0 and kept:
        take_back(state, hidden, best, slots, total)
    return cost == 0 or kept


@kernel
def gather(game, state, seat, hidden):
    """Collect the places of hidden cards, those of the pool last, and take these cards out of the hands; they lie there
    in the order of ranks. Returns the number of hidden slots and of all hidden places.
    """
    slots, left, rank = 0, 0, 0
    supply = scratch(RANKS)
    for each in range(game.ranks):
        supply[each] = SUITS
    for place in range(state.filled):
        word, card = state.slot[place], state.card[place]
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
        state.card[np.int64(hidden[i])] = rank
        left += 1
    return slots, total


@kernel
def link(state, seat, links, counts, firsts):
    """For every place and rank the telling that counts such a card, plus one; tellings of the seat's own cards are left
    out. Returns how much is broken as long as no hidden card is counted.
    """
    cost = 0
    for pair in range(RANKS * state.filled):
        links[pair] = 0
    for at in range(state.tellings):
        counts[at], firsts[at] = 0, 0
        code, first = np.int64(state.told[at, RANK]), np.int64(state.told[at, FROM])
        last, by = np.int64(state.told[at, TO]), np.int64(state.told[at, BY])
        owner, rank = owner_of(state.slot[last]), code & 15
        if owner != seat:
            cost += (code >> 4) + (1 if by > 0 else 0)
            for place in range(first, last + 1):
                if may_be(state.slot[place], owner, rank):
                    links[RANKS * place + rank] = (at + 1) | (EARLY if place < by else 0)
    return cost


@kernel
def exchange(state, one, other):
    state.card[one], state.card[other] = state.card[other], state.card[one]


@kernel
def claim(state, seat, rng, hidden, links, claims, slots, total):
    """Give the seats the cards that tellings speak of: one hidden card for each gets a claim, the telling plus one, and
    goes to a place where the telling is about it, if one is left.
    """
    for i in range(total):
        claims[i] = 0
    for at in range(state.tellings):
        code, last, by = state.told[at, RANK], state.told[at, TO], state.told[at, BY]
        if owner_of(state.slot[last]) != seat:
            for nth in range(max(code >> 4, 1)):
                claimed = (at + 1) | (EARLY if nth == 0 and by > 0 else 0)
                fetch(state, rng, hidden, links, claims, slots, total, code & 15, claimed)


@kernel
def part(state, seat, hidden, claims, total):
    """Claim that cards are elsewhere: a seat that holds cards of a rank for all to see may not get all others too.

    Cards that tellings claim for other seats are elsewhere already.
    """
    supply = scratch(RANKS)
    for rank in range(RANKS):
        supply[rank] = 0
    for i in range(total):
        rank = np.int64(state.card[np.int64(hidden[i])])
        supply[rank] = np.int64(supply[rank]) + 1
    for rank in range(RANKS):
        for other in range(len(state.books)):
            shown = np.int64(state.hands[other, rank])
            if other == seat or shown <= 0 or shown + np.int64(supply[rank]) < SUITS:
                continue
            away = shown - (SUITS - 1)
            for i in range(total):
                if state.card[np.int64(hidden[i])] == rank:
                    away += 1 if is_free(state, np.int64(claims[i]), other) else 0
            for i in range(total):
                if away > 0 and state.card[np.int64(hidden[i])] == rank and np.int64(claims[i]) == 0:
                    claims[i] = ELSEWHERE + other
                    away -= 1


@kernel
def is_free(state, claimed, seat):
    """May a card with this claim come to the seat?"""
    if claimed == 0 or claimed >= ELSEWHERE:
        return claimed - ELSEWHERE != seat
    return owner_of(state.slot[state.told[(claimed & EARLY - 1) - 1, TO]]) == seat


@kernel
def fetch(state, rng, hidden, links, claims, slots, total, rank, claimed):
    """Let a card of the rank be claimed, and bring it to a place for it that is drawn at random."""
    chosen, seen, found = -1, 0, 0
    last = state.told[(claimed & EARLY - 1) - 1, TO]
    for i in range(slots):
        place = np.int64(hidden[i])
        if place > last:
            break
        if answers(np.int64(links[RANKS * place + rank]), claimed) and np.int64(claims[i]) == 0:
            seen += 1
            if below(rng, seen) == 0:
                chosen = i
    for i in range(total):
        if state.card[np.int64(hidden[i])] == rank and np.int64(claims[i]) == 0:
            found = i
            break
    if chosen >= 0:
        exchange(state, np.int64(hidden[chosen]), np.int64(hidden[found]))
        found = chosen
    claims[found] = claimed


@kernel
def answers(entry, claimed):
    """Is a place with this link one for the card that a telling speaks of?"""
    return entry & EARLY - 1 == claimed & EARLY - 1 and entry & EARLY >= claimed & EARLY


@kernel
def takes(state, hidden, links, claims, i, j):
    """May the card of the j-th hidden place be at the i-th? So far as can be told without counting cards in hands."""
    place, rank = np.int64(hidden[i]), np.int64(state.card[np.int64(hidden[j])])
    claimed = np.int64(claims[j])
    if place >= state.filled:
        return claimed == 0 or claimed >= ELSEWHERE
    entry = np.int64(links[RANKS * place + rank])
    if 0 < claimed < ELSEWHERE:
        return answers(entry, claimed)
    if claimed > 0 and owner_of(state.slot[place]) == claimed - ELSEWHERE:
        return False
    told = (entry & EARLY - 1) - 1
    return not state.slot[place] >> rank & 1 and (told < 0 or state.told[told, RANK] >> 4 == 0)


@kernel
def put_right(state, rng, hidden, links, claims, total):
    """Move cards in circles until each is where it may be.

    Breadth first from a place with a wrong card: which places have a card that it could take, which have one that these
    could take, and so on, to a place that may have the wrong card. Such a circle exists, for the true deal is right.
    """
    come, queue = scratch(CARDS), scratch(CARDS)
    for wrong in range(total):
        if takes(state, hidden, links, claims, wrong, wrong):
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
                if np.int64(come[i]) == 0 and takes(state, hidden, links, claims, at, i):
                    come[i] = at + 1
                    queue[tail] = i
                    tail += 1
                    if takes(state, hidden, links, claims, i, wrong):
                        end = i
                        break
        if end >= 0:
            turn_round(state, hidden, claims, come, wrong, end)


@kernel
def turn_round(state, hidden, claims, come, wrong, end):
    """Every place on the way from `wrong` to `end` takes the card of the next one, and `end` that of `wrong`."""
    card, claimed, at = np.int64(state.card[np.int64(hidden[wrong])]), np.int64(claims[wrong]), end
    while True:
        place = np.int64(hidden[at])
        next_card, next_claimed = np.int64(state.card[place]), np.int64(claims[at])
        state.card[place], claims[at] = card, claimed
        if at == wrong:
            return
        card, claimed, at = next_card, next_claimed, np.int64(come[at]) - 1


@kernel
def keep(state, hidden, best, total, one, other):
    """Write down the deal as it was before the last swap."""
    for i in range(total):
        best[i] = state.card[np.int64(hidden[i])]
    best[one], best[other] = best[other], best[one]


@kernel
def take_back(state, hidden, best, slots, total):
    """Return to the deal that was written down."""
    for i in range(total):
        place, rank = np.int64(hidden[i]), np.int64(best[i])
        if i < slots:
            seat = owner_of(state.slot[place])
            state.hands[seat, state.card[place]] -= 1
            state.hands[seat, rank] += 1
        state.card[place] = rank


@kernel
def put(state, links, counts, firsts, place, rank, sign):
    """Count a card at a place (sign 1), or no longer (sign -1); returns by how much more is broken."""
    if place >= state.filled:
        return 0
    word = state.slot[place]
    seat = owner_of(word)
    held = state.hands[seat, rank]
    state.hands[seat, rank] = held + sign
    more = sign if word >> rank & 1 else 0
    if held + (sign + 1) // 2 > SUITS - 1:
        more += sign
    entry = np.int64(links[RANKS * place + rank])
    if entry > 0:
        at = (entry & EARLY - 1) - 1
        wanted = state.told[at, RANK] >> 4
        if wanted > 0:
            count = np.int64(counts[at])
            more += abs(count + sign - wanted) - abs(count - wanted)
            counts[at] = count + sign
        if entry & EARLY:
            early = np.int64(firsts[at])
            more -= sign if early + (sign + 1) // 2 == 1 else 0
            firsts[at] = early + sign
    return more


@kernel
def swapped(state, links, counts, firsts, one, other, rng, fits):
    """Swap two cards, if luck will have it; returns by how much more is broken."""
    first, second = np.int64(state.card[one]), np.int64(state.card[other])
    if first == second:
        return 0
    luck = unit(rng)
    excluded = state.slot[one] >> second & 1 or (other < state.filled and state.slot[other] >> first & 1)
    if fits and excluded and luck >= FALSE:  # where nothing is broken yet, no less can be
        return 0
    more = turned(state, links, counts, firsts, one, other, first, second)
    chance = 1.0
    for _ in range(more):
        chance *= FALSE
    if luck < chance:
        return more
    turned(state, links, counts, firsts, one, other, second, first)
    return 0


@kernel
def turned(state, links, counts, firsts, one, other, first, second):
    """Swap a card of rank `first` at one place and one of rank `second` at another; returns by how much more is
    broken.
    """
    more = put(state, links, counts, firsts, one, first, -1) + put(state, links, counts, firsts, other, second, -1)
    more += put(state, links, counts, firsts, one, second, 1) + put(state, links, counts, firsts, other, first, 1)
    state.card[one], state.card[other] = second, first
    return more
