"""Perft: the number of positions 1, 2, … plies below a position. Two correct implementations of the rules agree on
these counts; a wrong one seldom does.

The tree is the one that searches see: the seats move one after the other, even in games of simultaneous moves, and
every outcome of the dice is a move. A match that ends early has no positions below its end.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.door import admitted
from kingmaker.core.errors import BadGame, BadParameter, Mismatch
from kingmaker.core.game import OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.workspace import plies_for, workspace
from kingmaker.search.parts.machinery.driving import in_a_thread
from kingmaker.search.parts.machinery.node import FAULT, rolls
from kingmaker.soundness.tracing import traced
from kingmaker.soundness.vouching import vouched

DEEPEST = 1000
UNLISTED = 5  # reason in work.stop: a chance event whose outcomes cannot be listed


@kernel
def walk(game: Any, work: Any, ply: int, depth: int) -> None:
    """Count work.states[ply] and all positions below it, down to `depth`, in work.leaves, one number per ply."""
    work.leaves[ply] += 1
    state = work.states[ply]
    if ply >= depth or work.stop != 0:
        return
    seat = game.mover(state)
    if seat == OVER:
        return
    if rolls(game, seat) and not game.can_list(state):
        work.fault, work.stop = ply, UNLISTED
        return
    if rolls(game, seat):
        count, most = game.outcomes(state, work.moves[ply], work.odds[ply]), game.max_outcomes
    else:
        count, most = game.moves(state, seat, work.moves[ply]), game.max_moves
    if count < 1 or count > most:
        work.fault, work.stop = count, FAULT
        return
    for i in range(count):
        work.states[ply + 1] = state
        game.play(work.states[ply + 1], seat, work.moves[ply, i])
        walk(game, work, ply + 1, depth)
        if work.stop != 0:
            return  # without changing the states, so that the error can show the position


@dataclass(frozen=True)
class Count:
    """What a walk through the tree found."""

    leaves: list[int]  # [depth]; depth 0 is the position itself
    seconds: float

    @property
    def nodes(self) -> int:
        return sum(self.leaves)


def count(game: Game, state: Any, depth: int, compiled: bool | None = None) -> Count:
    """Count the positions at every depth down to `depth`; compiled where the game's states are records."""
    compiled = game.compiles if compiled is None else compiled
    if not 1 <= depth <= DEEPEST:
        raise BadParameter(f"expected a depth of 1 to {DEEPEST}, got {depth}")
    if compiled and not game.has_records:
        raise Mismatch(f"{game} cannot be compiled, for its states are not records; run it interpreted")
    admitted(game, state)
    if compiled:
        vouched(game)
    plies = plies_for(depth)
    work = workspace(game, plies, [("leaves", np.int64, (plies,))], compiled)
    work.states[0] = state
    run = walk.compiled if compiled else walk

    def once(deep: int) -> None:
        with np.errstate(over="ignore"), traced(game, work.states):
            run(game, work.record, 0, deep)

    once(0)  # compiles before the time is measured
    work.leaves[:] = 0
    started = time.perf_counter()
    in_a_thread(partial(once, depth), work, None)
    if work.stop == FAULT:
        raise BadGame(
            f"the rules of {game} list {int(work.fault)} moves in a position, expected 1 to {work.moves.shape[1]}"
        )
    if work.stop == UNLISTED:
        at = int(work.fault)
        raise Mismatch(
            f"perft counts what is listed, but the chance events of {game} at {game.notation(work.states[at])}, "
            f"{at} plies deep, cannot be listed; use a lower depth, or begin after such an event"
        )
    return Count([int(each) for each in work.leaves[: depth + 1]], time.perf_counter() - started)


def perft(game: Game, state: Any, depth: int, compiled: bool | None = None) -> list[int]:
    """The number of positions 0, 1, … `depth` plies below a state."""
    return count(game, state, depth, compiled).leaves
