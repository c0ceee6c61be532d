"""Ctrl-C at the right moment, and never later than in two seconds.

numba does not survive being interrupted while it compiles: the interrupt is lost, or the process dies. So a Ctrl-C that
comes then is put off until numba is done; at any other time it is raised at once. Machine code that does not come back,
and a compilation that takes long, do not hear it. So a thread of its own sees every Ctrl-C as it comes, and ends the
process if nobody has answered in time.
"""

import math
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.02  # seconds until the next look
LATEST = 1.7  # seconds after which a Ctrl-C that nobody has answered ends the process
INTERRUPTED = 130
FRAGILE = ("numba", "llvmlite", "kingmaker.core.compiling.compiler", "kingmaker.core.compiling.entry")
DEAF = {
    "kingmaker.search.parts.machinery.driving",
    "kingmaker.soundness.tour",
}  # these wait for machine code to come back
CAREFUL = {"kingmaker.arena.running.coordinator"}  # stops by itself, after it has stored what came in


@contextmanager
def patient() -> Iterator[None]:
    """Let Ctrl-C wait for numba, but not for ever; where somebody else minds the signal already, nothing changes."""
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    waiting = Waiting()
    signal.signal(signal.SIGINT, waiting)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=mind, args=(ours, waiting, threading.get_ident()), daemon=True).start()
    try:
        yield
    finally:
        waiting.over = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        theirs.close()


def mind(wakes: socket.socket, waiting: "Waiting", main: int) -> None:
    """Wait for signals, which come here even while the main thread is deaf; after a Ctrl-C see to it that the process
    ends.
    """
    with wakes:
        while signals := wakes.recv(1):
            if signals[0] == signal.SIGINT:
                came = time.monotonic()
                time.sleep(LATEST)
                if waiting.over:
                    return  # the command has ended, and what runs now is somebody else's
                frame = sys._current_frames().get(main)
                names = {each.f_globals.get("__name__") for each in stack(frame)}
                unheard = waiting.heard < came - LATEST
                if not names & CAREFUL and (unheard or fragile(frame) or names & DEAF):
                    leave()


def leave() -> None:
    """End at once, the cursor shown again; worker processes end with this one."""
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h\n")
        sys.stderr.flush()
    os._exit(INTERRUPTED)


class Waiting:
    """The signal handler; many impatient presses are one."""

    def __init__(self) -> None:
        self.later: threading.Timer | None = None
        self.heard = -math.inf  # when the main thread last got here
        self.over = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.heard = time.monotonic()
        if not fragile(frame):
            raise KeyboardInterrupt
        if self.later is None or self.later.finished.is_set():
            self.later = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
            self.later.daemon = True
            self.later.start()


def stack(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and all that called it."""
    while frame:
        yield frame
        frame = frame.f_back


def fragile(frame: FrameType | None) -> bool:
    """Is code at work that must not be interrupted?"""
    begins = tuple(f"{name}." for name in FRAGILE)
    return any(f"{each.f_globals.get('__name__')}.".startswith(begins) for each in stack(frame))
