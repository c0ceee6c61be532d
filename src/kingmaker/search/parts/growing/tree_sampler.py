"""What searches with a growing tree have in common: their settings, and the checks of these."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from kingmaker.core.agent import Agent
from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.errors import BadParameter, unknown
from kingmaker.core.parameters import shown
from kingmaker.search.parts.growing.growth import Growth
from kingmaker.search.parts.growing.playing import PLAYOUTS, turns_for
from kingmaker.search.parts.growing.searching import begin_search, check_search, search_fields
from kingmaker.search.parts.growing.spread import begin_spread
from kingmaker.search.parts.machinery.sampling import Sampler


@dataclass(frozen=True, kw_only=True)
class TreeSampler(Sampler):
    """A search that lets a tree grow by playouts."""

    reward: str = "score"  # score, share (of the win) or rank
    exploration: float = 0.7  # the weight of the bonus for moves that were seldom tried, in spreads of the rewards
    playout: str | Agent = "auto"  # random, greedy (by the estimate), auto (greedy if it can be), or a search
    epsilon: float = 0.05  # the share of random moves in playouts that are greedy or by a search
    cut: int | None = None  # end playouts after so many turns with the estimate; none: see `turns_for`
    estimate: str = ""  # the game's first if none is named
    threads: int = 1  # so many trees side by side

    words: ClassVar[dict[str, Any]] = {"playout": PLAYOUTS}  # the settings that are one of several words
    least_most: ClassVar[dict[str, Any]] = {
        "tree": (4, 26),
        "threads": (1, 64),
        "exploration": (0, 1000),
        "epsilon": (0, 1),
    }

    def __post_init__(self):
        super().__post_init__()
        if isinstance(self.playout, Agent):
            check_search(self)
        elif not isinstance(self.playout, str):
            raise BadParameter(f"expected a text or a search for playout, got {shown(self.playout)} in {self.name}")
        for name, known in self.words.items():
            if isinstance(getattr(self, name), str) and getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known, str(self))
        for name, (least, most) in self.least_most.items():
            if not least <= getattr(self, name) <= most:
                raise BadParameter(f"expected {least} to {most} for {name}, got {getattr(self, name)} in {self}")
        if self.cut is not None and self.cut < 0:
            raise BadParameter(f"expected a cut after 0 turns or more, got {self.cut} in {self}; or use cut=none")

    @cached_property
    def texts(self):
        return super().texts + getattr(self.playout, "texts", ())

    def room(self, game, switches):
        fields, plies, width = super().room(game, switches)
        return [*fields, *(search_fields(self, game) if isinstance(self.playout, Agent) else [])], plies, width

    def begin(self, work, game):
        """Fill in a new workspace all that is not compiled in."""
        work.playouts = 0
        work.exploration, work.epsilon = self.exploration, self.epsilon
        if isinstance(self.playout, Agent):
            begin_search(self, game, work)

    def run(self, ready, work):
        work.cut = turns_for(self, ready.game, ready.estimate)
        begin_spread(work)
        return Growth(ready, work, self, self.budget.playouts or NO_LIMIT)

    def choose(self, game, state, rng, ask):
        decision = super().choose(game, state, rng, ask)
        return replace(decision, bytes=decision.bytes * self.threads)

    def is_solved(self, work):
        """Is the value of the root proven?"""
        return False
