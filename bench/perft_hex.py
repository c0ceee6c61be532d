"""How fast the rules of the two hexagonal games run: leaves of the game tree a second on one core, every leaf played out on its own record.

    python bench/perft_hex.py
"""

import time

import numpy as np

from kingmaker import load_game
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.workspace import workspace

TREES = [
    ("abalone(layout='standard')", 5),
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


def counted(game, state, depth):
    """Leaves and seconds of a tree."""
    work = workspace(game, 16, (), compiled=True)
    work.states[0] = state
    perft.compiled(game, work, 0, 1)
    started = time.perf_counter()
    leaves = perft.compiled(game, work, 0, depth)
    return int(leaves), time.perf_counter() - started


def main():
    for text, depth in TREES:
        game = load_game(text)
        leaves, seconds = counted(game, game.new(), depth)
        print(f"{text:45} depth {depth} {leaves:12,} leaves {seconds:7.3f} s {leaves / seconds / 1e6:7.1f} million/s {np.dtype(game.State).itemsize:4} bytes")


if __name__ == "__main__":
    main()
