"""Plain Python in, machine code out: the one door to numba.

A `Kernel` is a function with two lives. Called, it is the Python that was written: the *interpreted twin*, for states
that are not records, for debugging and for tests. Through `compiled` the same lines run as machine code. Games,
estimates and switches are `Constant` objects: class and parameters are known when the code is made, so an option that
is off costs nothing.

numba is imported when the first kernel is compiled and not before, so that what needs no search starts fast.
"""

import functools
from collections.abc import Callable
from typing import Any

from kingmaker.core.errors import BadParameter

MARKS = {
    "_numba_type_",
    "_sound",
    "_lister",
    "_dealer",
    "_vouched",
    "_doubted",
    "_interpreted",
    "has_records",
}  # attributes that Kingmaker itself caches in a user's object


class Kernel:
    """A function that can run interpreted or compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    @functools.cached_property
    def compiled(self) -> Any:
        """The function as machine code, kept on disk between processes."""
        from kingmaker.core.compiling.entry import entry_to

        return entry_to(self)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Let a function run interpreted or compiled.

    A kernel may call other kernels, plain module-level functions and the methods of its `Constant` arguments. It never
    raises and never allocates memory; whoever calls it has checked the arguments and allocated what it needs. Called as
    it is it runs interpreted; its attribute `compiled` is the same function as machine code.
    """
    return Kernel(function)


class Constant:
    """A plain object that compiled code treats as a constant: a game, an estimate or the switches of a search.

    Compiling freezes it, for machine code that was made from its parameters would not notice a change.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if "_numba_type_" in self.__dict__:
            raise BadParameter(f"{type(self).__name__} is in use and cannot change '{name}'; make a new one")
        super().__setattr__(name, value)

    def require(self, holds: bool, sentence: str) -> None:
        """Raise an error with this sentence unless the condition holds; for parameters that make no sense."""
        if not holds:
            raise BadParameter(f"{sentence} in {self}")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from kingmaker.core.compiling.numba_types import type_of

        return type_of(self, guarded=False)

    def numba_type(self, guarded: bool) -> Any:
        """The numba type of this object, of which every object has its own, for guarded code or for full speed."""
        from kingmaker.core.compiling.numba_types import type_of

        return type_of(self, guarded=True) if guarded else self._numba_type_
