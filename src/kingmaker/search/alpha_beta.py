"""Alpha-beta: minimax without the moves that cannot matter.

Once a reply is known that makes a move worse than one already in hand, the rest of its replies need not be looked at.
The value and the chosen move are minimax's; with the best moves first only about the square root of the nodes is left.

    D. Knuth, R. Moore. An Analysis of Alpha-Beta Pruning. Artificial Intelligence 6, 1975.

Differs from the textbook: returned values are fail-soft, and of equal moves the first in order is played.
"""

from dataclasses import dataclass

from kingmaker.search.minimax import Minimax


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(Minimax):
    """Two seats, with pruning."""

    def own_switches(self, game, estimate):
        return {"cuts": True}
