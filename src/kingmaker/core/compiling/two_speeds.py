"""Machine code that is made quickly at first, and code at full speed once that pays.

A third to a half of the time of compiling is LLVM's optimisation, after which code runs three to ten times as fast. A
search that takes some milliseconds does not need it. So a search begins with code that is made quickly, and changes to
code at full speed when it has run, or is expected to run, for about as long as optimising takes. Then nobody waits much
longer than with the better choice. Both kinds of code are made from the same lines and compute the same, bit for bit.

Where a clock limits the search, and where code is compiled in advance, it is made for full speed at once.
"""

import threading
import time
from typing import Any

PATIENCE = 1.0  # seconds of running, or of expected running, after which code at full speed is made


class TwoSpeeds:
    """A kernel as machine code for arguments of certain types; called like the kernel."""

    def __init__(self, entry: Any, wanted: Any, full: bool) -> None:
        self.entry, self.wanted = entry, wanted
        self.full = full or entry.is_kept(wanted)
        self.code = entry.code(wanted, quick=not self.full)
        self.spent = 0.0  # seconds for which quick code has run
        self.making = 0.0  # seconds that making code at full speed took
        self.lock = threading.Lock()

    def __call__(self, *given: Any) -> Any:
        if self.full:
            return self.code(*given)
        if self.spent > PATIENCE:
            self.make_full()
        began = time.perf_counter()
        try:
            return self.code(*given)
        finally:
            self.spent += time.perf_counter() - began

    def expect(self, seconds: float) -> None:
        """The next call is expected to take so long."""
        if not self.full and self.spent + seconds > PATIENCE:
            self.make_full()

    def make_full(self) -> None:
        """Change to code at full speed."""
        with self.lock:
            if not self.full:
                began = time.perf_counter()
                self.code = self.entry.code(self.wanted)
                self.full = True
                self.making += time.perf_counter() - began
