"""Records that compute in Python as they do in machine code.

A field of one byte read by NumPy stays one byte wide, and 100 + 100 overflows; machine code widens it to 64 bits first. So
records and arrays of the interpreted twin hand out plain Python numbers. Only unsigned 64-bit words keep their type, for they
are meant to wrap around.
"""

from typing import Any

import numpy as np


def widened(value: Any) -> Any:
    """A scalar as machine code would compute with it."""
    if isinstance(value, np.generic) and value.dtype.names is None and value.dtype != np.uint64:
        return value.item()
    return value


class WideArray(np.ndarray):
    """An array whose elements are plain numbers when taken out one by one."""

    def __getitem__(self, index: Any) -> Any:
        return widened(super().__getitem__(index))


class WideRecord(np.record):  # type: ignore[misc]
    """A record whose fields are plain numbers and wide arrays."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if type(value) is np.ndarray:
            return value.view(WideArray)
        return widened(value)


def record(kind: np.dtype) -> Any:
    """One zeroed record."""
    return np.zeros(1, np.dtype((WideRecord, kind)))[0]


def zeros(shape: tuple[int, ...], kind: Any) -> WideArray:
    """A zeroed array of numbers or records."""
    base = np.dtype(kind)
    return np.zeros(shape, np.dtype((WideRecord, base)) if base.names else base).view(WideArray)
