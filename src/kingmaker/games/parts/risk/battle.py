"""Dice and battles: the odds of one roll, and of a fight until one side is gone.

The *force* of an attacker is its armies less the one that must stay behind. It rolls up to three dice, the defender up
to two; highest meets highest, second meets second, and a tie goes to the defender.
"""

from functools import lru_cache

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import unit
from kingmaker.core.scratch import scratch_floats

FIT = 63  # the largest force and the most defenders of a battle whose end is computed exactly
WIDE = 64
ROWS = 192  # three rows of WIDE numbers

# ways[attacker's dice, defender's dice, losses of the defender] out of 6 ** (all dice)
WAYS = np.zeros((4, 3, 3), np.int64)
WAYS[1, 1] = 21, 15, 0
WAYS[2, 1] = 91, 125, 0
WAYS[3, 1] = 441, 855, 0
WAYS[1, 2] = 161, 55, 0
WAYS[2, 2] = 581, 420, 295
WAYS[3, 2] = 2275, 2611, 2890
ODDS = WAYS / np.maximum(1, WAYS.sum(axis=2, keepdims=True))


@kernel
def compared(force, defenders):
    """How many pairs of dice are compared in one roll: so many armies are lost in all."""
    return 2 if force >= 2 and defenders >= 2 else 1


@kernel
def one_roll(force, defenders, rng):
    """The defender's losses in one roll of real dice; takes one random number."""
    left = unit(rng)
    odds = ODDS[min(3, force), min(2, defenders)]
    if left < odds[0]:
        return 0
    return 1 if left < odds[0] + odds[1] else 2


@kernel
def fought(forces, most, defenders, won, held):
    """Fight until one side is gone, from a distribution over forces.

    forces[f] is the probability of force f, for f from 1 to `most`. Adds to won[f] the probability that the attacker
    wins with f left, and to held[d] that it is spent with d defenders left.
    """
    rows = scratch_floats(ROWS)
    for i in range(ROWS):
        rows[i] = 0.0
    for force in range(most, 0, -1):
        row, next_row, last_row = force % 3 * WIDE, (force - 1) % 3 * WIDE, (force + 1) % 3 * WIDE
        rows[row + defenders] += forces[force]
        for left in range(defenders, 0, -1):
            here = rows[row + left]
            rows[row + left] = 0.0
            if here == 0.0:
                continue
            odds = ODDS[min(3, force), min(2, left)]
            if compared(force, left) == 1:
                if left == 1:
                    won[force] += here * odds[1]
                else:
                    rows[row + left - 1] += here * odds[1]
                if force == 1:
                    held[left] += here * odds[0]
                else:
                    rows[next_row + left] += here * odds[0]
            else:
                if left == 2:
                    won[force] += here * odds[2]
                else:
                    rows[row + left - 2] += here * odds[2]
                rows[next_row + left - 1] += here * odds[1]
                if force == 2:
                    held[left] += here * odds[0]
                else:
                    rows[last_row + left] += here * odds[0]  # force - 2 shares its row with force + 1


@lru_cache(maxsize=1)
def battle_tables():
    """[force, defenders] up to FIT: the chance to win, the mean survivors if the attacker wins, the mean defenders
    left if it does not.
    """
    win, alive, left = (np.zeros((WIDE, WIDE)) for _ in range(3))
    win[:, 0] = 1.0
    alive[:, 0] = np.arange(WIDE)
    left[0] = np.arange(WIDE)
    for force in range(1, WIDE):
        for defenders in range(1, WIDE):
            pairs = compared(force, defenders)
            for loss in range(pairs + 1):
                odds = ODDS[min(3, force), min(2, defenders), loss]
                then = force - (pairs - loss), defenders - loss
                win[force, defenders] += odds * win[then]
                alive[force, defenders] += odds * alive[then]
                left[force, defenders] += odds * left[then]
    with np.errstate(invalid="ignore", divide="ignore"):
        return win, np.where(win > 0, alive / win, 0.0), np.where(win < 1, left / (1 - win), 0.0)
