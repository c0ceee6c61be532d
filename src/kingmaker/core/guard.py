"""Machine code for a user's own game is guarded until the game has been examined and found sound.

Code at full speed does not check array bounds: an index that is too large reads or overwrites other memory. Guarded
code checks every index, the seat that `mover` returns and the counts that `moves` and `outcomes` return, and
raises an error instead. The package `soundness` vouches for a game after it has examined it; a game that was never
examined runs guarded, which is slower but safe.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from kingmaker.core.kernel import Constant

HOUSE = "kingmaker."  # how the names of our own modules begin
UNGUARDED = "unguarded_"  # begins the name under which a guard calls the method that it guards
LAST = -2  # OVER, the lowest number that `mover` may return


def is_own(thing: Any) -> bool:
    """Is this an object of a user's own class, which is no part of Kingmaker?"""
    return not f"{type(thing).__module__}.".startswith(HOUSE)


def own_parts(things: Iterable[Any]) -> Iterator[Constant]:
    """The objects of a user's own classes among these things and in their attributes."""
    for thing in things:
        if isinstance(thing, Constant):
            if is_own(thing):
                yield thing
            yield from own_parts(vars(thing).values())


def is_guarded(arguments: Iterable[Any]) -> bool:
    """Is there a user's object among the arguments of a kernel that was not vouched for? The game keeps the list of
    those that were.
    """
    arguments = tuple(arguments)
    vouched = next((vars(thing).get("_vouched", ()) for thing in arguments if hasattr(type(thing), "payoff")), ())
    return any(part._numba_type_.name not in vouched for part in own_parts(arguments))


def vouch(game: Constant, parts: Iterable[Constant]) -> None:
    """Let the parts, the game itself or estimates for it, run at full speed in this game."""
    vars(game).setdefault("_vouched", set()).update(part._numba_type_.name for part in parts)


def interpret(game: Constant) -> None:
    """Run everything of this game as plain Python from now on: slower, the same results."""
    vars(game)["_interpreted"] = True


def mover(self, state):  # type: ignore[no-untyped-def]
    seat = self.unguarded_mover(state)
    if seat < LAST or seat >= self.seats:
        raise IndexError("mover")
    return seat


def moves(self, state, seat, out):  # type: ignore[no-untyped-def]
    count = self.unguarded_moves(state, seat, out[: self.max_moves])
    if count < 0 or count > self.max_moves:
        raise IndexError("moves")
    return count


def outcomes(self, state, out, odds):  # type: ignore[no-untyped-def]
    count = self.unguarded_outcomes(state, out[: self.max_outcomes], odds[: self.max_outcomes])
    if count < 0 or count > self.max_outcomes:
        raise IndexError("outcomes")
    return count


def guards_of(cls: type) -> dict[str, Any]:
    """The guards of a class's methods, each of which calls the method itself by another name."""
    return {"mover": mover, "moves": moves, "outcomes": outcomes} if hasattr(cls, "payoff") else {}
