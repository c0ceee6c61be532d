"""OM search: I know how the opponent judges, and that it judges differently.

The opponent is taken to play minimax by an evaluation function of its own; at its nodes I follow the move it would
make, and value what comes of it by mine. Where the opponent's evaluation is wrong, OM search can do better than
minimax. Where my evaluation or the model of the opponent is wrong, it can do much worse, because it enters positions
that only a mistaken opponent would allow. `prom` hedges that bet. OM search is PrOM search with a single type, and
then the beta bound of that type prunes at every depth.

    D. Carmel, S. Markovitch. Incorporating Opponent Models into Adversary Search. AAAI 1996.
    H. Iida, J. Uiterwijk, H. J. van den Herik, I. Herschberg. Potential Applications of Opponent-Model Search,
    Part 2. ICCA Journal 17(1), 1994.

Differs from the papers: of moves that are equal for the opponent each is taken to be as likely; more than two seats are
as in `prom`.
"""

from dataclasses import dataclass

from kingmaker.search.parts.opponents.opponent_types import OWN
from kingmaker.search.prom import Typed


@dataclass(frozen=True, kw_only=True)
class Om(Typed):
    """OM search: all opponents are of one known type."""

    type: str = OWN  # 'estimate' or 'rule:estimate'

    @property
    def kinds(self):
        return (self.type,)
