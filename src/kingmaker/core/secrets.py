"""Hidden information: a seat sees a world, a copy of the state with all that it cannot know dealt anew, and never
the state itself.

`redeal` depends only on what the seat has seen and on its random stream (its luck): two states that look the same to
the seat, dealt anew with the same luck, give the same world. So no world tells more than the seat knows, however an
agent looks at it, and the worlds tell apart exactly what the seat can tell apart (`seen`). `kingmaker check` tries this
law.
"""

from typing import Any

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import draw, mix, stream

TRIES = 200  # how many worlds are dealt to find one in which a move that was seen is legal


@kernel
def redealt(game: Any, state: Any, seat: int, rng: Any) -> None:
    """Deal anew, in place, what the seat cannot know."""
    game.redeal(state, seat, rng)


def world_of(game: Any, state: Any, seat: int, rng: Any, deal: Any = redealt) -> Any:
    """A copy of the state as `seat` may see it; where nothing is hidden a plain copy. `deal` may be machine code."""
    world = game.copy(state)
    if game.facts.hidden:
        with np.errstate(over="ignore"):
            deal(game, world, seat, rng)
    return world


def world_with(game: Any, state: Any, seat: int, other: int, move: int, rng: Any, deal: Any = redealt) -> Any:
    """A world for `seat` in which the move that it saw `other` make is legal; None if none turns up."""
    for _ in range(TRIES if game.facts.hidden else 1):
        world = world_of(game, state, seat, rng, deal)
        if not game.facts.hidden or move in game.legal(world, other):
            return world
    return None


def luck(rng: Any) -> Any:
    """A new random stream for one deal, so that every deal takes just one number from the agent's own stream."""
    own = stream(0, "world")
    with np.errstate(over="ignore"):
        own.word = mix(draw(rng))
    return own


def picture(game: Any, state: Any, seat: int | None = None) -> str:
    """The state as one seat may see it, or the referee's picture."""
    shown: str = game.show(state, seat) if game.facts.hidden and seat is not None else game.show(state)
    return shown


def turn_text(game: Any, state: Any, seat: int, move: int, eyes: int) -> str:
    """A move or a chance event in words, as far as the seat `eyes` may know it.

    A game may have words of its own for both, the method `tell(state, seat, move, eyes)`.
    """
    own = getattr(game, "tell", None)
    if own is not None:
        return str(own(state, seat, move, eyes))
    if seat != eyes and game.is_secret(state, seat):
        return "a move that you may not see"
    return str(game.say(state, seat, move))
