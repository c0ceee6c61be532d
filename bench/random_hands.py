"""Whole hands of random cards, many in one call into machine code, each with a deal of its own."""

from typing import Any

from kingmaker.core.game import OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.workspace import workspace
from kingmaker.search.parts.machinery.node import rolls


@kernel
def random_hands(game, work, count, total):  # type: ignore[no-untyped-def]
    """Deal and play `count` hands by random moves; return in how many the payoffs did not add up to `total`. The last
    hand stays in work.states[0], work.states[1] is empty.
    """
    state, wrong = work.states[0], 0
    for _ in range(count):
        work.states[0] = work.states[1]
        game.start(state, work.rng)
        seat = game.mover(state)
        while seat != OVER:
            if rolls(game, seat):
                game.play(state, seat, game.roll(state, work.rng))
            else:
                game.play(state, seat, game.any_move(state, seat, work.rng, work.moves[0]))
            seat = game.mover(state)
        game.payoff(state, work.values[0])
        paid = 0.0
        for each in range(game.seats):
            paid += work.values[0, each]
        wrong += paid != total
    return wrong


def dealer(game: Game, seed: int, compiled: bool = True) -> Any:
    """A function that plays so many random hands with payoffs of such a total, and tells how many had another."""
    work = workspace(game, 2, (), compiled)
    work.rng.word = seed
    if not compiled:
        return lambda count, total: random_hands(game, work.record, count, total)
    play = random_hands.compiled.direct(game, work.record, 1, 0.0)
    return lambda count, total: play(game, work.record, count, total)
