"""Functions of numba's that are replaced only while our own code is compiled. Imported late.

What somebody else compiles with numba in the same process is compiled by numba as it is.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

Change = tuple[Any, str, Any]  # whose attribute, which, and what takes its place
NOTHING = object()


@contextmanager
def replaced(changes: Sequence[Change]) -> Iterator[None]:
    """Put ours in the place of numba's own meanwhile. Whoever calls this holds numba's lock: nobody else compiles."""
    before = [(owner, name, vars(owner).get(name, NOTHING)) for owner, name, _ in changes]
    try:
        for owner, name, ours in changes:
            setattr(owner, name, ours)
        yield
    finally:
        for owner, name, theirs in before:
            if theirs is NOTHING:
                delattr(owner, name)
            else:
                setattr(owner, name, theirs)
