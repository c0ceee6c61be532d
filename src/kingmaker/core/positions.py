"""Texts for positions, both ways: one line for any record state."""

import math
from typing import Any

import numpy as np

from kingmaker.core.errors import BadPosition, UnknownName
from kingmaker.core.wide_records import object_text


def record_text(game: Any, state: Any) -> str:
    """Every field of a record by name: `left=15 seat=0`."""
    if not game.has_records:
        return object_text(state)
    return " ".join(f"{name}={field_text(state[name])}" for name in state.dtype.names)


def field_text(value: Any) -> str:
    return ",".join(str(item) for item in np.asarray(value).ravel())


def record_from(game: Any, text: str) -> Any:
    """The record behind such a line."""
    if not game.has_records:
        raise UnknownName(f"{game} has no text for its positions; give it the methods notation and position")
    state = game.blank()
    given = dict(part.partition("=")[::2] for part in text.split())
    names = state.dtype.names
    for name in given:
        if name not in names:
            raise BadPosition(f"expected the fields {', '.join(names)} in a position of {game}, got '{name}'")
    for name in names:
        if name not in given:
            raise BadPosition(f"the field '{name}' is missing in the position '{text}' of {game}")
        fill(game, state, name, given[name])
    return state


def fill(game: Any, state: Any, name: str, text: str) -> None:
    kind = state.dtype[name]
    shape, base = kind.shape, kind.base
    items = text.split(",")
    if len(items) != math.prod(shape):
        raise BadPosition(f"expected {math.prod(shape)} numbers for '{name}' in a position of {game}, got {len(items)}")
    try:
        numbers = [float(item) if base.kind == "f" else int(item) for item in items]
        state[name] = np.array(numbers, base).reshape(shape) if shape else base.type(numbers[0])
    except (ValueError, OverflowError):
        raise BadPosition(f"'{text}' does not fit the field '{name}' in a position of {game}") from None
