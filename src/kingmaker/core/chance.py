"""Chance events: how one is drawn from a list, and which numbers stand for one where the game cannot list them."""

from typing import Any

import numpy as np

from kingmaker.core.errors import IllegalMove
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import unit
from kingmaker.core.scratch import scratch_events, scratch_odds

LARGEST = 2**31 - 1  # events that cannot be listed are numbered from 0 to this, for they are kept as moves
NO_EVENT = -(2**31)  # what is drawn from an empty list


@kernel
def draw_listed(game, state, rng):  # type: ignore[no-untyped-def]
    """One of the events that the game lists, by their probabilities; takes one random number."""
    out, odds = scratch_events(game), scratch_odds(game)
    count, left = game.outcomes(state, out, odds), unit(rng)
    if count < 1:
        return NO_EVENT
    for i in range(count):
        left -= odds[i]
        if left < 0.0:
            return out[i]
    return out[count - 1]


def is_event(number: Any) -> bool:
    """Can this be the number of an event at a chance node whose events the game cannot list?"""
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool) and bool(0 <= number <= LARGEST)


def event_in(text: str) -> int:
    """The number of such an event, read from a text that a person wrote."""
    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= 10 and is_event(int(word))):
        raise IllegalMove(
            f"'{text}' is no chance event here, where they cannot be listed; expected a number from 0 to {LARGEST}"
        )
    return int(word)
