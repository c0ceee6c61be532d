"""Facts: what holds for every match of a game."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Facts:
    """What holds for every match of a game; algorithms decide by these whether they can play it.

    `low` and `high` bound every payoff; `total` bounds the sum of a payoff vector from above, and if `constant_sum` is
    its value. What is not known stays infinite.
    """

    seats: tuple[int, int] = (1, 16)  # fewest and most
    chance: bool = False
    hidden: bool = False
    simultaneous: bool = False
    out_of_turn: bool = False  # `moves` and `play` make sense for a seat that is not to move
    single_winner: bool = False
    low: float = -np.inf
    high: float = np.inf
    total: float = np.inf
    constant_sum: bool = False
