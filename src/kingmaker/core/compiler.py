"""How plain functions reach numba, and how Python reaches machine code. Imported late.

A function is copied with globals in which other kernels and plain functions are what numba can call; those inner ones are inlined
and never called from Python.
"""

import functools
import gc
import hashlib
import importlib
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from kingmaker.core.cache import DiskCache
from kingmaker.core.complaint import complaint
from kingmaker.core.errors import CannotCompile
from kingmaker.core.fingerprint import fingerprint, names_in
from kingmaker.core.kernel import Constant, Kernel
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.core.stack import on_stack


def load_arrays() -> None:
    """Let numba load its arrays without scipy.linalg, a fifth of its start; it looks for that again when linear algebra is used."""
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
INNER = {**OPTIONS, "no_cpython_wrapper": True, "forceinline": True}
PLUMBING = ("compiler.py", "numba_types.py", "stack.py")  # what decides, beside the code itself, what it compiles to
OWN_WAY = {  # plain functions that are something else in machine code
    scratch: on_stack(types.uint64),
    scratch_floats: on_stack(types.float64),
}
DISPATCHERS: dict[tuple[FunctionType, bool], Any] = {}


def dispatcher_of(function: Any, entry: bool = False) -> Any:
    """The numba function made from a Python function, to be called by others or, as an `entry`, from Python.

    Its globals are bound after it exists, for it may call itself.
    """
    key = (function, entry)
    if key not in DISPATCHERS:
        copy = FunctionType(function.__code__, {}, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        made = DISPATCHERS[key] = numba.njit(**(OPTIONS if entry else INNER))(copy)
        made.get_call_template = functools.partial(without_literals, made)
        copy.__globals__.update(bound_globals(function, made))
    return DISPATCHERS[key]


def without_literals(dispatcher: Any, arguments: Any, named: Any) -> Any:
    """How numba finds the code for a call, with `0` an ordinary number.

    Left to itself numba makes a version of its own for literal arguments; where a kernel calls itself, cached code then refers to the other
    version, which a new process does not have, and crashes.
    """
    plain = [types.unliteral(argument) for argument in arguments]
    return type(dispatcher).get_call_template(dispatcher, plain, {name: types.unliteral(value) for name, value in named.items()})


def bound(function: FunctionType) -> FunctionType:
    """A copy of a method in which other kernels and plain functions are what numba can call."""
    copy = FunctionType(function.__code__, bound_globals(function), function.__name__, function.__defaults__, function.__closure__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def bound_globals(function: FunctionType, itself: Any = None) -> dict[str, Any]:
    """A function's globals with kernels and plain functions replaced by what numba can call."""
    space = dict(function.__globals__)
    for name in names_in(function.__code__):
        value = space.get(name)
        value = value.function if isinstance(value, Kernel) else value
        if itself is not None and value is function:
            space[name] = itself
        elif isinstance(value, FunctionType) and value in OWN_WAY:
            space[name] = OWN_WAY[value]
        elif isinstance(value, FunctionType) and not (value.__module__ or "").startswith(("numpy", "numba")):
            space[name] = dispatcher_of(value)
    return space


def entry_to(kernel: Kernel) -> Any:
    """A kernel to be called from Python: cached on disk, with numba's complaints turned into sentences."""
    dispatcher = dispatcher_of(kernel.function, entry=True)
    dispatcher._cache = DiskCache(f"{fingerprint(kernel)}/{plumbing()}")

    return Entry(dispatcher)


def plumbing() -> str:
    """A fingerprint of how code is compiled."""
    return hashlib.sha256(b"".join((Path(__file__).parent / name).read_bytes() for name in PLUMBING)).hexdigest()


class Entry:
    """The way from Python into machine code."""

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher

    def __call__(self, *arguments: Any) -> Any:
        return self.direct(*arguments)(*arguments)

    def direct(self, *arguments: Any) -> Any:
        """What to call with arguments of just these types: machine code without numba's look at each argument."""
        collecting = gc.isenabled()
        gc.disable()  # compiling makes a great many objects that stay, and looking through them again and again costs a tenth of the time
        try:
            signature = tuple(self.dispatcher.typeof_pyval(argument) for argument in arguments)
            self.dispatcher.compile(signature)
            return self.dispatcher.overloads[signature].entry_point
        except (NumbaError, LookupError, TypeError) as fault:
            raise CannotCompile(complaint(fault, [type(thing) for thing in arguments if isinstance(thing, Constant)])) from fault
        finally:
            if collecting:
                gc.enable()
