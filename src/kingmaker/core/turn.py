"""One turn of a match: the move of a seat, the moves of several at once, or an outcome of the dice."""

from typing import Any

import numpy as np

from kingmaker.core.chance import LARGEST, NO_EVENT, is_event
from kingmaker.core.errors import BadGame
from kingmaker.core.game import CHANCE, Game
from kingmaker.core.kernel import kernel

Turn = tuple[tuple[int, int], ...]  # the (seat, move) pairs of one turn: one pair, or several that happen at once


@kernel
def put(game, state, seat, move):  # type: ignore[no-untyped-def]
    """Play the move on the state."""
    game.play(state, seat, move)


@kernel
def stepped(game, state, joint):  # type: ignore[no-untyped-def]
    """Play what all seats chose at once."""
    game.step(state, joint)


def take(game: Game, state: Any, turn: Turn, play: Any = put, step: Any = stepped) -> None:
    """Play a turn on the state, by the interpreted rules unless faster ones are given."""
    with np.errstate(over="ignore"):  # unsigned words overflow on purpose
        if game.facts.simultaneous and turn[0][0] != CHANCE:
            joint = np.full(game.seats, -1, np.int32)
            for seat, move in turn:
                joint[seat] = move
            step(game, state, joint)
        else:
            ((seat, move),) = turn
            play(game, state, seat, move)


def rolled(game: Game, state: Any, rng: Any) -> int:
    """A chance event, drawn by the game; a number that stands for no event is refused."""
    with np.errstate(over="ignore"):
        number, listed = game.roll(state, rng), game.can_list(state)
    if not is_event(number) and not (listed and isinstance(number, (int, np.integer)) and number > NO_EVENT):
        told = f"expected a chance event of {game} at {game.notation(state)}, got {number!r}"
        way_out = "outcomes must list at least one" if listed else f"roll must return a number from 0 to {LARGEST}"
        raise BadGame(f"{told}; {way_out}")
    return int(number)
