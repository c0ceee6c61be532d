"""The law of hidden information: a seat can learn nothing from a world that it did not know already.

A world is a position with all that a seat cannot know dealt anew. Dealt twice with the same
random stream (the same luck), from two positions that look the same to the seat, it must be the same world: then no
hidden information can leak, neither through the rules nor through the order in which they list things. And what the
seat may know must not change: who is to move, its moves, its picture.
"""

from typing import Any

from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.core.secrets import picture, world_of
from kingmaker.soundness.fault import fault, frozen
from kingmaker.soundness.trial import Trial


def keeps_secrets(trial: Trial, state: Any) -> None:
    """Check the worlds of every seat at a position."""
    for seat in range(trial.game.seats):
        same_luck_same_world(trial, state, seat)
        seat_learns_nothing(trial, state, seat)


def dealt(trial: Trial, state: Any, seat: int, luck: int) -> Any:
    return trial.call("redeal", state, world_of, trial.game, state, seat, stream(luck, "law"))


def same_luck_same_world(trial: Trial, state: Any, seat: int) -> None:
    game = trial.game
    world, other = dealt(trial, state, seat, 1), dealt(trial, state, seat, 2)
    again = dealt(trial, other, seat, 1)
    if frozen(world) != frozen(again):
        raise fault(
            game,
            state,
            "redeal",
            f"expected one world for the same luck from positions that look the same to seat {seat}, got "
            f"{game.notation(world)} and {game.notation(again)}; gather what is hidden in a fixed order, then deal",
        )


def seat_learns_nothing(trial: Trial, state: Any, seat: int) -> None:
    """What the seat may know is the same in the world as in the position."""
    game = trial.game
    world = dealt(trial, state, seat, 1)
    told, true = (known(trial, each, seat) for each in (world, state))
    for what in true:
        if told[what] != true[what]:
            raise fault(
                game,
                state,
                "redeal",
                f"expected {what} to be the same for seat {seat} in {game.notation(world)}, "
                f"got {told[what]!r} instead of {true[what]!r}",
            )


def known(trial: Trial, state: Any, seat: int) -> dict[str, Any]:
    """All that a seat may know of a position."""
    game = trial.game
    mover = int(trial.call("mover", state, game.mover, state))
    acts = mover == seat or (game.facts.simultaneous and mover != OVER and seat in game.acting(state))
    return {
        "the mover": mover,
        "whether the seats are in the game": [bool(game.active(state, each)) for each in range(game.seats)],
        "its moves": trial.call("moves", state, game.legal, state, seat) if acts else None,
        "its picture": trial.call("show", state, picture, game, state, seat),
    }


def hides_something(trial: Trial, sample: list[Any]) -> None:
    """A game with `hidden=True` must hide something: in some position a seat's world must differ from the state."""
    for state in sample:
        for seat in range(trial.game.seats):
            if any(frozen(dealt(trial, state, seat, luck)) != frozen(state) for luck in (1, 2, 3)):
                return
    raise fault(
        trial.game,
        None,
        "redeal",
        f"it changes nothing in {len(sample)} positions, though the facts say that there is hidden information",
    )
