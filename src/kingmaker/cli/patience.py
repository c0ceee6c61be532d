"""Ctrl-C takes effect at a safe moment, and within two seconds.

numba does not survive being interrupted while it compiles: the interrupt is lost, or the process dies. So a Ctrl-C that
comes then is delayed until numba is done; at any other time it is raised at once. While machine code runs for long, or
a compilation takes long, the main thread cannot handle the signal. So a second thread sees every Ctrl-C at once, and
ends the process if the main thread has not reacted in time.
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

AGAIN = 0.02  # seconds until a delayed Ctrl-C is tried again
LATEST = 1.7  # seconds after which a Ctrl-C without effect ends the process
INTERRUPTED = 130
FRAGILE = ("numba", "llvmlite", "kingmaker.core.compiling.compiler", "kingmaker.core.compiling.entry")
DEAF = {  # these wait until machine code returns
    "kingmaker.search.parts.machinery.driving",
    "kingmaker.soundness.tour",
}
CAREFUL = {"kingmaker.arena.running.coordinator"}  # stops by itself, after it has stored what came in


@contextmanager
def patient() -> Iterator[None]:
    """Let Ctrl-C wait for numba, but not for ever; if the signal already has another handler, nothing changes."""
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
    """Wait for signals, which arrive here even while the main thread cannot handle them; end the process if a Ctrl-C
    had no effect.
    """
    with wakes:
        while signals := wakes.recv(1):
            if signals[0] == signal.SIGINT:
                came = time.monotonic()
                time.sleep(LATEST)
                if waiting.over:
                    return  # the command has ended, and the code that runs now is not ours
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
    """The signal handler; several presses of Ctrl-C count as one."""

    def __init__(self) -> None:
        self.later: threading.Timer | None = None
        self.heard = -math.inf  # when the main thread last handled the signal
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
    """Is code running that must not be interrupted?"""
    begins = tuple(f"{name}." for name in FRAGILE)
    return any(f"{each.f_globals.get('__name__')}.".startswith(begins) for each in stack(frame))
