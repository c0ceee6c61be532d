"""A game's methods are called one by one, while a second thread watches how long each call takes.

The caller names the method and the position, so that an error inside is reported with both. A call that does not
return is ended by an exception that the watching thread raises in it.
"""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from kingmaker.core.compiling.compile_errors import is_theirs, quoted
from kingmaker.soundness.fault import fault, raised_in

LONGEST = 5.0  # seconds of processor time that one call of a method may take
LOOK = 0.2  # seconds between two checks


class Endless(BaseException):
    """Raised in a call that does not return; an `except Exception` in the user's code does not catch it."""


class Trial:
    """Calls methods of a game, and of estimates for it."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.close = False  # True: call every method several times, see `calls`
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.since: float | None = None  # when the current call began, in processor time of this thread
        self.line = ""  # the line at which a call was that did not return

    def __enter__(self) -> "Trial":
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(self, *_fault: Any) -> None:
        self.over.set()

    def call(self, method: str, state: Any, act: Callable[..., Any], *arguments: Any, owner: Any = None) -> Any:
        """What the method returns; whatever goes wrong is a Fault."""
        try:
            self.since = time.thread_time()
            with np.errstate(over="ignore"):
                result = act(*arguments)
            with self.lock:
                self.since = None
            return result
        except Endless:
            told = (
                f"expected it to end within {LONGEST:g} s, but it was still in {self.line}; look for a loop without end"
            )
            raise fault(self.game, state, method, told, owner) from None
        except Exception as problem:
            raise raised_in(self.game, state, method, problem, owner) from problem
        finally:
            self.since = None

    def watch(self) -> None:
        """Check now and then how long the current call has taken, and end it if that is too long."""
        while not self.over.wait(LOOK):
            with self.lock:
                began = self.since
                if began is not None and processor_time(self.thread) - began > LONGEST:
                    self.line = line_of(sys._current_frames().get(self.thread))
                    self.since = None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(Endless))


def processor_time(thread: int) -> float:
    """The processor time that a thread has used, so that a busy machine does not make a call too late."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.process_time()


def line_of(frame: FrameType | None) -> str:
    """The innermost line of the user's own code."""
    while frame:
        if is_theirs(frame.f_code.co_filename):
            return quoted(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return "a library"
