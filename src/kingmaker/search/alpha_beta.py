"""Alpha-beta: minimax without the moves that cannot matter.

Once one reply shows that a move is worse than another move already searched, the other replies to it need not be
searched. The value and the chosen move are minimax's; with the best moves first only about the square root of minimax's
nodes is searched.

    D. Knuth, R. Moore. An Analysis of Alpha-Beta Pruning. Artificial Intelligence 6, 1975.

Differs from the textbook: returned values are fail-soft, and of equal moves the one that the game lists first is
played.
"""

from dataclasses import dataclass

from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import divisible
from kingmaker.search.parts.switches.star import MOST_STAR, star_for


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(Minimax):
    """Minimax for two seats, with alpha-beta pruning."""

    order: str = "killer"  # given, shuffled, promising, history or killer
    star: int = 0  # pruning at chance nodes: 1 for Star1, 2 for Star2

    most = Minimax.most | {"star": MOST_STAR}

    @property
    def divides_below(self):
        return divisible(self)

    def own_switches(self, game, estimate):
        return {"cuts": True, "star": star_for(self, game, estimate)}
