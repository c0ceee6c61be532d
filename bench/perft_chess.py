"""How fast the rules of chess run: leaves of the game tree a second of one core, every leaf played out on its own record.

Each leaf is copied, played, tested for check, mate, stalemate, dead material, the clock and repetition; none is only counted.

python bench/perft_chess.py
"""

import json
import time
from pathlib import Path

from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace
from kingmaker.games.chess import Chess

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "chess_perft.json"
PLIES = 10
MOST = 20_000_000  # leaves of one measurement
LONGEST = 20_000


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
    while game.mover(state) != OVER and length < LONGEST:
        seat = game.mover(state)
        count = game.moves(state, seat, work.moves[0])
        game.play(state, seat, work.moves[0, below(work.rng, count)])
        length += 1
    return length


def counted(game, position, depth):
    """The leaves at a depth, and how long it took."""
    work = workspace(game, PLIES, (), compiled=True)
    work.states[0] = game.position(position)
    started = time.process_time()
    leaves = perft.compiled(game, work.record, 0, depth)
    return leaves, time.process_time() - started


def random_matches(game, count):
    """How each of many random matches ended, and after how many moves."""
    work, start = workspace(game, 1, (), compiled=True), game.new()
    for seed in range(count):
        work.rng.word = seed
        work.states[0] = start
        length = random_match.compiled(game, work.record)
        yield int(work.states[0].over), length


def main():
    game = Chess()
    print(f"a state has {game.State.itemsize} bytes")
    counted(game, game.notation(game.new()), 1)
    for position, counts in json.loads(GOLDEN.read_text()).items():
        depth = max(deep for deep, leaves in enumerate(counts, 1) if leaves <= MOST)
        leaves, seconds = min((counted(game, position, depth) for _ in range(3)), key=lambda found: found[1])
        verdict = "" if leaves == counts[depth - 1] else f"  expected {counts[depth - 1]:,}"
        print(f"{leaves / seconds / 1e6:6.1f} M leaves/s   {leaves:>11,} at depth {depth}   {position}{verdict}")
    list(random_matches(game, 1))
    started, matches = time.process_time(), 1000
    moves = sum(length for _, length in random_matches(game, matches))
    print(f"{matches} random matches of {moves / matches:.0f} moves in {time.process_time() - started:.2f} s")


if __name__ == "__main__":
    main()
