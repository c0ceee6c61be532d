"""The alpha-beta window of two sides, the root seat and everybody else: which value is better, how the window narrows,
and whether a value is exact or a bound.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.search.parts.switches.transposition_table import AT_LEAST, AT_MOST, EXACT

TIES = 8.0  # how many times the rounding error the window is opened for a value that may be equal


def full_window():
    """The alpha-beta window of the root, where nothing is known yet of the value."""
    return (-np.inf, np.inf)


@kernel
def better(switches, mine, value, best):
    """Is the value better than the best so far for the side to move, by more than rounding?"""
    return switches.rounding.above(value, best) if mine else switches.rounding.below(value, best)


@kernel
def preferred(switches, work, ply, mine, value, best, i, best_i):
    """Does the i-th move take the place of the best so far? It does if it is better, or as good and, at the root,
    listed before that one by the game.
    """
    if switches.order.precedes(work, ply, i, best_i) and switches.rounding.reaches(value, best):
        return True
    return better(switches, mine, value, best)


@kernel
def floor_for(switches, work, ply, i, best_i, low):
    """The low end of the window for the i-th move: just below the best value where an equal one is to be taken, so that
    it is exact.
    """
    return low - TIES * switches.rounding.margin(low) if switches.order.precedes(work, ply, i, best_i) else low


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
