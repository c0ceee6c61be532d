"""Equivalent moves: one of them is searched for all.

A seat that holds the seven and the eight of a suit may play either, if no other hand has a card between them: nobody
can gain or lose by the difference. The game says which moves are equivalent (`equivalent(state, seat, move)`), and the
estimate promises not to tell them apart, so every value is what it would be if all were searched. At the root all moves
are searched, so that a decision has values for each.

Where the order of moves is shuffled, the moves are shuffled before the equivalent ones are left out: of equally good
moves each still comes first equally often.
"""

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.kernel import Constant


class EveryMove(Constant):
    """All moves are searched."""

    def fields(self, game, plies):
        return []

    def narrowed(self, game, work, ply, seat, many):
        """How many of the listed moves are to be searched; they come first."""
        return many

    def weight(self, work, ply, i):
        """How many moves the i-th listed one stands for."""
        return 1


class OneOfEach(EveryMove):
    """Below the root the first of equivalent moves, in the order to try them, stands for all."""

    def fields(self, game, plies):
        return [("kinds", np.int32, (plies, game.max_moves)), ("weights", np.int32, (plies, game.max_moves))]

    def narrowed(self, game, work, ply, seat, many):
        if ply == 0:
            for i in range(many):
                work.weights[0, i] = 1
            return many
        kept = 0
        for i in range(many):
            kind, at = game.equivalent(work.states[ply], seat, work.moves[ply, i]), 0
            while at < kept and work.kinds[ply, at] != kind:
                at += 1
            if at == kept:
                work.moves[ply, kept], work.kinds[ply, kept], work.weights[ply, kept] = work.moves[ply, i], kind, 0
                kept += 1
            work.weights[ply, at] += 1
        return kept

    def weight(self, work, ply, i):
        return work.weights[ply, i]


def equivalents_for(game, alike):
    """One of equivalent moves for all, if the game names them and the estimate holds them `alike`."""
    return OneOfEach() if alike and provides(game, "equivalent") else EveryMove()
