"""Somebody who waits for the compiler is told so.

Compiling takes seconds the first time and nothing afterwards. This room prints nothing itself: whoever has a terminal
says here how to tell it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG = 0.5  # seconds that nobody needs an excuse for


class Listener:
    """Whoever wants to know of a compilation that takes long."""

    tell: Callable[[str], None] | None = None


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Tell what is compiled if it takes long."""
    if Listener.tell is None:
        yield
        return
    alarm = threading.Timer(LONG, Listener.tell, (f"compiling {what}; this happens once",))
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
