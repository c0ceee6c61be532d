"""How plain functions are handed to numba. Imported late.

A function is copied with globals in which other kernels and plain functions are what numba can call; those inner ones
are linked into the entries that use them and never called from Python.
"""

import functools
import importlib
import sys
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba import types

from kingmaker.core.compiling.bundle import InnerCache
from kingmaker.core.compiling.fingerprint import fingerprint, names_in
from kingmaker.core.compiling.lowering import InnerCompiler, OuterCompiler, QuickCompiler
from kingmaker.core.compiling.native_scratch import for_outcomes, on_stack
from kingmaker.core.kernel import Kernel
from kingmaker.core.scratch import scratch, scratch_events, scratch_floats, scratch_odds


def load_arrays() -> None:
    """Import numba's array functions without scipy.linalg, which takes a fifth of numba's import time; numba imports it
    later if linear algebra is used.
    """
    blas = "scipy.linalg.cython_blas"
    absent = [name for name in ("scipy", blas) if name not in sys.modules]
    sys.modules.update((name, ModuleType(name)) for name in absent)
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        for name in absent:
            del sys.modules[name]


load_arrays()
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
ENTRY = {**OPTIONS, "pipeline_class": OuterCompiler}
QUICK = {**OPTIONS, "pipeline_class": QuickCompiler}  # an entry that is made in less time and runs longer
INNER = {**OPTIONS, "pipeline_class": InnerCompiler, "no_cpython_wrapper": True}
LONG = 1200  # bytes of byte code; LLVM decides for itself whether to inline what is longer
GUARDED = {"boundscheck": True}  # what is different in guarded code, see core/guard.py
OWN_WAY = {  # plain functions with another implementation in machine code
    scratch: on_stack(types.uint64),
    scratch_floats: on_stack(types.float64),
    scratch_events: for_outcomes(types.int32),
    scratch_odds: for_outcomes(types.float64),
}
DISPATCHERS: dict[tuple[FunctionType, bool, bool, bool], Any] = {}


class Source:
    """The Python function behind a numba function; its globals are bound, and its fingerprint is taken, together when
    it is first needed.
    """

    def __init__(self, function: FunctionType, guarded: bool, quick: bool) -> None:
        self.function, self.guarded, self.quick = function, guarded, quick
        self.copy = FunctionType(function.__code__, {}, function.__name__, function.__defaults__, function.__closure__)
        self.copy.__module__, self.copy.__qualname__ = function.__module__, function.__qualname__
        vars(self.copy)["source"] = self

    def made(self, entry: bool) -> Any:
        """The numba function."""
        kind = INNER if not entry else QUICK if self.quick else ENTRY
        self.dispatcher = numba.njit(**kind, **(GUARDED if self.guarded else {}))(self.copy)
        self.dispatcher.get_call_template = functools.partial(one_version, self.dispatcher)
        self.dispatcher._cache = InnerCache(self)
        return self.dispatcher

    @property
    def size(self) -> int:
        """The bytes of byte code of a function that is short enough to be always inlined; 0 if LLVM is to decide.
        numba's own option for that would change the symbol names, and circles of calls could not be linked.
        """
        size = len(self.function.__code__.co_code)
        return 0 if self.guarded or size >= LONG else size

    @functools.cached_property
    def number(self) -> int:
        """The fingerprint of the function as a number; equal numbers stand for equal code."""
        self.copy.__globals__.update(bound_globals(self.function, self.dispatcher, self.guarded))
        return int(fingerprint(self.function), 16) << 2 | self.quick << 1 | self.guarded


def dispatcher_of(function: Any, entry: bool = False, guarded: bool = False, quick: bool = False) -> Any:
    """The numba function made from a Python function, to be called by others or, as an `entry`, from Python."""
    key = (function, entry, guarded, quick)
    if key not in DISPATCHERS:
        DISPATCHERS[key] = Source(function, guarded, quick).made(entry)
    return DISPATCHERS[key]


def one_version(dispatcher: Any, arguments: Any, named: Any) -> Any:
    """How numba finds the code for a call: by one version for all whole numbers, whatever field or array they were read
    from.

    Left to itself numba makes a version of its own for each width, which only takes time, and for literal arguments;
    where a kernel calls itself, cached code then refers to the other version, which a new process does not have, and
    crashes.
    """
    return type(dispatcher).get_call_template(
        dispatcher, [widened(each) for each in arguments], {name: widened(each) for name, each in named.items()}
    )


def widened(kind: Any) -> Any:
    """A whole number of 64 bits for every narrower one, as the interpreted twin reads it; the type itself for all
    else.
    """
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.bitwidth < 64 else plain


def bound_globals(function: FunctionType, itself: Any, guarded: bool) -> dict[str, Any]:
    """A function's globals with kernels and plain functions replaced by what numba can call."""
    space = dict(function.__globals__)
    names = names_in(function.__code__)
    for name in names:
        value = space.get(name)
        if isinstance(value, ModuleType) and not is_library(value.__name__):
            space[name] = bound_module(value, names, guarded)
        elif value is not None:
            space[name] = itself if plain(value) is function else bound(value, guarded)
    return space


def bound_module(module: ModuleType, names: list[str], guarded: bool) -> ModuleType:
    """A module of ours or of the user's, with what a function uses of it replaced likewise: `kingmaker.shuffle`."""
    copy = ModuleType(module.__name__)
    vars(copy).update((name, bound(getattr(module, name), guarded)) for name in names if hasattr(module, name))
    return copy


def bound(value: Any, guarded: bool) -> Any:
    """A kernel or a plain function as what numba can call; anything else as it is."""
    value = plain(value)
    if not isinstance(value, FunctionType) or is_library(value.__module__ or ""):
        return value
    return OWN_WAY[value] if value in OWN_WAY else dispatcher_of(value, guarded=guarded)


def plain(value: Any) -> Any:
    return value.function if isinstance(value, Kernel) else value


def is_library(name: str) -> bool:
    return name.startswith(("numpy", "numba", "math"))
