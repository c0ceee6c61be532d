"""Facts: what holds for every match of a game."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Facts:
    """What holds for every match of a game; algorithms decide by these whether they can play it.

    A bound that is not known stays infinite.
    """

    seats: tuple[int, int] = (1, 16)  # fewest and most
    chance: bool = False  # dice: `mover` may return CHANCE
    hidden: bool = False  # a seat must not see the whole state
    simultaneous: bool = False  # all seats choose their moves at once
    out_of_turn: bool = False  # `moves` and `play` make sense for a seat that is not to move
    tricks: bool = False  # a move lays a card to a trick, and `trick_rank` tells how high it is
    single_winner: bool = False  # every match ends with one seat above all others
    low: float = -np.inf  # no payoff is lower
    high: float = np.inf  # no payoff is higher
    total: float = np.inf  # the payoffs of a match add up to no more
    constant_sum: bool = False  # they always add up to exactly `total`
