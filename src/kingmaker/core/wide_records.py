"""Records whose fields behave in Python as they do in machine code.

A field of one byte read by NumPy stays one byte wide, and 100 + 100 overflows; machine code widens it to 64 bits first.
So records and arrays of the interpreted twin hand out plain Python numbers. Only unsigned 64-bit words keep their type,
for they are meant to wrap around.
"""

from functools import lru_cache
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
        return value if isinstance(value, WideRecord) else value.view(wide(value.dtype))
    return value.item()


class WideArray(np.ndarray):
    """An array whose elements are plain numbers when taken out one by one."""

    def __getitem__(self, index: Any) -> Any:
        return widened(super().__getitem__(index))


class WideRecord(np.void):  # type: ignore[misc]
    """A record whose fields are plain numbers and wide arrays; every dtype has its own subclass, with one property for
    each field.

    Fields are properties, so they shadow NumPy's attributes of the same name, and numba finds the record's memory
    without calling Python code.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            set_field(self, name, value)
        except ValueError as fault:
            if name in (self.dtype.names or ()):
                raise
            raise AttributeError(f"the state has no field '{name}'") from fault

    def __reduce__(self) -> Any:
        return restored, (plain(self.dtype), self.tobytes())


def restored(kind: np.dtype, memory: bytes) -> Any:
    """A record from its bytes."""
    made = record(kind)
    np.asarray(made)[()] = np.frombuffer(memory, kind)[0]
    return made


def reader(name: str, kind: np.dtype) -> property:
    """The property that reads a field; a plain number, the most frequent kind of field, is read by a shorter way."""
    if kind.subdtype is None and kind.names is None and kind != np.uint64:
        return property(lambda record: field_of(record, name).item())
    return property(lambda record: widened(field_of(record, name)))


def plain(kind: np.dtype) -> np.dtype:
    """The dtype of plain NumPy records with the same fields."""
    return np.dtype((np.void, kind))


@lru_cache(maxsize=1024)
def wide(kind: np.dtype) -> np.dtype:
    """The dtype of wide records with these fields."""
    readers = {name: reader(name, kind[name]) for name in kind.names or ()}
    return np.dtype((type("WideRecord", (WideRecord,), {"__slots__": (), **readers}), kind))


def record(kind: np.dtype) -> Any:
    """One zeroed record."""
    return np.zeros(1, wide(kind))[0]


def zeros(shape: tuple[int, ...], kind: Any) -> WideArray:
    """A zeroed array of numbers or records."""
    base = np.dtype(kind)
    return np.zeros(shape, wide(base) if base.names else base).view(WideArray)


def object_text(state: Any) -> str:
    """A state that is a Python object, as one line of text for people; it cannot be read back."""
    text = repr(state)
    if " object at 0x" in text and hasattr(state, "__dict__"):
        text = " ".join(f"{name}={value!r}" for name, value in vars(state).items())
    return " ".join(text.split())
