"""How fast the two hexagonal games run on one core: positions of the game tree a second, each played on a record of its own, and searches.

    python bench/perft_hex.py

Seconds are those of the processor, so that others who use the machine do not count.
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
    """What a function returns, and the processor's seconds."""
    started = time.process_time()
    return act(), time.process_time() - started


def main():
    for text, depth in TREES:
        game = load_game(text)
        perft(game, game.new(), 1)
        leaves, seconds = timed(lambda game=game, depth=depth: perft(game, game.new(), depth)[-1])
        rate = leaves / seconds / 1e6
        print(f"{text:30} depth {depth} {leaves:12,} leaves {seconds:7.3f} s {rate:6.1f} million/s {game.State.itemsize:4} bytes a state")
    for text, name in SEARCHES:
        game, agent = load_game(text), load_agent(name)
        agent.decide(game, game.new())
        decision, seconds = timed(lambda game=game, agent=agent: agent.decide(game, game.new()))
        print(f"{text:30} {name:20} {decision.nodes:12,} nodes {seconds:7.3f} s")


if __name__ == "__main__":
    main()
