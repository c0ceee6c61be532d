"""Fingerprints of code: equal only if the same machine code would result.

A function's fingerprint covers its byte code and, wherever its names lead, the functions, classes, arrays and numbers
behind them. It needs no source file, so it works for rules typed into a notebook too; an edit of anything that
matters gives another fingerprint, and an edit of a comment does not.
"""

import hashlib
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from kingmaker.core.kernel import MARKS, Constant, Kernel

STEADY_MODULES = {*sys.stdlib_module_names, "numpy", "numba"}  # a version number stands for their code
OUTSIDE = ("kingmaker.core.playable", "kingmaker.core.kernel")  # classes whose methods never run inside a search


def fingerprint(*things: Any) -> str:
    """A short text that changes whenever what the things would compile to changes."""
    reader = Reader()
    for thing in things:
        reader.read(thing)
    return reader.digest.hexdigest()[:24]


class Reader:
    """Walks through everything a value refers to, each function and class once."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[int, int] = {}

    def note(self, *words: object) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode()
            self.digest.update(len(data).to_bytes(8, "little") + data)

    def first_time(self, thing: object) -> bool:
        new = id(thing) not in self.seen
        self.note("seen", self.seen.setdefault(id(thing), len(self.seen)))
        return new

    def read(self, value: Any) -> None:
        """Note a value. What numba cannot take for a constant is noted by its type alone: no code depends on it."""
        if isinstance(value, Kernel):
            self.read(value.function)
        elif isinstance(value, FunctionType):
            self.read_function(value)
        elif isinstance(getattr(value, "py_func", None), FunctionType):  # a function that a user gave to numba
            self.read_function(value.py_func)
        elif isinstance(value, Constant):
            self.read_object(value)
        elif isinstance(value, type):
            self.read_class(value)
        elif isinstance(value, np.ndarray):
            self.note("array", value.dtype, value.shape, value.tobytes())
        elif isinstance(value, np.dtype):
            self.note("dtype", repr(value), value.itemsize)
        elif isinstance(value, (list, tuple)):
            self.note(type(value).__name__, len(value))
            for item in value:
                self.read(item)
        elif isinstance(value, (set, frozenset)):
            self.note("set", *sorted(map(repr, value)))
        elif isinstance(value, dict):
            self.note("dict", len(value))
            for key, item in value.items():
                self.read(key)
                self.read(item)
        elif isinstance(value, ModuleType):
            self.note("module", value.__name__, getattr(value, "__version__", ""))
        elif isinstance(value, (property, staticmethod, classmethod)):
            self.read(getattr(value, "fget", None) or getattr(value, "__func__", None))
        else:
            self.note(type(value).__name__, "" if " at 0x" in repr(value) else repr(value))

    def read_object(self, thing: Constant) -> None:
        if self.first_time(thing):
            self.read_class(type(thing))
            for name, value in sorted(vars(thing).items()):
                if name not in MARKS:
                    self.note(name)
                    self.read(value)

    def read_class(self, cls: type) -> None:
        self.note("class", cls.__module__, cls.__qualname__)
        if not issubclass(cls, Constant) or not self.first_time(cls):
            return
        for parent in cls.__mro__:
            if parent is not object and parent.__module__ not in OUTSIDE:
                for name, member in sorted(vars(parent).items()):
                    if not name.startswith("__") or name == "__init__":
                        self.note(name)
                        self.read(member)

    def read_function(self, function: FunctionType) -> None:
        if (function.__module__ or "").partition(".")[0] in STEADY_MODULES:
            self.note("library", function.__module__, function.__qualname__)
            return
        if not self.first_time(function):
            return
        self.read_code(function.__code__)
        self.read(function.__defaults__)
        for name in names_in(function.__code__):
            if name in function.__globals__:
                self.note(name)
                self.read_global(function.__globals__[name], function.__code__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note(name)
            self.read(cell.cell_contents)

    def read_global(self, value: Any, code: CodeType) -> None:
        """Note a global; of a user's own module only the names that the code uses."""
        self.read(value)
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in STEADY_MODULES:
            for used in names_in(code):
                if hasattr(value, used):
                    self.note(used)
                    self.read(getattr(value, used))

    def read_code(self, code: CodeType) -> None:
        self.note("code", code.co_code, code.co_names, code.co_varnames, code.co_argcount)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.read_code(constant)
            else:
                self.read(constant)


def names_in(code: CodeType) -> list[str]:
    """Every global or attribute name that a piece of code mentions, inner functions included."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += names_in(constant)
    return names
