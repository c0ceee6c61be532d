"""MP-Mix: defend a lead, stop a leader, else play for yourself.

Before each move the present position is judged, without looking ahead. If the root seat leads by at least `td`, the others will
turn on it: it plays Paranoid. If another seat leads by at least `to`, somebody must stop it: it plays Offensive against that
seat. Otherwise it plays MaxN. Only the gap between the first two counts, for two close leaders wear each other down.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the printed pseudo-code, which falls through to MaxN: the three branches exclude each other. Thresholds compare by
`>=`, as the paper's words need (`to=0` is always offensive when not leading); `strict=True` takes the printed `>`. Of tied
leaders the root seat counts as the leader if it is among them, else one is drawn.
"""

from dataclasses import dataclass, replace

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.record import zeros
from kingmaker.core.rng import below, stream
from kingmaker.search.maxn import Maxn
from kingmaker.search.offensive import Offensive
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.parts.needs import to_move
from kingmaker.search.parts.shell import SearchAgent, common_settings


@dataclass(frozen=True, kw_only=True)
class MpMix(SearchAgent):
    """Paranoid, Offensive or MaxN, by who leads and by how much."""

    td: float = np.inf  # defend when leading by at least this much
    to: float = np.inf  # attack a leader who leads by at least this much
    strict: bool = False  # by more than that

    def __post_init__(self):
        super().__post_init__()
        for name in ("td", "to"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or np.isnan(value):
                raise BadParameter(f"expected a number for the threshold {name}, got {value!r} in {self}")

    def decide(self, game, state, rng=None, *, record=0, compiled=None):
        to_move(game, state)
        rng = stream(0, "agent") if rng is None else rng
        seat = game.mover(state)
        values, leader, edge = standing(game, game.estimate(self.estimate), state, seat, rng)
        mode = self.mode(seat, leader, edge)
        settings = common_settings(self)
        agent = {"paranoid": Paranoid, "maxn": Maxn}[mode](**settings) if mode != "offensive" else Offensive(target=leader, **settings)
        decision = agent.decide(game, state, rng, record=record, compiled=compiled)
        notes = {"mode": mode, "leader": leader, "edge": edge, "standing": values}
        return replace(decision, notes={**decision.notes, **notes})

    def mode(self, seat, leader, edge):
        """Which of the three searches fits a leading edge."""
        threshold = self.td if leader == seat else self.to
        if edge > threshold or (edge == threshold and not self.strict):
            return "paranoid" if leader == seat else "offensive"
        return "maxn"


def standing(game, estimate, state, seat, rng):
    """The present value of every seat still in the game, who leads and by how much."""
    out = zeros((game.seats,), np.float64)
    with np.errstate(over="ignore"):
        estimate.value(game, state, out)
        values = tuple(float(value) for value in out)
        playing = [each for each in range(game.seats) if game.active(state, each)]
        order = sorted((values[each] for each in playing), reverse=True)
        leaders = [each for each in playing if values[each] == order[0]]
        leader = seat if seat in leaders else leaders[below(rng, len(leaders))] if len(leaders) > 1 else leaders[0]
    return values, leader, order[0] - order[1] if len(order) > 1 else np.inf
