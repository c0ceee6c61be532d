"""How fast the two hexagonal games run on one core: positions of the game tree a second, each played on a record of its own, and searches.

    python bench/perft_hex.py

Rates and seconds are by the clock on the wall, the best of five runs; on a machine that others use they are too low, never too high. The
processor's own seconds for the same run stand beside them.
"""

import time

from kingmaker import load_agent, load_game
from kingmaker.arena.perft import perft

TREES = [
    ("abalone(layout='standard')", 4),
    ("abalone", 4),
    ("abalone(seats=3)", 4),
    ("chinese_checkers(seats=2)", 5),
    ("chinese_checkers", 6),
    ("chinese_checkers(seats=6)", 5),
    ("chinese_checkers(radius=2)", 7),
]
SEARCHES = [(game, agent) for game in ("abalone(seats=3)", "chinese_checkers") for agent in ("maxn(depth=4)", "paranoid(depth=4)")]


def timed(act):
    """What a function returns, and of its quickest run of five the seconds on the wall and of the processor."""
    runs = []
    for _ in range(5):
        wall, processor = time.perf_counter(), time.process_time()
        found = act()
        runs.append((time.perf_counter() - wall, time.process_time() - processor))
    return found, *min(runs)


def main():
    for text, depth in TREES:
        game = load_game(text)
        perft(game, game.new(), 1)
        leaves, wall, processor = timed(lambda game=game, depth=depth: perft(game, game.new(), depth)[-1])
        rate = f"{leaves / wall / 1e6:6.1f} million/s"
        print(f"{text:28} depth {depth} {leaves:11,} leaves {rate} {wall:6.3f} s ({processor:.3f} s) {game.State.itemsize:4} bytes a state")
    for text, name in SEARCHES:
        game, agent = load_game(text), load_agent(name)
        agent.decide(game, game.new())
        decision, wall, processor = timed(lambda game=game, agent=agent: agent.decide(game, game.new()))
        print(f"{text:28} {name:18} {decision.nodes:11,} nodes {wall:6.3f} s ({processor:.3f} s)")


if __name__ == "__main__":
    main()
