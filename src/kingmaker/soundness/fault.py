"""A fault of a game in one sentence: the method, its line, the position, what was expected and what came."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from kingmaker.core.compiling.compile_errors import is_theirs, quoted
from kingmaker.core.errors import BadGame, KingmakerError
from kingmaker.core.guard import is_own


class Fault(BadGame):
    """What a game does wrong."""


def fault(game: Any, state: Any, method: str, sentence: str, owner: Any = None) -> Fault:
    """A fault with the method and the position; `owner` is the estimate whose method it is, if it is not the game's."""
    return Fault(f"{placed(game if owner is None else owner, method)}{at(game, state)}: {sentence}")


def placed(owner: Any, method: str) -> str:
    """The name of a method, with the line where it begins if it is the user's own."""
    code = getattr(getattr(type(owner), method, None), "__code__", None)
    label = method if hasattr(owner, "State") else f"{owner.name}.{method}"
    if code is None or not is_own(owner) or not is_theirs(code.co_filename):
        return label
    return f"{label} ({quoted(code.co_filename, code.co_firstlineno)})"


def at(game: Any, state: Any) -> str:
    if state is None:
        return ""
    try:
        return f" at {game.notation(state)}"
    except Exception:  # the game may be broken there too; its fault is reported all the same
        return f" at {state!r}"


def raised_in(game: Any, state: Any, method: str, problem: BaseException, owner: Any = None) -> Fault:
    """An error inside the user's own code, with the line that raised it."""
    if isinstance(problem, Fault):
        return problem
    said = str(problem) if isinstance(problem, KingmakerError) else f"{type(problem).__name__}: {problem}"
    theirs = [frame for frame in traceback.extract_tb(problem.__traceback__) if is_theirs(frame.filename)]
    where = f" in {quoted(theirs[-1].filename, theirs[-1].lineno or 0)}" if theirs else ""
    way_out = "; keep every index from 0 to the size - 1" if isinstance(problem, IndexError) else ""
    return fault(game, state, method, f"{said}{where}{way_out}", owner)


def frozen(value: Any) -> Any:
    """A value that is equal for equal states, whatever they are made of; the padding between fields of a record does
    not count.
    """
    if isinstance(value, (np.void, np.ndarray)):
        names = value.dtype.names
        return tuple(np.asarray(value[name]).tobytes() for name in names) if names else (value.shape, value.tobytes())
    if isinstance(value, dict):
        return tuple((frozen(key), frozen(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(frozen, value))
    if isinstance(value, (set, frozenset)):
        return ("set", *sorted(repr(frozen(item)) for item in value))
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ()) if hasattr(value, name)]
    if slots or hasattr(value, "__dict__"):
        fields = {name: getattr(value, name) for name in slots} | vars(value) if hasattr(value, "__dict__") else {}
        return (type(value).__name__, frozen(fields))
    return repr(value)


def each(states: list[Any], look: Callable[[Any], None]) -> None:
    for state in states:
        look(state)
