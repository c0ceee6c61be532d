"""Chance nodes without pruning: the questions that a search with one number and a window asks about them."""

import numpy as np

from kingmaker.core.kernel import Constant
from kingmaker.search.parts.machinery.node import blend
from kingmaker.search.parts.switches.bounds import told_by
from kingmaker.search.parts.switches.probe_memory import NoMemory


class EveryOutcome(Constant):
    """Every outcome of a chance node is searched with the full window."""

    def __init__(self):
        self.memory = NoMemory()

    def fields(self, game, plies):
        return []

    def rounds(self, work, ply, chance, mine, count, alpha, beta):
        """How many children to search at a node with `count` listed moves or outcomes and this window."""
        return count

    def turn(self, work, ply, chance, j):
        """Which child is searched in round j."""
        return j

    def window(self, work, ply, chance, i, low, high):
        """The window for the i-th child of a node whose own window is (low, high)."""
        return (-np.inf, np.inf) if chance else (low, high)

    def decides(self, game, switches, work, ply, j, value, alpha, beta):
        """Take the value of an outcome into the expectation; is the expectation now known well enough?"""
        blend(game, work, ply, j)
        return False

    def complete(self, work, ply):
        """Was the node searched, and not only probed?"""
        return True

    def told(self, work, ply, best, alpha, beta):
        """What the value of a node is: exact, a bound, or nothing to remember."""
        return told_by(best, alpha, beta)
