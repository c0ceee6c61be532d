"""Moves are tried in the order in which the game lists them."""

from kingmaker.core.kernel import Constant


class Given(Constant):
    """The moves are tried in the game's own order."""

    def fields(self, game, plies):
        return []

    def arrange(self, game, work, ply, seat, count):
        return

    def arrange_replies(self, work, ply, count):
        return

    def one_of(self, work, count):
        """Which of so many moves, in the game's own order, would be tried first? Asked below the root."""
        return 0

    def credit(self, work, ply, seat, i, depth):
        return

    def hint(self, work, ply, move):
        """The table remembers this move (-1: none) as the best here, from a search of another depth."""
        return

    def leader(self, work):
        """The root move that is tried first; -1: none."""
        return -1

    def precedes(self, work, ply, i, best_i):
        """Is the i-th move to be taken if it is merely as good as the best, for the game lists it first?"""
        return False
