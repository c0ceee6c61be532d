"""The slots of Go Fish as numbers, as they are needed to deal anew: sets of slots are no help in swaps of two cards."""

from kingmaker.core.kernel import kernel
from kingmaker.games.parts.go_fish.hidden import CARDS, OWNER, OWNER_DIGITS, RANK_DIGITS, RANKS, SUITS


@kernel
def lay_out(state, words, cards):
    """Write down each slot's word and its card; 0 where a slot is empty. The word has the bits of the ranks that the
    card is known not to be, and from the bit `OWNER` on the owner plus one.
    """
    for place in range(CARDS):
        words[place], cards[place] = 0, 0
    for rank in range(RANKS):
        slots = state.excluded[rank]
        for place in range(CARDS):
            words[place] |= (slots >> place & 1) << rank
    for digit in range(OWNER_DIGITS):
        slots = state.owner[digit]
        for place in range(CARDS):
            words[place] |= (slots >> place & 1) << (OWNER + digit)
    for digit in range(RANK_DIGITS):
        slots = state.card[digit]
        for place in range(CARDS):
            cards[place] |= (slots >> place & 1) << digit


@kernel
def gather_in(state, cards, ranks):
    """Write the cards of all slots into the state; those behind them are the pool."""
    for digit in range(RANK_DIGITS):
        slots = 0
        for place in range(CARDS):
            slots |= (cards[place] >> digit & 1) << place
        state.card[digit] = slots & ~(-1 << state.filled)
    for rank in range(ranks):
        state.pool[rank] = 0
    for place in range(state.filled, SUITS * ranks):
        state.pool[cards[place]] += 1
