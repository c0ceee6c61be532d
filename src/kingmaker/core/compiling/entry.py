"""How Python calls machine code. Imported late."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

from kingmaker.core.compiling.bundle import Bundle
from kingmaker.core.compiling.cache import DiskCache
from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.fingerprint import fingerprint
from kingmaker.core.compiling.making import put_plainly, without_collecting
from kingmaker.core.compiling.registers import REGISTERS, ChangedLate
from kingmaker.core.compiling.replaced import replaced
from kingmaker.core.compiling.shortcuts import unmeasured
from kingmaker.core.compiling.steps import STEPS
from kingmaker.core.compiling.two_speeds import TwoSpeeds
from kingmaker.core.compiling.waiting import explained
from kingmaker.core.guard import is_guarded
from kingmaker.core.kernel import Constant, Kernel

# the files that decide, beside the code itself, to which machine code it is compiled
PLUMBING = (
    "bundle.py",
    "circles.py",
    "compiler.py",
    "constants.py",
    "folding.py",
    "../guard.py",
    "linking.py",
    "lowering.py",
    "native_scratch.py",
    "numba_methods.py",
    "numba_types.py",
    "quick.py",
    "registers.py",
    "replaced.py",
    "shortcuts.py",
    "skipping.py",
    "steps.py",
    "unused.py",
)


def entry_to(kernel: Kernel) -> Any:
    """A kernel to be called from Python: cached on disk, with numba's complaints turned into sentences."""
    made, print_ = {}, f"{fingerprint(kernel)}/{plumbing()}"
    for guarded in (False, True):
        for quick in (False, True):
            made[guarded, quick] = dispatcher_of(kernel.function, entry=True, guarded=guarded, quick=quick)
            made[guarded, quick]._cache = DiskCache(f"{print_}/quick" if quick else print_)
    return Entry(made)


@cache
def plumbing() -> str:
    """A fingerprint of how code is compiled."""
    return hashlib.sha256(b"".join((Path(__file__).parent / name).read_bytes() for name in PLUMBING)).hexdigest()


def compile_for(dispatcher: Any, signature: Any) -> None:
    """Compile a function for arguments of these types, with arrays in registers unless some are used unusually."""
    try:
        with replaced(REGISTERS):
            dispatcher.compile(signature)
    except ChangedLate:
        dispatcher.compile(signature)


@dataclass(frozen=True)
class Wanted:
    """What machine code is made for."""

    guarded: bool
    kinds: tuple[Any, ...]  # the types of the arguments
    constants: tuple[Constant, ...]  # the arguments that are compile-time constants
    what: str  # in words

    @property
    def constant_kinds(self) -> list[Any]:
        return [each.numba_type(self.guarded) for each in self.constants]


class Entry:
    """A kernel as Python calls it: it finds the machine code for its arguments and runs it."""

    def __init__(self, dispatchers: dict[tuple[bool, bool], Any]) -> None:
        self.dispatchers = dispatchers  # by whether the code is guarded, and whether it is made quickly
        self.dispatcher = dispatchers[False, False]

    def __call__(self, *arguments: Any) -> Any:
        return self.direct(*arguments)(*arguments)

    def direct(self, *arguments: Any, guarded: bool | None = None) -> Any:
        """The machine code for arguments of exactly these types, to be called without numba's type checks."""
        return self.code(self.wanted(arguments, guarded))

    def two_speeds(self, *arguments: Any, full: bool) -> TwoSpeeds:
        """The same, but made quickly at first, unless `full` speed is wanted at once."""
        return TwoSpeeds(self, self.wanted(arguments, None), full)

    def wanted(self, arguments: Sequence[Any], guarded: bool | None) -> Wanted:
        guarded = is_guarded(arguments) if guarded is None else guarded
        typed, typeof = Constant.numba_type, self.dispatcher.typeof_pyval
        constants = tuple(argument for argument in arguments if isinstance(argument, Constant))
        with put_plainly(constants):
            kinds = tuple(
                typed(argument, guarded) if isinstance(argument, Constant) else typeof(argument)
                for argument in arguments
            )
        name = self.dispatcher.py_func.__name__
        what = f"{name} for {arguments[0]}" if isinstance(arguments[0], Constant) else name
        return Wanted(guarded, kinds, constants, what)

    @property
    def versions(self) -> int:
        """For how many different arguments there is machine code in this process."""
        return sum(len(each.signatures) for each in self.dispatchers.values())

    @property
    def hits(self) -> int:
        """How often machine code was found on disk."""
        return sum(each._cache.hits for each in self.dispatchers.values())

    def is_kept(self, wanted: Wanted) -> bool:
        """Is code for full speed at hand, in this process or on disk?"""
        dispatcher = self.dispatchers[wanted.guarded, False]
        return wanted.kinds in dispatcher.overloads or dispatcher._cache.holds(wanted.kinds, dispatcher.targetctx)

    def code(self, wanted: Wanted, quick: bool = False) -> Any:
        """Machine code, made for full speed or, if it is to be `quick`, in less time."""
        dispatcher = self.dispatchers[wanted.guarded, quick]
        if wanted.kinds not in dispatcher.overloads:
            bundle = Bundle(wanted.constant_kinds, plumbing(), dispatcher.targetctx)
            with (
                put_plainly(wanted.constants),
                without_collecting(),
                explained(wanted.what),
                global_compiler_lock,
                unmeasured(),
                replaced(STEPS),
                bundle,
            ):
                compile_for(dispatcher, wanted.kinds)
        return dispatcher.overloads[wanted.kinds].entry_point
