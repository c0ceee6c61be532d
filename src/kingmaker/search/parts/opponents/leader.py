"""Who leads now, by an estimate, in its unit and without looking ahead."""

from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.own_files import editions
from kingmaker.core.rng import below
from kingmaker.core.wide_records import zeros
from kingmaker.search.parts.machinery.leaf import measured
from kingmaker.soundness.tracing import traced
from kingmaker.soundness.vouching import vouched


@kernel
def judged(game, estimate, state, out):
    """How every seat of the position stands."""
    measured(game, estimate, state, out)


def judge(game, text, compiled):
    """A function that judges positions of a game by one of its estimates; it takes a state and an array to fill, with
    one entry for each seat.
    """
    return kept(game, text, compiled, editions([text]))


@lru_cache(maxsize=128)
def kept(game, text, compiled, editions):
    estimate, run = game.estimate(text), judged
    if compiled:
        vouched(game, (estimate,))
        run = judged.compiled.direct(game, estimate, game.new(0), np.zeros(game.seats))

    def judge_by(state, out):
        with traced(game, [state], (estimate,)):
            run(game, estimate, state, out)

    return judge_by


def standing(game: Any, text: str, state: Any, compiled: bool | None = None) -> tuple[float, ...]:
    """How every seat stands now, in the estimate's unit."""
    out = zeros((game.seats,), np.float64)
    with np.errstate(over="ignore"):
        judge(game, text, game.compiles if compiled is None else compiled)(state, out)
    return tuple(out.tolist())


def playing(game, state):
    """The seats that are still in the game."""
    with np.errstate(over="ignore"):
        return [seat for seat in range(game.seats) if game.active(state, seat)]


def leader_of(seats, values, favoured, rng, rounding):
    """The seat with the highest value. If several are equal up to rounding, it is the favoured seat if that is among
    them, else one drawn at random.
    """
    best = max(values[seat] for seat in seats)
    leaders = [seat for seat in seats if rounding.reaches(values[seat], best)]
    if favoured in leaders:
        return favoured
    with np.errstate(over="ignore"):
        return leaders[below(rng, len(leaders)) if len(leaders) > 1 else 0]
