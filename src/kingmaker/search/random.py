"""Random: any legal move, each with the same chance. Every other agent should beat it."""

import time
from dataclasses import dataclass

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.rng import below


@dataclass(frozen=True, kw_only=True)
class Random(Agent):
    """A uniformly random legal move, chosen without any search."""

    def choose(self, game, state, rng, ask):
        started = time.perf_counter()
        legal = game.legal(state)
        with np.errstate(over="ignore"):
            move = legal[below(rng, len(legal))]
        entries = tuple(RootMove(each, None, False) for each in legal)
        return Decision(move, None, entries, (move,), 0, 0, time.perf_counter() - started, "no search")
