"""A notice for a user who has to wait for the compiler.

Compiling takes seconds the first time and nothing afterwards. This module prints nothing itself: a program with a
terminal sets here how the notice is shown.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG = 0.5  # seconds; a shorter wait needs no notice


class Listener:
    """Holds the function that is called when a compilation takes long."""

    tell: Callable[[str], None] | None = None


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Call the listener with what is compiled if it takes long."""
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
