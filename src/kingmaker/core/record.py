"""Records that compute in Python as they do in machine code.

A field of one byte read by NumPy stays one byte wide, and 100 + 100 overflows; machine code widens it to 64 bits first. So
records and arrays of the interpreted twin hand out plain Python numbers. Only unsigned 64-bit words keep their type, for they
are meant to wrap around.
"""

from typing import Any

import numpy as np

field_of, set_field = np.void.__getitem__, np.void.__setitem__


def widened(value: Any) -> Any:
    """What was read from a record or an array, as machine code would compute with it."""
    kind = type(value)
    if kind is np.ndarray:
        return value.view(WideArray)
    if kind is np.uint64 or not isinstance(value, np.generic):
        return value
    if isinstance(value, np.void):
        return value if kind is WideRecord else value.view(np.dtype((WideRecord, value.dtype)))
    return value.item()


class WideArray(np.ndarray):
    """An array whose elements are plain numbers when taken out one by one."""

    def __getitem__(self, index: Any) -> Any:
        return widened(super().__getitem__(index))


class WideRecord(np.record):  # type: ignore[misc]
    """A record whose fields are plain numbers and wide arrays; a field comes before a method of NumPy's of the same name."""

    def __getattribute__(self, name: str) -> Any:
        try:
            return widened(field_of(self, name))
        except ValueError:  # no field of that name
            return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            set_field(self, name, value)
        except ValueError as fault:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(f"the state has no field '{name}'") from fault


def record(kind: np.dtype) -> Any:
    """One zeroed record."""
    return np.zeros(1, np.dtype((WideRecord, kind)))[0]


def zeros(shape: tuple[int, ...], kind: Any) -> WideArray:
    """A zeroed array of numbers or records."""
    base = np.dtype(kind)
    return np.zeros(shape, np.dtype((WideRecord, base)) if base.names else base).view(WideArray)
