"""Weak rational: the lowest card where it must follow, the highest where it cannot. No search at all.

The player that the source of MP-Mix calls WRT: at Hearts it plays its lowest card when it leads or follows suit, and
gets rid of its highest when it cannot follow. It looks at nothing but its own hand, so it assumes nothing of the others
and plays games with hidden hands as well as open ones. Where tricks are wanted, as at Spades, it does the opposite.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

The source does not say what is played of several cards of the same rank: here one of them is drawn at random.
"""

import time
from dataclasses import dataclass

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.errors import Mismatch
from kingmaker.core.rng import below


@dataclass(frozen=True, kw_only=True)
class WeakRational(Agent):
    """The lowest card when it leads or follows suit, the highest when it cannot follow."""

    def check(self, game):
        if not game.facts.tricks:
            raise Mismatch(f"{self.name} cannot play {game}, only games of tricks with cards; use greedy")

    def choose(self, game, state, rng, ask):
        self.check(game)
        started = time.perf_counter()
        seat, legal = game.mover(state), game.legal(state)
        ranks = [int(game.trick_rank(state, seat, move)) for move in legal]
        best = [move for move, rank in zip(legal, ranks) if rank == min(ranks)]
        with np.errstate(over="ignore"):
            move = best[below(rng, len(best))]
        entries = tuple(RootMove(each, None, False) for each in legal)
        return Decision(move, None, entries, (move,), 0, 0, time.perf_counter() - started, "no search")
