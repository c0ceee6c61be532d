"""Shares of the one point of a match, in whole multiples of a grain, so that sums of them are exact."""

import numpy as np

from kingmaker.core.kernel import kernel

GRAIN = 2.0**-20  # shares are whole multiples of this, so that sums of them are exact


@kernel
def share_out(game, out):
    """Turn amounts into shares of 1, rounded down to whole grains."""
    total = 0.0
    for seat in range(game.seats):
        total += out[seat]
    for seat in range(game.seats):
        out[seat] = np.floor(out[seat] / total / GRAIN) * GRAIN
