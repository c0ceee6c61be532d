"""Many random matches of one game, compiled."""

from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.workspace import workspace


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
        length = random_match.compiled(game, work.record)
        yield work.states[0], length
