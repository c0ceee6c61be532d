"""Openings: random moves before a match, so that deterministic agents do not play the same match again and again."""

from typing import Any

import numpy as np

from kingmaker.arena.table.table import Table
from kingmaker.core.errors import BadParameter, UnknownName
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream
from kingmaker.search.random import Random

ATTEMPTS = 100


def opened(game: Game, start: Any, moves: int, seed: int) -> Any:
    """The position after so many random legal turns; the dice fall in between and are not counted.

    An opening that ends the match is drawn again. The last position is one in which a seat has a choice to make or
    the dice fall.
    """
    for attempt in range(ATTEMPTS):
        table = Table(game, [Random()] * game.seats, int(stream(seed, attempt).word) >> 1, start)
        left = moves
        with np.errstate(over="ignore"):
            while left and (mover := table.mover) != OVER:
                turn, _ = table.turn()
                table.take(turn)
                left -= mover != CHANCE
            if table.mover != OVER:
                return table.state
    raise BadParameter(
        f"each of {ATTEMPTS} openings of {moves} random moves ended a match of {game}; ask for a shorter opening"
    )


def notation_of(game: Game, state: Any) -> str:
    """The position as text; empty if the game has no notation for its positions."""
    try:
        return str(game.notation(state)).encode("utf-8", "replace").decode()
    except UnknownName:
        return ""
