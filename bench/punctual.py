"""Does a decision with a budget of 300 ms return within 310 ms? The slowest of many decisions counts, measured by the
caller's clock.
"""

import time
from collections.abc import Iterator

from bench.row import Row, at_most
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS

BUDGET, LATEST = 0.3, 310  # seconds; milliseconds


def run(quick: bool) -> Iterator[Row]:
    game = LightBike(seats=3, starts="distinct")
    for name in ("maxn", "paranoid"):
        agent = ALGORITHMS[name](seconds=BUDGET)
        agent.decide(game, game.new(0))
        worst = 0.0
        for seed in range(5 if quick else 20):
            state = game.new(seed)
            started = time.perf_counter()
            agent.decide(game, state)
            worst = max(worst, 1000 * (time.perf_counter() - started))
        yield at_most(f"{name}: a budget of 300 ms, the longest", worst, f"{worst:.1f} ms", LATEST, " ms")
