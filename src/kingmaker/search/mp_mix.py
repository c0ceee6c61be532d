"""MP-Mix: defend a lead, stop a leader, else play for yourself.

Before each move the present position is judged, without looking ahead. If the root seat leads by at least `td`, the
others will turn on it: it plays Paranoid. If another seat leads by at least `to`, somebody must stop it: it plays
Offensive against that seat. Otherwise it plays MaxN. Only the leader's edge counts, its lead over the second, for two
close leaders wear each other down. Thresholds and edge are in the unit of the estimate: steps, marbles, pawns. So it is
the estimate that states which thresholds were found to gain (`Estimate.tuned`), and these are the defaults.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the printed pseudo-code, which falls through to MaxN: the three branches exclude each other. Thresholds
compare by `>=`, as the paper's words need (`to=0` is always offensive when not leading); `strict=True` takes the
printed `>`. Of tied leaders the root seat counts as the leader if it is among them, else one is drawn.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.estimate import in_units
from kingmaker.core.rounding import measure_rounding
from kingmaker.search.maxn import Maxn
from kingmaker.search.offensive import Offensive
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.parts.machinery.depth_first import DepthFirst, common_settings
from kingmaker.search.parts.opponents.leader import leader_of, playing, standing

TUNED: Literal["tuned"] = "tuned"  # the threshold that the estimate states


@dataclass(frozen=True, kw_only=True)
class MpMix(DepthFirst):
    """Paranoid, Offensive or MaxN, by who leads and by how much."""

    td: float | Literal["tuned"] = TUNED  # defend when leading by at least this much, in the estimate's unit
    to: float | Literal["tuned"] = TUNED  # attack a leader who leads by at least this much, in the estimate's unit
    strict: bool = False  # switch only if the lead is greater than the threshold, not if it is equal
    ties: str = "random"  # when it attacks, of moves equal for the leader: as in Offensive

    @cached_property
    def parts(self):
        """The three searches it mixes, by mode."""
        settings = common_settings(self)
        alone = {"threads": 1} if self.ties != "first" else {}  # random tie-breaks need one thread
        return {
            "paranoid": Paranoid(**settings),
            "maxn": Maxn(**settings),
            "offensive": Offensive(**{**settings, **alone}, ties=self.ties),
        }

    def meet(self, game, ask):
        for part in self.parts.values():
            part.meet(game, ask)

    def fit(self, game):
        for part in self.parts.values():
            part.fit(game)
        self.check(game)

    def check(self, game):
        """Refuse a threshold that no edge can reach: the agent would never switch, and nobody would be told. Tuned ones
        may be beyond the edges of a small board.
        """
        for name, threshold in (("td", self.td), ("to", self.to)):
            if threshold != TUNED and np.isfinite(threshold):
                self.refuse_unreachable(game, name, threshold)

    def refuse_unreachable(self, game, name, threshold):
        estimate = game.estimate(self.estimate)
        widest = estimate.widest_edge(game)
        if not self.crosses(widest, threshold, measure_rounding(game, estimate)):
            raise BadParameter(
                f"expected {name} {'below' if self.strict else 'of at most'} {in_units(widest, estimate.unit)}, for no "
                f"seat of {game} can lead by more as {estimate.name} measures, got {threshold:g} in {self}; "
                f"use {name}=inf for never, or another estimate"
            )

    def prepare(self, game):
        self.fit(game)
        for part in self.parts.values():
            part.prepare(game)

    def runs(self, game):
        return list(self.parts.values())

    def choose(self, game, state, rng, ask):
        self.check(game)
        seat, seats = game.mover(state), playing(game, state)
        values = standing(game, self.estimate, state, ask.compiled)
        estimate = game.estimate(self.estimate)
        rounding = measure_rounding(game, estimate)
        leader, edge = leader_of(seats, values, seat, rng, rounding), edge_of([values[each] for each in seats])
        threshold = self.threshold(estimate, leader == seat)
        mode = self.mode(seat, leader, self.crosses(edge, threshold, rounding))
        agent = replace(self.parts[mode], target=leader) if mode == "offensive" else self.parts[mode]
        decision = agent.decide(game, state, rng, ask)
        notes = {"mode": mode, "leader": leader, "edge": edge, "standing": values, "unit": estimate.unit}
        if mode != "maxn":
            notes["threshold"] = float(threshold)
        return replace(decision, notes={**decision.notes, **notes})

    def threshold(self, estimate, leads):
        """The threshold for a seat that leads, or for one that does not."""
        given, tuned = (self.td, estimate.tuned[0]) if leads else (self.to, estimate.tuned[1])
        return tuned if given == TUNED else given

    def mode(self, seat, leader, wide):
        """The name of the search to use, given the leader and whether its edge is wide enough."""
        if wide:
            return "paranoid" if leader == seat else "offensive"
        return "maxn"

    def crosses(self, edge, threshold, rounding):
        """Is an edge wide enough for a threshold?"""
        return rounding.above(edge, threshold) or (rounding.reaches(edge, threshold) and not self.strict)


def edge_of(values):
    """The difference between the highest and the second highest value."""
    first, second = sorted([*values, -np.inf], reverse=True)[:2]
    return first - second
