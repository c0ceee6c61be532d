"""A time limit for one match: first an exception is raised in the match; if that does not end it, the process ends."""

import _thread
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

GRACE = 5.0  # seconds between the exception and the end of the process
LOST = 70  # exit code of a worker that could not be stopped otherwise


class TooLong(BaseException):
    """The match has used up its time. This is no subclass of Exception, so that an agent that catches every Exception
    does not catch it.
    """


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise TooLong in this thread after so many seconds; end the process if the match still goes on."""
    last = threading.Timer(seconds + GRACE, os._exit, [LOST])
    last.daemon = True
    last.start()
    try:
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            with alarm(seconds):
                yield
        else:
            with poke(seconds):
                yield
    finally:
        last.cancel()


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TooLong by a system timer, which interrupts even a sleeping thread, but only the main thread."""

    def ring(_signal: int, _frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def poke(seconds: float) -> Iterator[None]:
    """Raise TooLong from another thread; it takes effect as soon as this thread runs Python code again."""
    thread, lock, over = _thread.get_ident(), threading.Lock(), False

    def ring() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()
