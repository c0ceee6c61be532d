"""Greedy: the move that looks best at once.

One ply of MaxN: every move is tried and judged by the game's estimate, and nobody is expected to answer. Matches
against it show how much looking ahead is worth.
"""

from dataclasses import dataclass

from kingmaker.core.errors import BadParameter
from kingmaker.search.maxn import NoPruning, OwnTaste, maxn
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.switches.ties import TIES


@dataclass(frozen=True, kw_only=True)
class Greedy(DepthFirst):
    """MaxN one ply deep, with ties broken at random."""

    depth: int | None = 1

    kernel = maxn

    def __post_init__(self):
        super().__post_init__()
        if self.depth != 1:
            raise BadParameter(f"greedy looks 1 ply ahead, got depth={self.depth}; use maxn")

    def own_switches(self, game, estimate):
        return {"ties": TIES["random"], "pruning": NoPruning(), "taste": OwnTaste()}
