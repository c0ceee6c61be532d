"""Minimax: what I win, you lose.

The root seat maximises its value, the other one minimises it, and chance nodes are averaged, which in a game with dice
is called expectiminimax. Every node is searched; `alpha_beta` finds the same move with fewer. It is Paranoid with a
single opponent, so the same kernel serves both.

    C. Shannon. Programming a Computer for Playing Chess. Philosophical Magazine 41, 1950.
"""

from dataclasses import dataclass

from kingmaker.search.paranoid import pact
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.needs import two_seats
from kingmaker.search.parts.switches.bounds import full_window


@dataclass(frozen=True, kw_only=True)
class Minimax(DepthFirst):
    """Minimax for two seats, without pruning."""

    kernel = pact
    any_order = True

    def check(self, game):
        two_seats(self, game)

    def arguments(self, game, estimate):
        return full_window()

    def own_switches(self, game, estimate):
        return {"cuts": False}
