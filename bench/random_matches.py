"""Whole matches by random moves, each one call into machine code."""

from collections.abc import Iterator
from typing import Any

from kingmaker.core.game import OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace


@kernel
def random_match(game, work, listing):  # type: ignore[no-untyped-def]
    """Play work.states[0] to the end by random moves, the game's own way or, `listing` all, with equal chances; return
    how many.
    """
    state, moves, length = work.states[0], work.moves[0], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if listing:
            game.play(state, seat, moves[below(work.rng, game.moves(state, seat, moves))])
        else:
            game.play(state, seat, game.any_move(state, seat, work.rng, moves))
        length += 1
    return length


def random_matches(game: Game, count: int, listing: bool = False) -> Iterator[tuple[Any, int]]:
    """The last state, to be looked at before the next, and the length of each of so many matches."""
    work, start = workspace(game, 1, (), compiled=True), game.new()
    play = random_match.compiled.direct(game, work.record, listing)
    for seed in range(count):
        work.rng.word = seed
        work.states[0] = start
        yield work.states[0], play(game, work.record, listing)
