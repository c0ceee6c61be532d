"""Offensive: stop that one, whatever it costs me.

The root seat aims at a target: at its own nodes it takes the child that is worst for the target, and of those the one
best for itself. All others, the target among them, are expected to play MaxN. It is meant as a part of MP-Mix, which
uses it when another seat is too far ahead.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the paper, which leaves ties open: of moves equal for the target the one best for itself is chosen, and of
those one at random; `ties=any` leaves its own value out. Without a target it aims at whichever other seat leads now by
the estimate, so that it can play a whole match on any seat.
"""

from dataclasses import dataclass, replace

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.kernel import Constant
from kingmaker.core.rounding import measure_rounding
from kingmaker.search.maxn import NoPruning, last_move, maxn, own_gain
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.opponents.leader import judge, leader_of, playing, standing
from kingmaker.search.parts.switches.ties import TIES, tie_rule


class AgainstTarget(Constant):
    """The root seat prefers a lower value for the target, then a higher one for itself; all others a higher one for
    themselves.
    """

    sees_itself = True  # does the root seat look at its own value where the target's is equal?

    def fields(self, game, plies):
        return [("target", np.int64, ())]

    def is_selfish(self, work, seat):
        return seat != work.root

    def compare(self, switches, work, ply, seat):
        if seat == work.root:
            theirs, least = work.values[ply + 1, work.target], work.values[ply, work.target]
            if switches.rounding.below(theirs, least):
                return 1
            if switches.rounding.above(theirs, least):
                return -1
        return own_gain(switches, work, ply, seat)


class AgainstTargetAlone(AgainstTarget):
    """The root seat looks at the target's value and at nothing else."""

    sees_itself = False

    def compare(self, switches, work, ply, seat):
        if seat != work.root:
            return own_gain(switches, work, ply, seat)
        theirs, least = work.values[ply + 1, work.target], work.values[ply, work.target]
        return 1 if switches.rounding.below(theirs, least) else -1 if switches.rounding.above(theirs, least) else 0


RULES = ("random", "first", "any")


@dataclass(frozen=True, kw_only=True)
class Offensive(DepthFirst):
    """MaxN, but the root seat plays against one other seat."""

    target: int | None = None  # a seat other than the one that searches; none: whichever of the others leads
    ties: str = "random"  # random, first or, whatever it brings to itself, any

    kernel = maxn

    def __post_init__(self):
        super().__post_init__()
        if self.target is not None and self.target < 0:
            raise BadParameter(f"expected a seat as target, got {self.target!r} in {self}")
        if self.ties not in RULES:
            raise BadParameter(f"expected ties 'random', 'first' or 'any', got {self.ties!r} in {self}")

    def check_threads(self):
        super().check_threads()
        if self.ties != "first":
            raise BadParameter(f"threads would draw other random tie-breaks in {self}; use ties='first' or threads=1")

    def check(self, game):
        if self.target is not None and self.target >= game.seats:
            raise BadParameter(f"expected a target from 0 to {game.seats - 1}, got {self.target} in {self}")

    def prepare(self, game):
        super().prepare(game)
        if self.target is None:
            judge(game, self.estimate, game.has_records)

    def choose(self, game, state, rng, ask):
        self.check(game)
        aimed = replace(self, target=self.aim(game, state, rng, ask.compiled))
        return super(Offensive, aimed).choose(game, state, rng, ask)

    def aim(self, game, state, rng, compiled):
        """The seat to play against: the given target or, if none is given, the leader among the others."""
        seat = game.mover(state)
        if self.target is None:
            others = [each for each in playing(game, state) if each != seat]
            rounding = measure_rounding(game, game.estimate(self.estimate))
            return leader_of(others, standing(game, self.estimate, state, compiled), None, rng, rounding)
        if self.target == seat:
            raise BadParameter(f"seat {seat} cannot aim at itself in {self}; choose another target or none")
        if not game.active(state, self.target):
            raise BadParameter(
                f"seat {self.target} is out of the game and no target in {self}; choose another target or none"
            )
        return self.target

    def fill(self, work, game, memory):
        work.target = self.target

    @property
    def takes_one_for_all(self):
        return self.tie_rule == "first"

    @property
    def tie_rule(self):
        return tie_rule("random" if self.ties == "any" else self.ties, self.order)

    def own_switches(self, game, estimate):
        if self.ties != "first" and self.table:
            raise Mismatch(f"a table would repeat the same random tie-breaks in {self}; use table=0 or ties='first'")
        taste = AgainstTargetAlone() if self.ties == "any" else AgainstTarget()
        return {"ties": TIES[self.tie_rule], "pruning": NoPruning(), "taste": taste}

    def last_ply(self, game, estimate, own):
        return last_move(self, estimate, own)

    def notes(self, game, work, found):
        return {"target": self.target}
