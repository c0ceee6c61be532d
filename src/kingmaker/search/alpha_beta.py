"""Alpha-beta: minimax without the moves that cannot matter.

Once a reply is known that makes a move worse than one already in hand, the rest of its replies need not be looked at. The value
and the chosen move are minimax's; with the best moves first only about the square root of the nodes is left.

    D. Knuth, R. Moore. An Analysis of Alpha-Beta Pruning. Artificial Intelligence 6, 1975.

Differs from the textbook: returned values are fail-soft, and of equal moves the first in order is played.
"""

from dataclasses import dataclass

from kingmaker.search.paranoid import full_window, pact
from kingmaker.search.parts.needs import two_seats
from kingmaker.search.parts.shell import SearchAgent


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(SearchAgent):
    """Two seats, with pruning."""

    kernel = pact

    def check(self, game):
        two_seats(self, game)

    def window(self, game, estimate):
        return full_window()

    def own_policy(self, game, estimate):
        return {"cuts": True}
