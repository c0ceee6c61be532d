"""What everybody knows about hidden cards.

Every card that ever came into a hand from the deck did so at a known time: it was dealt, or drawn. Such a time is a
*slot*, 52 at most in a match, and a match is given by the card of every slot, for all that happens later is public:
cards that change hands are shown, and so are books. What is seen tells something about the slots of one seat:

- a card that is shown when it is drawn, because it is of the rank asked for or makes a book, is known to all;
- a card that is drawn after an ask in vain and not shown is not of that rank;
- a seat that has none of a rank, or gives no more than others have given it, has none in its slots so far;
- a seat that gives more than that, or lays down a book, had exactly so many in its slots so far;
- a seat that asks for a rank of which nobody has seen it get a card has one at least in its slots so far.

The first three say of single slots which ranks they are not; these are bits of `slot`. The other two are *tellings*:
exactly so many, or one at least, of the slots from one place to another. A slot whose rank was settled by a telling or
by its bits is never part of a later one for the same seat and rank, so each telling is about a card of its own, and
there are at most as many as cards. Nobody holds four cards of a rank: they would have been laid down.
"""

from kingmaker.core.kernel import kernel

CARDS, RANKS, SUITS = 52, 13, 4
OWNER = 13  # the bits of `slot` from this one on: the owner plus one; below: ranks that the card is known not to be
ALL_RANKS = (1 << RANKS) - 1
RANK, FROM, TO, BY = 0, 1, 2, 3  # of a telling: rank and 16 times how many; places; place + 1 by which there was one


@kernel
def owner_of(word):
    return (word >> OWNER) - 1


@kernel
def all_but(rank):
    """The bits of a card that everybody knows."""
    return ALL_RANKS & ~(1 << rank)


@kernel
def is_known(word):
    """Can everybody tell the rank of a card? All other ranks are excluded."""
    left = ~word & ALL_RANKS
    return left & (left - 1) == 0


@kernel
def may_be(word, seat, rank):
    """Is it a hidden card of the seat that may be of the rank?"""
    return owner_of(word) == seat and not word >> rank & 1 and not is_known(word)


@kernel
def add_slot(state, seat, rank, excluded):
    """The seat takes a card from the deck; the bits of `excluded` are the ranks that all can tell it is not."""
    place = state.filled
    state.card[place], state.slot[place] = rank, (seat + 1) << OWNER | excluded
    state.hands[seat, rank] += 1
    state.filled += 1


@kernel
def telling_of(state, seat, rank, closed):
    """The latest telling about a seat and a rank: with an exact number if `closed`, else with none yet; -1: there is
    none.
    """
    for at in range(state.tellings - 1, -1, -1):
        code = state.told[at, RANK]
        if code & 15 == rank and (code >> 4 > 0) == closed and owner_of(state.slot[state.told[at, TO]]) == seat:
            return at
    return -1


@kernel
def first_open(state, seat, rank):
    """The first place after everything that is settled about a seat and a rank."""
    at = telling_of(state, seat, rank, True)
    return state.told[at, TO] + 1 if at >= 0 else 0


@kernel
def tell(state, at, rank, count, first, last, by):
    """Write down a telling: the one at `at`, or a new one if that is -1."""
    if at < 0:
        at = state.tellings
        state.tellings += 1
        state.told[at, BY] = by
    state.told[at, RANK], state.told[at, FROM], state.told[at, TO] = rank | count << 4, first, last


@kernel
def held_exactly(state, seat, rank):
    """All can see how many cards of the rank the seat holds: those in its slots that were not settled yet are."""
    count, first, last = 0, -1, -1
    for place in range(first_open(state, seat, rank), state.filled):
        if may_be(state.slot[place], seat, rank):
            count += 1 if state.card[place] == rank else 0
            first, last = place if first < 0 else first, place
    if count > 0:
        tell(state, telling_of(state, seat, rank, False), rank, count, first, last, 0)
    elif first >= 0:
        for place in range(first, last + 1):
            if may_be(state.slot[place], seat, rank):
                state.slot[place] |= 1 << rank


@kernel
def holds_one(state, seat, rank):
    """All can see that the seat holds a card of the rank, which is news if all that it is known to hold are others."""
    seen, first, last = state.hands[seat, rank], -1, -1
    for place in range(first_open(state, seat, rank), state.filled):
        if may_be(state.slot[place], seat, rank):
            seen -= 1 if state.card[place] == rank else 0
            first, last = place if first < 0 else first, place
    if seen == 0 and telling_of(state, seat, rank, False) < 0:
        tell(state, -1, rank, 0, first, last, last + 1)
