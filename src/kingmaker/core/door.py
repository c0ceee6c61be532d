"""The door of a game: states, seats and moves from outside are checked here, once, before any rule or machine code
sees them.

Machine code reads a state by the places of its fields and indexes with what it finds there; a state of a board of
another size, or a rider on row 100, would make it read beyond the end of an array. Inside a search nothing is checked
again.
"""

from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove, Mismatch
from kingmaker.core.parameters import cut, shown
from kingmaker.core.positions import record_text
from kingmaker.core.rng import stream
from kingmaker.core.wide_records import wide, zeros

CHANCE = -1  # what `mover` returns at a chance node
OVER = -2  # what `mover` returns when the match is over
ENOUGH = 64  # how many moves are tried in a position that was read from a text
DRAWN = 4  # how many chance events are drawn and tried where they cannot be listed


def own_state(game: Any, state: Any) -> None:
    """Refuse what is no state of the game: other fields, or a board of another size."""
    if game.has_records:
        if isinstance(state, np.void) and (state.dtype is wide(game.State) or state.dtype == game.State):
            return
        came = "a record with other fields" if isinstance(state, np.void) else type(state).__name__
    elif not isinstance(game.State, type) or isinstance(state, game.State):
        return
    else:
        came = type(state).__name__
    raise Mismatch(f"expected a state of {game}, got {came}; make one with new() or position()")


def own_seat(game: Any, seat: Any) -> int:
    """The seat as a plain number; a seat that the game does not have is refused."""
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < game.seats:
        raise BadParameter(f"expected a seat from 0 to {game.seats - 1}, got {shown(seat)} in {game}")
    return int(seat)


def own_move(game: Any, move: Any) -> int:
    """The move as a plain number; whether it is legal is for the rules to say."""
    if isinstance(move, bool) or not isinstance(move, (int, np.integer)):
        raise IllegalMove(f"expected a move as a whole number, got {shown(move)} in {game}; read texts with parse()")
    return int(move)


def admitted(game: Any, state: Any) -> int:
    """The seat to move, CHANCE or OVER, of a state that is the game's own and holds together; any other is refused."""
    own_state(game, state)
    if not game.admits(state):
        raise BadPosition(
            f"the state is no position of {game}: {described(game, state)}; make one with new() or position()"
        )
    seat = game.mover(state)
    if not OVER <= seat < game.seats:
        raise BadPosition(
            f"expected a seat from 0 to {game.seats - 1} to move in {game}, got {seat} at {described(game, state)}"
        )
    return int(seat)


def described(game: Any, state: Any) -> str:
    """The fields of a state, cut to fit into a sentence; the game's own `notation` is not used, for it may fail on a
    faulty state.
    """
    return cut(record_text(game, state))


def tried(game: Any, state: Any, text: str) -> Any:
    """The state behind a text, if the rules can go on from it: moves, estimates and payoffs are tried once,
    interpreted.
    """
    try:
        with np.errstate(all="ignore"):
            seat, out = admitted(game, state), zeros((game.seats,), np.float64)
            if seat == OVER:
                game.payoff(state, out)
            else:
                for move in listed(game, state, seat)[:ENOUGH]:
                    game.play(game.copy(state), seat, move)
                for estimate in game.estimates:
                    estimate.value(game, state, out)
    except (BadPosition, Mismatch):
        raise
    except Exception as fault:
        raise BadPosition(
            f"the rules of {game} cannot go on from the position '{text}' ({type(fault).__name__}: {fault}); "
            "expected one that a match can lead to"
        ) from fault
    return state


def listed(game: Any, state: Any, seat: int) -> list[int]:
    """The moves or chance events by the interpreted rules, never by machine code; a few if they cannot be listed."""
    if seat == CHANCE and not game.can_list(state):
        return [int(game.roll(state, stream(seed, "door"))) for seed in range(DRAWN)]
    if seat == CHANCE:
        return [outcome for outcome, _ in game.chances(state)]
    out: np.ndarray = zeros((game.max_moves,), np.int32)
    count = game.moves(state, seat, out)
    return [int(move) for move in out[:count]]
