"""What winning probabilities cost: Eq. (1) of the Max-Prob paper at a leaf, compared with a node of MaxN; and Max-Prob
against MaxN on the same tree.
"""

import time
from collections.abc import Iterator

import numpy as np

from bench.row import Row, at_most
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS
from kingmaker.search.parts.opponents.win_probability import every_row

MOST = 0.6  # microseconds per leaf with four seats
LEAVES = 20_000


def run(quick: bool) -> Iterator[Row]:
    rounds = 5 if quick else 25
    for seats in (2, 3, 4, 6, 16):
        cost = max(leaf_cost(seats, common, rounds) for common in (False, True))
        text = f"{cost:.2f} µs"
        if seats == 4:
            yield at_most("Eq. (1), 4 seats, a leaf", cost, text, MOST, " µs")
        else:
            yield Row(f"Eq. (1), {seats} seats, a leaf", cost, text)
    for agent, estimate in (("maxn", "survival"), ("maxn", "room"), ("max_prob", "room")):
        cost = node_cost(agent, estimate, rounds)
        yield Row(f"{agent} with {estimate} on Light Bike, 4 seats, a node", cost, f"{cost:.2f} µs")


def leaf_cost(seats: int, common: bool, rounds: int) -> float:
    """Microseconds per leaf, for random intervals, or for random low ends below a common high end."""
    rng = np.random.default_rng(seats)
    low = rng.random((LEAVES, seats))
    high = np.ones_like(low) if common else low + rng.random((LEAVES, seats))
    out = np.zeros_like(low)
    every_row.compiled(low, high, False, out)
    return min(elapsed(lambda: every_row.compiled(low, high, False, out)) for _ in range(rounds)) / LEAVES * 1e6


def node_cost(name: str, estimate: str, rounds: int) -> float:
    """Microseconds per node of a search to a fixed depth."""
    game = LightBike(seats=4, starts="distinct")
    agent, state = ALGORITHMS[name](depth=9, estimate=estimate), game.new(1)
    agent.prepare(game)
    nodes = agent.decide(game, state).nodes
    return min(elapsed(lambda: agent.decide(game, state)) for _ in range(rounds)) / nodes * 1e6


def elapsed(work: object) -> float:
    """Seconds of processor time, which other programs on the machine do not change."""
    started = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - started
