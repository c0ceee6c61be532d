"""A fingerprint of all the code that an object runs, compiled or not: its class, every function, class and number that
this code names, and the object's attributes.

`core/compiling/fingerprint.py` covers only what is compiled. This module also follows plain Python, so that a store
notices a change of an agent class in a user's file as well as a change of a search's kernel. It does not read
libraries, whose version numbers are stored instead, `core`, `arena` and `adapters`, which are hashed as a whole, and
`soundness`, which has no influence on any move.
"""

import dis
import importlib
import importlib.util
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import kingmaker.loading
from kingmaker.core.compiling.fingerprint import STEADY_MODULES, Reader, names_in
from kingmaker.core.kernel import Constant, Kernel
from kingmaker.core.named_classes import NamedClasses
from kingmaker.games import PLAYERS
from kingmaker.search import ALGORITHMS

COMMON = ("kingmaker.core", "kingmaker.arena", "kingmaker.adapters")  # hashed as a whole
EXAMINING = ("kingmaker.soundness",)  # no result depends on it, and it keeps a list of the games it has examined
# what a function looks up by a text, so that its code does not name it
BEHIND = {kingmaker.loading.load_agent: [ALGORITHMS, PLAYERS]}
IMPORT = dis.opmap["IMPORT_NAME"]
LIBRARIES = [Path(sysconfig.get_path(kind)).resolve() for kind in ("stdlib", "purelib", "platlib")]


def closure_hash(*things: Any) -> str:
    """A short hash that changes whenever any code or constant that these objects use changes."""
    reader = Closure()
    for thing in things:
        reader.read(thing)
    reader.finish()
    return reader.digest.hexdigest()[:24]


class Closure(Reader):
    """Walks through everything that an object may run, each function, class and object once.

    What is found is put in a queue and read later, so that long chains of objects cannot exceed Python's recursion
    limit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ahead: deque[Callable[[], None]] = deque()
        self.kept: list[object] = []  # objects already read; kept alive so that no other object gets the same id()

    def finish(self) -> None:
        while self.ahead:
            self.ahead.popleft()()

    def first_time(self, thing: object) -> bool:
        self.kept.append(thing)
        return super().first_time(thing)

    def read(self, value: Any) -> None:
        if isinstance(value, cached_property):
            self.read(value.func)
        elif isinstance(value, NamedClasses):
            self.read(dict(value))
        elif isinstance(value, MethodType):
            self.read(value.__func__)
            self.read(value.__self__)
        elif isinstance(value, partial):
            self.read([value.func, value.args, value.keywords])
        elif not isinstance(value, (FunctionType, Kernel, type)) and hasattr(value, "__wrapped__"):  # an lru_cache
            self.read(value.__wrapped__)
        elif not isinstance(value, (type, FunctionType, Kernel, ModuleType)) and is_own(type(value).__module__):
            self.read_object(value)
        else:
            super().read(value)

    def read_object(self, thing: Any) -> None:
        """An object of a class that is not a library's: the class, and what the object holds."""
        self.read_class(type(thing))
        if self.first_time(thing):
            self.ahead.append(partial(self.read_items, held_by(thing)))

    def read_class(self, cls: type) -> None:
        self.note("class", home_of(cls.__module__), cls.__qualname__)
        if is_own(cls.__module__) and self.first_time(cls):
            for parent in cls.__mro__:
                if is_own(parent.__module__):
                    self.ahead.append(
                        partial(self.read_items, [item for item in sorted(vars(parent).items()) if is_written(*item)])
                    )

    def read_function(self, function: FunctionType) -> None:
        if not is_own(function.__module__ or ""):
            self.note("library", function.__module__, function.__qualname__)
        elif self.first_time(function):
            self.ahead.append(partial(self.read_body, function))

    def read_body(self, function: FunctionType) -> None:
        self.read_code(function.__code__)
        self.read([function.__defaults__, function.__kwdefaults__])
        names = dict.fromkeys(names_in(function.__code__))
        for name in names:
            if name in function.__globals__:
                self.note(name)
                self.read_global(function.__globals__[name], function.__code__)
        for module in imported_in(function.__code__):
            self.read_global(module, function.__code__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note(name)
            self.read(cell.cell_contents)
        self.read(BEHIND.get(function))

    def read_items(self, items: list[tuple[str, Any]]) -> None:
        for name, value in items:
            self.note(name)
            self.read(value)


def home_of(module: str) -> str:
    """A module's name without the folder of a user's file, so that the same file has the same hash in every folder."""
    return module.partition("@")[0]


def held_by(thing: Any) -> list[tuple[str, Any]]:
    """An object's attributes by name, without the values that were cached while the object was used."""
    names = [name for cls in type(thing).__mro__ for name in vars(cls).get("__slots__", ())]
    held = {name: getattr(thing, name) for name in names if hasattr(thing, name)} | getattr(thing, "__dict__", {})
    return [
        (name, value)
        for name, value in sorted(held.items())
        if not isinstance(getattr(type(thing), name, None), cached_property)
        and not (isinstance(thing, Constant) and name.startswith("_"))
    ]


def is_written(name: str, member: Any) -> bool:
    """Is this member written in the source of the class, rather than added by Python or a decorator?"""
    if not (name.startswith("__") and name.endswith("__")):
        return True
    function = getattr(member, "__func__", member)
    # dataclasses compile their generated methods from "<string>"
    return isinstance(function, FunctionType) and function.__code__.co_filename != "<string>"


@lru_cache(maxsize=4096)
def is_own(module: str) -> bool:
    """Is this module's code to be read? Code of libraries, and code that is hashed as a whole, is not."""
    if module.partition(".")[0] in STEADY_MODULES or module.startswith(COMMON + EXAMINING):
        return False
    if module.partition(".")[0] == "kingmaker":
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or not any(home in Path(file).resolve().parents for home in LIBRARIES)


def imported_in(code: CodeType) -> Iterator[ModuleType]:
    """The modules that a piece of code imports when it runs, without those of libraries."""
    for instruction in dis.get_instructions(code) if IMPORT in code.co_code[::2] else ():
        name = str(instruction.argval)
        if instruction.opname == "IMPORT_NAME" and is_own(name) and not is_library(name):
            try:
                yield importlib.import_module(name)
            except ImportError:
                continue
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imported_in(constant)


def is_library(name: str) -> bool:
    """Would importing this bring in an installed package?"""
    try:
        found = importlib.util.find_spec(name.partition(".")[0])
    except (ImportError, ValueError):
        return True
    place = found.origin if found else None
    return place is None or (
        name.partition(".")[0] != "kingmaker" and any(home in Path(place).resolve().parents for home in LIBRARIES)
    )
