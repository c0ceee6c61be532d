"""Risk with six seats to the end: MaxN, Paranoid and MP-Mix over plans against the three scripts, in seconds a match.

Depth counts turns, and at every node two plans and holding are tried; MP-Mix has the source's thresholds of 10 points.
Processor time of one core, machine code made before.
"""

import time
from collections.abc import Iterator, Sequence

from bench.row import Row, at_most
from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.game import Game

MOST = {3: 0.6, 4: 2.0}  # seconds a match at a depth
LARGEST = 256  # bytes of a state
LONGEST = 100_000  # turns of a match, which the round limit ends before


def run(quick: bool) -> Iterator[Row]:
    game = load_game("risk")
    yield at_most("risk: a state", game.State.itemsize, f"{game.State.itemsize} bytes", LARGEST, " bytes")
    for depth, most in MOST.items():
        seconds = timed(game, table(depth), 4 if quick else 24)
        mean = sum(seconds) / len(seconds)
        yield at_most(f"risk: a match at depth {depth}, mean", mean, f"{mean:.3f} s", most, " s")
        yield Row(f"risk: a match at depth {depth}, longest", max(seconds), f"{max(seconds):.3f} s")


def table(depth: int) -> list[Agent]:
    """Who sits at the table, before the seats are rotated."""
    searches = f"maxn(depth={depth})", f"paranoid(depth={depth})", f"mp_mix(td=10, to=10, depth={depth})"
    return [
        load_agent(text) for text in (*(f"plans({search})" for search in searches), "angry", "yakool", "evil_pixie")
    ]


def timed(game: Game, agents: Sequence[Agent], matches: int) -> list[float]:
    """Seconds of processor time of each match, the first of which only warms up; each begins with another seat."""
    seconds = []
    for agent in agents:
        agent.prepare(game)
    for number in range(matches + 1):
        first = number % len(agents)
        started = time.process_time()
        play_match(game, [*agents[first:], *agents[:first]], number, limit=LONGEST)
        seconds.append(time.process_time() - started)
    return seconds[1:]
