"""Do searches release Python's global interpreter lock? Two threads that search at the same time against one thread."""

import os
import threading
import time
from collections.abc import Iterator

from bench.row import Row, at_most
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS

MOST = 1.3  # two threads may take at most so many times as long as one


def run(quick: bool) -> Iterator[Row]:
    game = LightBike(seats=3, starts="distinct")
    agent, state = ALGORITHMS["maxn"](depth=17), game.new(1)
    agent.decide(game, state)
    one = two = float("inf")
    for _ in range(3 if quick else 9):
        one = min(one, elapsed(1, lambda: agent.decide(game, state)))
        two = min(two, elapsed(2, lambda: agent.decide(game, state)))
    text = f"{two / one:.2f}"
    if (os.cpu_count() or 1) < 2:
        yield Row("two threads / one (on one core)", two / one, text)
    else:
        yield at_most("two threads / one", two / one, text, MOST, "")


def elapsed(count: int, work: object) -> float:
    """How long `count` threads take that all do the same work."""
    threads = [threading.Thread(target=work) for _ in range(count)]  # type: ignore[arg-type]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - started
