"""Offensive: stop that one, whatever it costs me.

The root seat aims at a target: at its own nodes it takes the child that is worst for the target, and of those the one best for
itself. All others, the target among them, are expected to play MaxN. A weapon rather than a way to play: MP-Mix draws it when
somebody else is too far ahead.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the paper, which leaves ties open: of moves equal for target and self one is chosen at random.
"""

from dataclasses import dataclass

from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import Constant
from kingmaker.search.maxn import NoPruning, maxn
from kingmaker.search.parts.needs import to_move
from kingmaker.search.parts.shell import SearchAgent
from kingmaker.search.parts.ties import TIES


class AgainstTarget(Constant):
    """At the root seat's nodes less for the target is better, then more for myself; elsewhere more for myself."""

    def __init__(self, target):
        self.target = target

    def compare(self, game, work, ply, seat):
        mine, best = work.values[ply + 1, seat], work.values[ply, seat]
        if seat == work.root:
            theirs, least = work.values[ply + 1, self.target], work.values[ply, self.target]
            if theirs != least:
                return 1 if theirs < least else -1
        return 1 if mine > best else 0 if mine == best else -1


@dataclass(frozen=True, kw_only=True)
class Offensive(SearchAgent):
    """MaxN, but the root seat plays against one other seat."""

    target: int = 1  # a seat other than the one that searches
    ties: str = "random"  # random or first

    kernel = maxn

    def __post_init__(self):
        super().__post_init__()
        if isinstance(self.target, bool) or not isinstance(self.target, int) or self.target < 0:
            raise BadParameter(f"expected a seat as target, got {self.target!r} in {self}")
        if self.ties not in ("random", "first"):
            raise BadParameter(f"expected ties 'random' or 'first', got {self.ties!r} in {self}")

    def check(self, game):
        if self.target >= game.seats:
            raise BadParameter(f"expected a target from 0 to {game.seats - 1}, got {self.target} in {self}")

    def decide(self, game, state, rng=None, *, record=0, compiled=None):
        to_move(game, state)
        self.check(game)
        seat = game.mover(state)
        if self.target == seat:
            raise BadParameter(f"seat {seat} cannot aim at itself in {self}; choose another target")
        if not game.active(state, self.target):
            raise BadParameter(f"seat {self.target} is out of the game and no target in {self}; choose another target")
        return super().decide(game, state, rng, record=record, compiled=compiled)

    def own_policy(self, game, estimate):
        return {"ties": TIES[self.ties], "pruning": NoPruning(), "taste": AgainstTarget(self.target)}

    def notes(self, game, work, found):
        return {"target": self.target}
