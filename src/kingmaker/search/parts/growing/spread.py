"""The spread of rewards: in what unit the bonus of a move that was seldom tried is measured.

The bonus is weighed against means. Where playouts are played to their end, rewards lie between 0 and 1, and the unit is
1. Where they are cut, the estimates of one position's successors may differ by thousandths, and the unit is the
standard deviation of the rewards. It never falls: a search that has found a good move sees little but that, and must
not cease to try the others for that reason.
"""

import math

import numpy as np

from kingmaker.core.kernel import kernel


def spread_fields(game):
    """The workspace fields of a spread."""
    return [
        ("spread", np.float64, ()),  # the largest so far; 1 if playouts are not cut
        ("weighed", np.int64, ()),  # how many playouts were taken into account
        ("means", np.float64, (game.seats,)),
        ("squares", np.float64, (game.seats,)),  # the sum of squared deviations from the mean
    ]


def begin_spread(work):
    """Forget all rewards; work.cut is set already."""
    work.spread, work.weighed = 1.0 if work.cut < 0 else 0.0, 0
    work.means[:] = 0.0
    work.squares[:] = 0.0


@kernel
def weigh(game, work):
    """Take the rewards in work.values[0] into account, if playouts are cut."""
    if work.cut < 0:
        return
    work.weighed += 1
    total = 0.0
    for seat in range(game.seats):
        away = work.values[0, seat] - work.means[seat]
        work.means[seat] += away / work.weighed
        work.squares[seat] += away * (work.values[0, seat] - work.means[seat])
        total += work.squares[seat]
    work.spread = max(work.spread, math.sqrt(total / (work.weighed * game.seats)))
