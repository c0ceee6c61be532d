"""Are moves that a game calls equivalent worth the same, and does no estimate that promises so tell them apart?

A search plays one of equivalent moves for all, so the trees below them must be alike. This is tested two plies deep:
the positions after each of two equivalent moves, and all positions one move later taken together, must have the same
seats to move, the same payoffs and the same estimates.
"""

from typing import Any

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.wide_records import zeros
from kingmaker.soundness.calls import asked, mover_of, moves_of
from kingmaker.soundness.fault import fault
from kingmaker.soundness.trial import Trial


def holds_equivalents_alike(trial: Trial, state: Any, estimates: tuple[Any, ...]) -> None:
    """Compare every move with the one that stands for it."""
    game, seat = trial.game, mover_of(trial, state)
    if seat < 0:
        return
    legal = moves_of(trial, state, seat)
    first = {move: stand_in(trial, state, seat, move) for move in legal}
    for move, other in first.items():
        if first.get(other) != other:
            told = f"expected a legal move that stands for itself and for the move {move}, got {other}"
            raise fault(game, state, "equivalent", f"{told}; return the first of equivalent moves, or move")
        if other != move:
            one, two = (outlook(trial, state, seat, each, estimates) for each in (move, other))
            if one != two:
                told = f"expected the moves {move} and {other} to lead to the same payoffs and estimates"
                raise fault(game, state, "equivalent", f"{told}; call them different, or promise less of an estimate")


def stand_in(trial: Trial, state: Any, seat: int, move: int) -> Any:
    answers = asked(trial, "equivalent", state, lambda view: trial.game.equivalent(view, seat, move))
    return answers[0][0]


def outlook(trial: Trial, state: Any, seat: int, move: int, estimates: tuple[Any, ...]) -> Any:
    """What is seen after a move, and all that is seen one move later, in order of size."""
    game, child = trial.game, trial.game.copy(state)
    trial.call("play", state, game.play, child, seat, move)
    mover, later = game.mover(child), []
    for reply in game.legal(child) if mover >= 0 else ():
        after = game.copy(child)
        trial.call("play", child, game.play, after, mover, reply)
        later.append(sight(trial, after, estimates))
    return sight(trial, child, estimates), sorted(later)


def sight(trial: Trial, state: Any, estimates: tuple[Any, ...]) -> tuple[Any, ...]:
    """The seat to move, the payoffs if the match is over, else all that promises not to tell equivalent moves apart."""
    game, rows = trial.game, []
    mover = game.mover(state)
    if mover == OVER:
        rows.append(written(game, lambda out: game.payoff(state, out)))
    for estimate in estimates if mover != OVER else ():
        if estimate.values_equivalents_alike:
            rows.append(written(game, lambda out, by=estimate: by.value(game, state, out)))
        if estimate.bounds_equivalents_alike:
            rows.append(written(game, lambda low, high, by=estimate: by.interval(game, state, low, high), 2))
    return int(mover), *rows


def written(game: Any, act: Any, count: int = 1) -> tuple[float, ...]:
    arrays = [zeros((game.seats,), np.float64) for _ in range(count)]
    act(*arrays)
    return tuple(number for array in arrays for number in array.tolist())
