"""The alpha-beta window of two sides, the root seat and everybody else: which value is better, how the window narrows,
and whether a value is exact or a bound.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.search.parts.switches.transposition_table import AT_LEAST, AT_MOST, EXACT


def full_window():
    """The alpha-beta window of the root, where nothing is known yet of the value."""
    return (-np.inf, np.inf)


@kernel
def better(switches, mine, value, best):
    """Is the value better than the best so far for the side to move, by more than rounding?"""
    return switches.rounding.above(value, best) if mine else switches.rounding.below(value, best)


@kernel
def closed(switches, mine, low, high, best):
    """The window narrowed by the best value so far; where nothing is pruned it stays as it is."""
    if not switches.cuts:
        return low, high
    return (max(low, best), high) if mine else (low, min(high, best))


@kernel
def told_by(best, alpha, beta):
    """What a value found with this window is: exact inside it, else a bound."""
    return AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
