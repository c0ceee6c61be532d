"""How Python calls machine code. Imported late."""

import gc
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError

from kingmaker.core.compiling.bundle import Bundle
from kingmaker.core.compiling.cache import DiskCache
from kingmaker.core.compiling.compile_errors import complaint
from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.fingerprint import fingerprint
from kingmaker.core.compiling.registers import REGISTERS, ChangedLate
from kingmaker.core.compiling.replaced import replaced
from kingmaker.core.compiling.shortcuts import unmeasured
from kingmaker.core.compiling.steps import STEPS
from kingmaker.core.compiling.waiting import explained
from kingmaker.core.errors import CannotCompile
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
    "registers.py",
    "replaced.py",
    "shortcuts.py",
    "skipping.py",
    "steps.py",
    "unused.py",
)


def entry_to(kernel: Kernel) -> Any:
    """A kernel to be called from Python: cached on disk, with numba's complaints turned into sentences."""
    dispatchers = [dispatcher_of(kernel.function, entry=True, guarded=guarded) for guarded in (False, True)]
    for dispatcher in dispatchers:
        dispatcher._cache = DiskCache(f"{fingerprint(kernel)}/{plumbing()}")
    return Entry(*dispatchers)


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


class Entry:
    """A kernel as Python calls it: it finds the machine code for its arguments and runs it."""

    def __init__(self, dispatcher: Any, guarded: Any) -> None:
        self.dispatcher, self.guarded = dispatcher, guarded

    def __call__(self, *arguments: Any) -> Any:
        return self.direct(*arguments)(*arguments)

    def direct(self, *arguments: Any, guarded: bool | None = None) -> Any:
        """The machine code for arguments of exactly these types, to be called without numba's type checks."""
        collecting = gc.isenabled()
        # compiling makes very many objects that stay alive; the garbage collector would search them again and again,
        # which costs a tenth of the time
        gc.disable()
        try:
            guarded = is_guarded(arguments) if guarded is None else guarded
            dispatcher = self.guarded if guarded else self.dispatcher
            typed, typeof = Constant.numba_type, dispatcher.typeof_pyval
            signature = tuple(
                typed(argument, guarded) if isinstance(argument, Constant) else typeof(argument)
                for argument in arguments
            )
            if signature not in dispatcher.overloads:
                constants = [
                    kind for kind, argument in zip(signature, arguments, strict=True) if isinstance(argument, Constant)
                ]
                what = " for ".join(
                    [dispatcher.py_func.__name__, *(str(each) for each in arguments[:1] if isinstance(each, Constant))]
                )
                bundle = Bundle(constants, plumbing(), dispatcher.targetctx)
                with explained(what), global_compiler_lock, unmeasured(), replaced(STEPS), bundle:
                    compile_for(dispatcher, signature)
            return dispatcher.overloads[signature].entry_point
        except (NumbaError, LookupError, TypeError) as fault:
            raise CannotCompile(
                complaint(fault, [type(thing) for thing in arguments if isinstance(thing, Constant)])
            ) from fault
        finally:
            if collecting:
                if not gc.get_freeze_count():  # otherwise somebody has frozen objects who wants them to stay so
                    gc.freeze()
                    gc.unfreeze()  # every object now counts as an old one, which only a full collection looks at
                gc.enable()
