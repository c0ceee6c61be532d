"""Searching fewer moves on purpose: forward pruning, which changes values.

Added Pruning lets a seat go on only as it went before: if a move continues the one it made last inside the tree, no
other is tried. Trees become narrow and deep. The game says what continues what (`continues(previous, move)`: in Light
Bike the same heading). A seat's first move in the tree is free; what was really played before the root does not count.

    N. Perez, B. J. Oommen. Multi-Minimax: A New AI Paradigm for Simultaneously-Played Multi-Player Games. 2019.
"""

import numpy as np

from kingmaker.core.kernel import Constant
from kingmaker.core.rng import GAMMA, mix


class Everything(Constant):
    """No forward pruning: all moves are searched."""

    def fields(self, game, plies):
        return []

    def narrow(self, game, work, ply, seat, first, count):
        return count

    def noted(self, game, work, ply, seat, move):
        return

    def salted(self, game, work, ply, key):
        return key


class SameHeading(Constant):
    """Only the move that continues the seat's last one, where there is such a move."""

    def fields(self, game, plies):
        return [
            ("headings", np.int32, (plies, game.seats))
        ]  # the last move of each seat in the tree plus one; 0: none yet

    def narrow(self, game, work, ply, seat, first, count):
        """Keep one of the `count` moves listed from `first` on, or all; return how many are kept."""
        previous = work.headings[ply, seat] - 1
        if previous < 0:
            return count
        for i in range(first, first + count):
            if game.continues(previous, work.moves[ply, i]):
                work.moves[ply, first] = work.moves[ply, i]
                return 1
        return count

    def noted(self, game, work, ply, seat, move):
        for each in range(game.seats):
            work.headings[ply + 1, each] = work.headings[ply, each]
        if seat >= 0:
            work.headings[ply + 1, seat] = move + 1

    def salted(self, game, work, ply, key):
        """The key mixed with the last move of each seat, because that decides which moves are searched below."""
        for each in range(game.seats):
            key = mix(key + GAMMA * np.uint64(work.headings[ply, each] + 1))
        return key


FORWARD_PRUNINGS = {"none": Everything(), "same_heading": SameHeading()}
