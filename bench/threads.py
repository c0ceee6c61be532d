"""Threads: do searches release Python's global interpreter lock, and how much sooner is a decision made by two?"""

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

from bench.row import Row, at_least, at_most
from kingmaker import load_agent, load_game
from kingmaker.core.rng import stream
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS

MOST = 1.3  # two threads may take at most so many times as long as one
CHECKERS, BIKE = "chinese_checkers(seats=3)", "light_bike(seats=3, starts=distinct)"
DECISIONS = [  # game, moves played first for each position, search, how many times faster two threads have to be
    (CHECKERS, (12,), "maxn(depth=5)", 1.8),
    (CHECKERS, (12,), "max_prob(depth=5)", 1.8),
    (CHECKERS, (9, 12, 14, 16, 20, 25), "paranoid(depth=6)", 1.4),
    (BIKE, (6,), "paranoid(depth=26)", 1.4),
    ("chess", (8,), "alpha_beta(depth=7)", 1.4),
]


def run(quick: bool) -> Iterator[Row]:
    game = LightBike(seats=3, starts="distinct")
    agent, state = ALGORITHMS["maxn"](depth=17), game.new(1)
    agent.prepare(game)
    one = two = float("inf")
    for _ in range(3 if quick else 9):
        one = min(one, elapsed(1, lambda: agent.decide(game, state)))
        two = min(two, elapsed(2, lambda: agent.decide(game, state)))
    text = f"{two / one:.2f}"
    if (os.cpu_count() or 1) < 2:
        yield Row("two threads / one (on one core)", two / one, text)
    else:
        yield at_most("two threads / one", two / one, text, MOST, "")
    for name, moves, search, wanted in DECISIONS:
        yield from faster(name, moves, search, wanted, 1 if quick else 3)


def faster(name: str, moves: tuple[int, ...], search: str, wanted: float, rounds: int) -> Iterator[Row]:
    """How many times faster decisions are made by two threads; both find the same moves for the same values."""
    game, agent = load_game(name), load_agent(search)
    states, best = [middle(game, count) for count in moves], {1: float("inf"), 2: float("inf")}
    found = set()
    for threads in best:
        agent.changed(threads=threads).prepare(game)
    for _ in range(rounds):
        for threads in (1, 2):
            decisions = [agent.changed(threads=threads).decide(game, state) for state in states]
            best[threads] = min(best[threads], sum(decision.seconds for decision in decisions))
            found.add(tuple((one.move, (one.values or ())[game.mover(at)]) for one, at in zip(decisions, states)))
    assert len(found) == 1, f"{search} finds {found} with one thread and with two"
    ratio = best[1] / best[2]
    what = f"{search} on {game.name}, {best[1]:.1f} s: threads=2"
    yield at_least(what, ratio, f"{ratio:.2f} times faster", wanted, " times")


def middle(game: Any, moves: int) -> Any:
    """A position after so many moves that greedy chooses."""
    state, agent = game.new(1), load_agent("greedy")
    for seed in range(moves):
        state = game.after(state, agent.decide(game, state, stream(seed, "bench")).move)
    return state


def elapsed(count: int, work: object) -> float:
    """How long `count` threads take that all do the same work."""
    threads = [threading.Thread(target=work) for _ in range(count)]  # type: ignore[arg-type]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - started
