"""Ctrl-C at the right moment.

numba does not survive being interrupted while it compiles: the interrupt is lost, or the process dies. So a Ctrl-C that comes then is put
off until numba is done, which takes a second or two; at any other time it is raised at once.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.02  # seconds until the next look
FRAGILE = ("numba", "llvmlite", "kingmaker.core.compiler")


@contextmanager
def patient() -> Iterator[None]:
    """Let Ctrl-C wait for numba; where somebody else minds the signal already, nothing changes."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, Waiting())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Waiting:
    """The signal handler; many impatient presses are one."""

    def __init__(self) -> None:
        self.later: threading.Timer | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not fragile(frame):
            raise KeyboardInterrupt
        if self.later is None or self.later.finished.is_set():
            self.later = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
            self.later.daemon = True
            self.later.start()


def fragile(frame: FrameType | None) -> bool:
    """Is code at work that must not be interrupted?"""
    while frame:
        if f"{frame.f_globals.get('__name__')}.".startswith(tuple(f"{name}." for name in FRAGILE)):
            return True
        frame = frame.f_back
    return False
