"""Whole matches of random moves; each match is one call into machine code."""

from collections.abc import Iterator
from typing import Any

from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace


@kernel
def random_match(game, work, listing):  # type: ignore[no-untyped-def]
    """Play work.states[0] to the end by random moves and return how many; by the game's `any_move`, or, with `listing`,
    by listing all moves and choosing one uniformly. Dice are rolled and not counted.
    """
    state, moves, length = work.states[0], work.moves[0], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if seat == CHANCE:
            game.play(state, seat, game.roll(state, work.rng))
            continue
        if listing:
            game.play(state, seat, moves[below(work.rng, game.moves(state, seat, moves))])
        else:
            game.play(state, seat, game.any_move(state, seat, work.rng, moves))
        length += 1
    return length


def random_matches(game: Game, count: int, listing: bool = False) -> Iterator[tuple[Any, int]]:
    """The last state and the length of each of `count` matches; a state is valid only until the next match."""
    work, start = workspace(game, 1, (), compiled=True), game.new()
    play = random_match.compiled.direct(game, work.record, listing)
    for seed in range(count):
        work.rng.word = seed
        work.states[0] = start
        yield work.states[0], play(game, work.record, listing)
