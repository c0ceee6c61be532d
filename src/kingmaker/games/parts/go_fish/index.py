"""Fields of Go Fish that follow from the others: which ranks a seat holds, is seen to hold, and was told about."""

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.go_fish.bits import popcount
from kingmaker.games.parts.go_fish.hidden import RANK, RANKS, TO, is_open, latest, slots_of, slots_with, unsettled


@kernel
def note_hands(state):
    """Write down which ranks the seats hold."""
    for seat in range(len(state.books)):
        state.held[seat] = 0
        for rank in range(RANKS):
            state.held[seat] |= (1 if state.hands[seat, rank] > 0 else 0) << rank


@kernel
def note_all(state):
    """Write down all fields that follow from the others: a seat is seen to hold a rank if an open telling says so, or
    if not all its cards of the rank are from slots that nobody can tell yet.
    """
    note_hands(state)
    for seat in range(len(state.books)):
        state.heard[seat] = 0
        for at in range(state.tellings):
            if slots_of(state, seat) >> state.told[at, TO] & 1:
                state.heard[seat] |= 1 << (state.told[at, RANK] & 15)
        state.seen[seat] = 0
        for rank in range(RANKS):
            at = latest(state, seat, rank)
            hidden = popcount(unsettled(state, seat, rank, at) & slots_with(state, rank))
            if is_open(state, at) or state.hands[seat, rank] != hidden:
                state.seen[seat] |= 1 << rank
