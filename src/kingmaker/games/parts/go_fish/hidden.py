"""What everybody knows about hidden cards.

Every card that ever came into a hand from the deck did so at a known time: it was dealt, or drawn. Such a time is a
*slot*, 52 at most in a match, and a match is given by the card of every slot, for all that happens later is public:
cards that change hands are shown, and so are books. What is seen tells something about the slots of one seat:

- a card that is shown when it is drawn, because it is of the rank asked for or makes a book, is known to all;
- a card that is drawn after an ask in vain and not shown is not of that rank;
- a seat that has none of a rank, or gives no more than others have given it, has none in its slots so far;
- a seat that gives more than that, or lays down a book, had exactly so many in its slots so far;
- a seat that asks for a rank of which nobody has seen it get a card has one at least in its slots so far.

The first three say of single slots which ranks they are not. The other two are *tellings*: exactly so many, or one at
least, of the slots from one place to another. A slot whose rank was settled by a telling or because all know it is
never part of a later one for the same seat and rank, so each telling is about a card of its own, and there are at most
as many as cards. Nobody holds four cards of a rank: they would have been laid down.

A set of slots is a word with one bit for each, so that what is told of many slots is written in one step: `owner` and
`card` have a word for each binary digit of the owner plus one and of the rank, `excluded` one for each rank. A card
that all know has the bits of all ranks there, its own too, so that no telling will be about it. `seen` and `heard`
follow from the other fields (`index.py`): they spare a search through the tellings.
"""

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.go_fish.bits import first, last, popcount

CARDS, RANKS, SUITS = 52, 13, 4
OWNER_DIGITS, RANK_DIGITS = 3, 4
OWNER = 13  # the bits of a slot's word from this one on: the owner plus one; below: ranks that it is known not to be
ALL_RANKS = (1 << RANKS) - 1
RANK, FROM, TO, BY = 0, 1, 2, 3  # of a telling: rank and 16 times how many; places; place + 1 by which there was one


@kernel
def owner_of(word):
    return (word >> OWNER) - 1


@kernel
def is_known(word):
    """Can everybody tell the rank of a card? All other ranks are excluded."""
    left = ~word & ALL_RANKS
    return left & (left - 1) == 0


@kernel
def slots_of(state, seat):
    """The slots of a seat."""
    found, code = -1, seat + 1
    for digit in range(OWNER_DIGITS):
        found &= state.owner[digit] if code >> digit & 1 else ~state.owner[digit]
    return found


@kernel
def slots_with(state, rank):
    """The slots whose card is of the rank; for rank 0 also those that are empty."""
    found = -1
    for digit in range(RANK_DIGITS):
        found &= state.card[digit] if rank >> digit & 1 else ~state.card[digit]
    return found


@kernel
def add_slot(state, seat, rank):
    """The seat takes a card from the deck."""
    place = state.filled
    for digit in range(OWNER_DIGITS):
        state.owner[digit] |= (seat + 1 >> digit & 1) << place
    for digit in range(RANK_DIGITS):
        state.card[digit] |= (rank >> digit & 1) << place
    state.hands[seat, rank] += 1
    state.held[seat] |= 1 << rank
    state.filled += 1


@kernel
def latest(state, seat, rank):
    """The latest telling about a seat and a rank; -1: there is none."""
    if state.heard[seat] >> rank & 1:
        slots = slots_of(state, seat)
        for at in range(state.tellings - 1, -1, -1):
            if state.told[at, RANK] & 15 == rank and slots >> state.told[at, TO] & 1:
                return at
    return -1


@kernel
def is_open(state, at):
    """Does a telling say no number yet? Only the latest one about a seat and a rank can be open."""
    return at >= 0 and state.told[at, RANK] >> 4 == 0


@kernel
def unsettled(state, seat, rank, at):
    """The slots of a seat that may be of the rank and that no telling has settled; `at` is the latest one."""
    start = 0
    if at >= 0:
        start = state.told[at, FROM] if is_open(state, at) else state.told[at, TO] + 1
    return slots_of(state, seat) & ~state.excluded[rank] & -1 << start


@kernel
def tell(state, at, seat, rank, count, slots, by):
    """Write down a telling about some slots of the seat: the one at `at`, or a new one if that is -1."""
    if at < 0:
        at = state.tellings
        state.tellings += 1
        state.told[at, BY] = by
        state.heard[seat] |= 1 << rank
    state.told[at, RANK], state.told[at, FROM], state.told[at, TO] = rank | count << 4, first(slots), last(slots)


@kernel
def held_exactly(state, seat, rank):
    """All can see how many cards of the rank the seat holds, before it gives them away or lays them down: those in its
    slots that were not settled yet are.
    """
    at = latest(state, seat, rank)
    slots, still_open = unsettled(state, seat, rank, at), is_open(state, at)
    count = popcount(slots & slots_with(state, rank))
    if count > 0:
        tell(state, at if still_open else -1, seat, rank, count, slots, 0)
        still_open = False
    elif slots:
        state.excluded[rank] |= slots
        find_known(state, seat, slots)
    if not still_open:
        state.seen[seat] &= ~(1 << rank)


@kernel
def holds_one(state, seat, rank):
    """All can see that the seat holds a card of the rank, which is news if all that it is known to hold are others."""
    if not state.seen[seat] >> rank & 1:
        slots = unsettled(state, seat, rank, latest(state, seat, rank))
        tell(state, -1, seat, rank, 0, slots, last(slots) + 1)
        state.seen[seat] |= 1 << rank


@kernel
def show(state, seat, rank):
    """All can see the latest card, which the seat has got."""
    for each in range(RANKS):
        state.excluded[each] |= 1 << (state.filled - 1)
    state.seen[seat] |= 1 << rank


@kernel
def find_known(state, seat, slots):
    """Mark those of some slots of the seat that are known to all because a single rank is left for them."""
    none, one = slots, 0
    for rank in range(RANKS):
        free = ~state.excluded[rank]
        one = one & ~free | none & free
        none &= ~free
    for rank in range(RANKS if one else 0):
        known = one & slots_with(state, rank)
        if known & unsettled(state, seat, rank, latest(state, seat, rank)):
            state.seen[seat] |= 1 << rank
        state.excluded[rank] |= known
