"""Deal anew what a seat cannot see at a card table of four, uniformly among all deals that fit.

What a seat knows of the others are the numbers of their cards, some single cards, and which *kinds* of cards each of
them lacks: suits that it did not follow. Cards that the same seats may hold are one heap. A heap for one seat is dealt
at once. How the heaps for two seats are split between them is drawn in proportion to the number of deals with that
split: at most 14 x 14 x 14 splits, whose numbers of deals are products of binomial coefficients. The heap for all three
fills up the hands. So every deal that fits has exactly the same probability, in bounded time and without trying deals
that do not fit. All counts are whole numbers below 2^63.
"""

from math import comb

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import draw, shuffle
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.cards.cards import held, lowest_of

WAYS = np.array([[comb(n, k) for k in range(40)] for n in range(40)], np.int64)
OTHERS, HEAPS = 3, 8  # a heap for each choice of seats that may hold its cards
HEAP = 39  # the most cards that a seat cannot see
ROOM = 312  # for eight heaps
NONE = np.uint64(0)


@kernel
def below_many(rng, count):
    """A random whole number from 0 to count - 1, for counts up to 2^63: exact, by rejection."""
    size = np.uint64(count)
    while True:
        word = draw(rng)
        number = word % size
        if word - number <= NONE - size:  # else the last, incomplete run of numbers was hit
            return np.int64(number)


@kernel
def deal_anew(game, state, seat, rng):
    """Deal all cards of the other seats anew that `seat` cannot know; `game.fixed` are those that it does know."""
    cards, sizes, rooms = scratch(ROOM), scratch(HEAPS), scratch(OTHERS)
    gather(game, state, seat, cards, sizes, rooms)
    hand_out(state, seat, cards, 1, np.int64(sizes[1]), 0, rooms)
    hand_out(state, seat, cards, 2, np.int64(sizes[2]), 1, rooms)
    hand_out(state, seat, cards, 4, np.int64(sizes[4]), 2, rooms)
    first, second, third = np.int64(sizes[3]), np.int64(sizes[5]), np.int64(sizes[6])
    split = chosen_split(rng, first, second, third, np.int64(sizes[7]), rooms)
    share(state, seat, rng, cards, 3, first, split // 1600, 0, 1, rooms)
    share(state, seat, rng, cards, 5, second, split // 40 % 40, 0, 2, rooms)
    share(state, seat, rng, cards, 6, third, split % 40, 1, 2, rooms)
    left = np.int64(sizes[7])
    for i in range(left):
        cards[i] = cards[7 * HEAP + i]
    shuffle(rng, cards, left)
    at = 0
    for other in range(3):
        for _ in range(np.int64(rooms[other])):
            give(state, seat, other, np.int64(cards[at]))
            at += 1


@kernel
def gather(game, state, seat, cards, sizes, rooms):
    """Take from the other seats what `seat` cannot know, and heap it up by who may hold it."""
    for heap in range(8):
        sizes[heap] = 0
    for other in range(3):
        rooms[other] = held(state.hands, (seat + 1 + other) % 4)
    for suit in range(4):
        unseen = 0
        for other in range(3):
            holder = (seat + 1 + other) % 4
            hand = np.int64(state.hands[holder, suit])
            known = game.fixed(state, seat, holder, suit) & hand
            unseen |= hand & ~known
            state.hands[holder, suit] = known
        while unseen != 0:
            rank = lowest_of(unseen)
            unseen &= unseen - 1
            card, heap = 13 * suit + rank, 0
            kind = game.kind(card)
            for other in range(3):
                if not state.lacks[(seat + 1 + other) % 4] >> kind & 1:
                    heap |= 1 << other
            cards[heap * HEAP + np.int64(sizes[heap])] = card
            sizes[heap] = np.int64(sizes[heap]) + 1
    for other in range(3):
        rooms[other] = np.int64(rooms[other]) - held(state.hands, (seat + 1 + other) % 4)


@kernel
def give(state, seat, other, card):
    state.hands[(seat + 1 + other) % 4, card // 13] |= 1 << card % 13


@kernel
def hand_out(state, seat, cards, heap, count, other, rooms):
    """Deal a whole heap to the only seat that may hold it."""
    for i in range(count):
        give(state, seat, other, np.int64(cards[heap * HEAP + i]))
    rooms[other] = np.int64(rooms[other]) - count


@kernel
def share(state, seat, rng, cards, heap, count, part, other, another, rooms):
    """Deal `part` cards of a heap to one seat and the rest to another; which ones is drawn uniformly."""
    for taken in range(count):
        last = heap * HEAP + count - 1 - taken
        pick = heap * HEAP + below_many(rng, count - taken)
        cards[pick], cards[last] = cards[last], cards[pick]
        give(state, seat, other if taken < part else another, np.int64(cards[last]))
    rooms[other] = np.int64(rooms[other]) - part
    rooms[another] = np.int64(rooms[another]) - (count - part)


@kernel
def ways_of(first, second, third, rest, x, y, z, rooms):
    """The number of deals with a split: x of the first heap and y of the second go to the first seat, z of the third to
    the second seat.
    """
    a = np.int64(rooms[0]) - x - y
    b = np.int64(rooms[1]) - (first - x) - z
    c = rest - a - b
    if a < 0 or b < 0 or c < 0:
        return 0
    return WAYS[first, x] * WAYS[second, y] * WAYS[third, z] * WAYS[rest, a] * WAYS[rest - a, b]


@kernel
def chosen_split(rng, first, second, third, rest, rooms):
    """A split of the three heaps for two seats, with the probability of all deals that have it; 1600 x + 40 y + z."""
    if first + second + third == 0:
        return 0
    total = np.int64(0)
    for x in range(first + 1):
        for y in range(second + 1):
            for z in range(third + 1):
                total += ways_of(first, second, third, rest, x, y, z, rooms)
    number = below_many(rng, total)
    for x in range(first + 1):
        for y in range(second + 1):
            for z in range(third + 1):
                number -= ways_of(first, second, third, rest, x, y, z, rooms)
                if number < 0:
                    return 1600 * x + 40 * y + z
    return 0
