"""What every game must have before anything is searched, and what it has beyond that."""

from typing import Any

from kingmaker.core.errors import BadGame, BadParameter

MOST_OUTCOMES = 65536  # chance events that may be listed at one node; machine code keeps them on the stack
REQUIRED = ("start", "mover", "moves", "play", "payoff")
DEFAULTS = ("kingmaker.core.game", "kingmaker.core.playable")  # where the methods of every game are declared


def provides(game: Any, method: str) -> bool:
    """Does the game, or a class that it inherits from, define the method itself, so that the default is not used?"""
    return next(cls for cls in type(game).__mro__ if method in vars(cls)).__module__ not in DEFAULTS


def check_contract(game: Any) -> None:
    """Refuse a game that lacks a part, hides one of its own methods or has too many seats."""
    name = type(game).__name__
    for part in ("seats", "max_moves"):
        value = getattr(game, part, None)
        if not isinstance(value, int) or value < 1:
            raise BadGame(f"expected {name}.{part} to be a whole number of at least 1, got {value!r}")
    if not isinstance(game.max_outcomes, int) or not 0 <= game.max_outcomes <= MOST_OUTCOMES:
        raise BadGame(
            f"expected {name}.max_outcomes to be a whole number from 0 to {MOST_OUTCOMES}, got {game.max_outcomes!r}; "
            "let can_list say where there are more, and draw them with roll"
        )
    for part in vars(game):
        if not part.startswith("_") and callable(getattr(type(game), part, None)):
            raise BadGame(f"{name}.{part} hides the method {part} that every game has; choose another name")
    if not hasattr(game, "State"):
        raise BadGame(f"{name} lacks State, the dtype or class of its positions")
    for field in {"data", "dtype"} & set(getattr(game.State, "names", None) or ()):
        raise BadGame(f"{name}.State has a field '{field}', a name that NumPy keeps for itself; choose another name")
    for part in REQUIRED:
        if not provides(game, part):
            raise BadGame(f"{name} lacks the method {part}")
    if provides(game, "can_list") and not provides(game, "roll"):
        raise BadGame(f"{name} has the method can_list but no roll(state, rng), which draws what cannot be listed")
    check_secrets(game)
    fewest, most = game.facts.seats
    if not fewest <= game.seats <= most:
        raise BadParameter(f"expected {fewest} to {most} seats, got {game.seats} in {game}")


def check_silent(game: Any, method: str, returned: Any) -> None:
    """Refuse a method that returns its answer instead of writing it into the array that it was given."""
    if returned is not None:
        told = f"expected {type(game).__name__}.{method} to write into out and return nothing, got {returned!r}"
        raise BadGame(f"{told}; write out[seat] = … for every seat")


def check_secrets(game: Any) -> None:
    """Refuse a game with hidden information that cannot deal anew what a seat does not know."""
    if game.facts.hidden and not provides(game, "redeal"):
        raise BadGame(
            f"{type(game).__name__} has hidden information and lacks the method redeal(state, seat, rng), so nobody "
            "can be shown a position of it; write one, or play a game without hidden information"
        )
