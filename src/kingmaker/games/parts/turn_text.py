"""The end of a position's text: the seat to move and how many moves were made."""

from kingmaker.core.errors import BadPosition


def read_turn(game, state, words):
    """Read the next seat and the age of a match that lasts `game.longest` moves at most."""
    try:
        seat, age = (int(word) for word in words)
    except ValueError:
        raise BadPosition(
            f"expected the next seat and the moves made at the end of a position of {game}, got '{' '.join(words)}'"
        ) from None
    if not 0 <= seat < game.seats:
        raise BadPosition(f"nobody sits on seat {seat} in a position of {game}; the next seat is 0 to {game.seats - 1}")
    if not 0 <= age <= game.longest:
        raise BadPosition(f"{age} moves cannot have been made in a position of {game}; there are 0 to {game.longest}")
    state.seat, state.age = seat, age
