"""What surrounds every compilation: complaints in plain words, and no garbage collection. Imported late."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from numba.core.errors import NumbaError

from kingmaker.core.compiling.compile_errors import complaint
from kingmaker.core.errors import CannotCompile
from kingmaker.core.kernel import Constant


@contextmanager
def put_plainly(constants: Sequence[Constant]) -> Iterator[None]:
    """Turn numba's complaints into sentences."""
    try:
        yield
    except (NumbaError, LookupError, TypeError) as fault:
        raise CannotCompile(complaint(fault, [type(each) for each in constants])) from fault


@contextmanager
def without_collecting() -> Iterator[None]:
    """Without the garbage collector. Compiling makes very many objects that stay alive; searching them again and again
    would take a tenth of the time. What was made meanwhile counts as old, so only a full collection looks at it.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not gc.get_freeze_count():  # otherwise somebody has frozen objects who wants them to stay so
                gc.freeze()
                gc.unfreeze()
            gc.enable()
