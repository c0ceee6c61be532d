"""What everybody knows about hidden cards, and how they are dealt anew.

Every card that ever came into a hand from the deck did so at a known time: it was dealt, or drawn. Such a time is a
*slot*, 52 at most in a match, and a match is given by the card of every slot, for all that happens later is public.
Cards that change hands are shown, so the number of cards of a rank that a seat holds is the number of its slots with
that rank plus what it was given and minus what it gave away (`net`). Whatever is seen thus bounds how many of the first
slots of a seat are of a rank:

- a seat that asks for a rank holds one at least,
- a seat that gives its cards of a rank, none of them too, held exactly these,
- a seat that lays down a book held four, and until then it held at most three,
- a card that is drawn after an ask in vain is of the rank asked for if it is shown, else of another (`only`).

The deals that fit are those that keep all these bounds, and each of them is as likely as any other. `deal_anew` draws
one of them by swapping cards at random.
"""

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below, unit
from kingmaker.core.scratch import scratch_floats

CARDS, RANKS, SUITS, SEATS = 52, 13, 4, 6
SWAPS = 20  # of each hidden card, before the deal is looked at
LOOKS = 200  # until a deal fits
FALSE, COOLER, LEAST = (
    0.1,
    0.5,
    0.001,
)  # the chance of a swap that breaks one bound more: at first, after a look, at least


@kernel
def add_slot(state, seat, rank, only):
    """The seat takes a card from the deck; `only` is its rank plus one if all can see it, or minus a rank minus one if
    it is known to be of another.
    """
    place = state.filled
    state.owner[place], state.card[place], state.only[place] = seat + 1, rank, only
    state.hands[seat, rank] += 1
    state.filled += 1


@kernel
def last_slot(state, seat):
    """The latest slot of a seat; -1 if it has none."""
    for place in range(state.filled - 1, -1, -1):
        if state.owner[place] == seat + 1:
            return place
    return -1


@kernel
def bound(state, seat, rank, low, high):
    """Of all slots of the seat so far, at least `low` and at most `high` have the rank.

    Two numbers in one byte: the lower end, and how far the upper end is below four.
    """
    place = last_slot(state, seat)
    if place >= 0:
        code = state.bounds[place, rank]
        lowest, short = max(code & 7, low), max(code >> 3, SUITS - high)
        state.bounds[place, rank] = lowest | short << 3


@kernel
def no_book(state, seat, ranks):
    """All can see that the seat has no book in its hand."""
    for rank in range(ranks):
        bound(state, seat, rank, 0, min(SUITS - 1 - state.net[seat, rank], SUITS))


@kernel
def held_exactly(state, seat, rank, count):
    """All can see that the seat holds exactly so many cards of a rank."""
    bound(state, seat, rank, count - state.net[seat, rank], count - state.net[seat, rank])


@kernel
def broken(owner, only, card, bounds, filled, seat, rank):
    """By how much the slots of a seat break what is known about a rank."""
    count, sum_broken = 0, 0
    for place in range(filled):
        if owner[place] == seat + 1:
            here = int(card[place]) == rank
            count += 1 if here else 0
            if (here and only[place] == -rank - 1) or (not here and only[place] == rank + 1):
                sum_broken += 1
            code = bounds[place, rank]
            if code > 0:
                sum_broken += max((code & 7) - count, 0) + max(count - SUITS + (code >> 3), 0)
    return sum_broken


@kernel
def broken_by(state, card, one, other, first, second):
    """What two ranks break for the owners of two places; a place after the last slot is in the pool."""
    total, here = 0, state.owner[one] - 1
    total += broken(state.owner, state.only, card, state.bounds, state.filled, here, first)
    total += broken(state.owner, state.only, card, state.bounds, state.filled, here, second)
    there = state.owner[other] - 1 if other < state.filled else here
    if there != here:
        total += broken(state.owner, state.only, card, state.bounds, state.filled, there, first)
        total += broken(state.owner, state.only, card, state.bounds, state.filled, there, second)
    return total


@kernel
def deal_anew(game, state, seat, rng):
    """Deal all cards that the seat cannot know anew.

    It begins with a deal that depends on nothing but what the seat knows, and swaps two hidden cards again and again: a
    swap that breaks bounds is made the more rarely the more it breaks. So all deals that keep every bound are equally
    likely in the long run. After `SWAPS` swaps for every hidden card the deal is taken if it fits, else it goes on,
    with less and less that may be broken.
    """
    card, hidden, supply = scratch_floats(CARDS), scratch_floats(CARDS), scratch_floats(RANKS)
    slots = gather(game, state, seat, card, hidden, supply)
    total, place = slots, state.filled
    for rank in range(game.ranks):
        for _ in range(int(supply[rank])):
            card[place], hidden[total] = rank, place
            place += 1
            total += 1
    cost = 0
    for each in range(game.seats):
        for rank in range(game.ranks):
            cost += broken(state.owner, state.only, card, state.bounds, state.filled, each, rank)
    false, swaps = FALSE, SWAPS * total if slots > 0 else 0
    for _ in range(LOOKS):
        for _ in range(swaps):
            one, other = int(hidden[below(rng, slots)]), int(hidden[below(rng, total)])
            cost += swapped(state, card, one, other, false, unit(rng))
        if cost == 0:
            break
        false = max(COOLER * false, LEAST)
    lay_out(game, state, seat, card)


@kernel
def gather(game, state, seat, card, hidden, supply):
    """Collect the hidden slots, and deal them the hidden cards in the order of ranks; what is left stays in `supply`.
    Returns the number of hidden slots.
    """
    slots = 0
    for rank in range(game.ranks):
        supply[rank] = SUITS
    for place in range(state.filled):
        card[place] = state.card[place]
        if state.owner[place] - 1 == seat or state.only[place] > 0:
            supply[state.card[place]] -= 1.0
        else:
            hidden[slots] = place
            slots += 1
    rank = 0
    for slot in range(slots):
        while supply[rank] == 0.0:
            rank += 1
        supply[rank] -= 1.0
        card[int(hidden[slot])] = rank
    return slots


@kernel
def swapped(state, card, one, other, false, luck):
    """Swap two cards, if luck will have it; returns by how much more the bounds are broken."""
    first, second = int(card[one]), int(card[other])
    if first == second:
        return 0
    before = broken_by(state, card, one, other, first, second)
    card[one], card[other] = second, first
    more = broken_by(state, card, one, other, first, second) - before
    chance = 1.0
    for _ in range(more):
        chance *= false
    if luck < chance:
        return more
    card[one], card[other] = first, second
    return 0


@kernel
def lay_out(game, state, seat, card):
    """Make the hands and the pool those of the slots."""
    for rank in range(game.ranks):
        state.pool[rank] = SUITS
        for each in range(game.seats):
            state.hands[each, rank] = state.net[each, rank]
    for place in range(state.filled):
        rank = int(card[place])
        state.card[place] = rank
        state.pool[rank] -= 1
        state.hands[state.owner[place] - 1, rank] += 1
