"""The moves of a seat for a Python caller: by the interpreted rules, or by machine code if it is already compiled."""

from typing import Any

import numpy as np

from kingmaker.core.chance import is_event
from kingmaker.core.door import CHANCE, OVER
from kingmaker.core.errors import BadGame
from kingmaker.core.wide_records import zeros


def room(game: Any) -> np.ndarray:
    """An array into which machine code writes moves; longer than needed, for machine code does not check its end."""
    return np.empty(2 * game.max_moves + 64, np.int32)


def moves_of(game: Any, state: Any, seat: int, lister: Any) -> list[int]:
    """What the seat may play; `lister` is machine code that takes the game, a state, a seat and a `room`, or None."""
    if lister is None:
        out: np.ndarray = zeros((game.max_moves,), np.int32)
        try:
            with np.errstate(over="ignore"):
                count = game.moves(state, seat, out)
        except IndexError:
            count = game.max_moves + 1
    else:
        out = room(game)
        try:
            count = lister(game, state, seat, out)
        except IndexError:  # from guarded code
            count = game.max_moves + 1
    if not isinstance(count, (int, np.integer)):
        raise BadGame(f"expected {type(game).__name__}.moves to return how many moves it listed, got {count!r}")
    if not 0 <= count <= game.max_moves:
        raise BadGame(f"{type(game).__name__}.moves listed more than max_moves = {game.max_moves} moves")
    moves: list[int] = out[:count].tolist()
    return moves


def is_unlisted(game: Any, state: Any, seat: int) -> bool:
    """Is this a chance node whose events the game cannot list?"""
    return bool(seat == CHANCE == game.mover(state) and not game.can_list(state))


def is_legal(game: Any, state: Any, seat: int, move: Any) -> bool:
    """Is this a move of the seat, or a chance event? Unlisted, an event is any number that the rules can play."""
    if is_unlisted(game, state, seat):
        return is_event(move) and can_play(game, state, int(move))
    return move in game.legal(state, seat)


def can_play(game: Any, state: Any, event: int) -> bool:
    """Do the rules, interpreted, lead from a chance event to a position of the game?"""
    after = game.copy(state)
    try:
        with np.errstate(over="ignore"):
            game.play(after, CHANCE, event)
            return bool(game.admits(after)) and OVER <= game.mover(after) < game.seats
    except Exception:  # whatever error the rules raise, this number is no event
        return False
