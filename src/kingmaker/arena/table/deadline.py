"""A limit on the time of one match: first an exception where it can be heard, then the end of the process."""

import _thread
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

GRACE = 5.0  # seconds between the two
LOST = 70  # exit code of a worker that could not be stopped otherwise


class TooLong(BaseException):
    """The match has used up its time; no Exception, so that an agent that catches every error of its own does not catch
    this.
    """


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise TooLong in this thread after so many seconds; end the process if nothing comes of it."""
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
    """By the system's clock: wakes even a sleeping thread, but only the main one."""

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
    """By an exception put into the thread, heard at its next line of Python."""
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
