"""How fast the rules of the two hexagonal games run: leaves of the game tree a second on one core, every leaf played out on its own record.

python bench/perft_hex.py
"""

import time

from kingmaker import load_game
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid

TREES = [
    ("abalone(layout='standard')", 4),
    ("abalone", 4),
    ("abalone(seats=3)", 4),
    ("chinese_checkers(seats=2)", 5),
    ("chinese_checkers", 6),
    ("chinese_checkers(seats=6)", 5),
    ("chinese_checkers(radius=2)", 7),
]


@kernel
def perft(game, work, ply, depth):
    """How many move sequences of `depth` moves there are from work.states[ply]; no leaf is counted without being played."""
    if depth == 0:
        return 1
    seat = game.mover(work.states[ply])
    if seat == OVER:
        return 0
    leaves = 0
    for i in range(game.moves(work.states[ply], seat, work.moves[ply])):
        work.states[ply + 1] = work.states[ply]
        game.play(work.states[ply + 1], seat, work.moves[ply, i])
        leaves += perft(game, work, ply + 1, depth - 1)
    return leaves


@kernel
def random_match(game, work):
    """Play work.states[0] to the end by random moves; return how many."""
    state, length = work.states[0], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        count = game.moves(state, seat, work.moves[0])
        game.play(state, seat, work.moves[0, below(work.rng, count)])
        length += 1
    return length


def random_matches(game, count):
    """The last states and lengths of many random matches."""
    work, start = workspace(game, 1, (), compiled=True), game.new()
    for seed in range(count):
        work.rng.word = seed
        work.states[0] = start
        length = random_match.compiled(game, work)
        yield work.states[0], length


def counted(game, state, depth):
    """Leaves of a tree, and the seconds that the processor spent on it."""
    work = workspace(game, 16, (), compiled=True)
    work.states[0] = state
    perft.compiled(game, work, 0, 1)
    started = time.process_time()
    leaves = perft.compiled(game, work, 0, depth)
    return int(leaves), time.process_time() - started


def main():
    for text, depth in TREES:
        game = load_game(text)
        leaves, seconds = counted(game, game.new(), depth)
        rate = leaves / seconds / 1e6
        print(f"{text:30} depth {depth} {leaves:12,} leaves {seconds:7.3f} s {rate:6.1f} million/s {game.State.itemsize:4} bytes a state")
    for text in ("abalone(seats=3)", "chinese_checkers"):
        game = load_game(text)
        for agent in (Maxn(depth=4), Paranoid(depth=4)):
            agent.decide(game, game.new())
            decision = agent.decide(game, game.new())
            print(f"{text:30} {agent!s:20} {decision.nodes:12,} nodes {decision.seconds:7.3f} s")


if __name__ == "__main__":
    main()
