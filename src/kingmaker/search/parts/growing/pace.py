"""In which portions worlds are searched: long enough that their start costs little, short enough for a clock."""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

from kingmaker.search.parts.machinery.driving import LATE, in_a_thread, interruptible

SLICE = 0.02  # seconds that a portion of several worlds may take, about


class Pace:
    """How many worlds to search next, by the time that those before have taken."""

    def __init__(self, deals, together, threads, seconds):
        self.deals, self.together, self.threads, self.seconds = deals, together, threads, seconds
        self.started, self.begun, self.ended = time.perf_counter(), 0, 0

    @property
    def spent(self):
        return time.perf_counter() - self.started

    @property
    def mean(self):
        """Seconds from the end of one world to the end of the next; 0 if none has ended."""
        return self.spent / self.ended if self.ended else 0.0

    def next(self):
        """How many worlds to search in the next portion; 0: there are no more, or another would end too late."""
        mean, left = self.mean, self.deals - self.begun
        if not left or not mean:
            return int(left > 0 and (self.seconds is None or self.begun < self.threads))
        many = min(self.together, int(SLICE / mean), left if self.threads == 1 else left // (2 * self.threads))
        if self.seconds is None:
            return max(many, 1)
        waiting = self.begun - self.ended + self.threads - 1  # it waits for these, and others may run beside it
        in_time = int((self.seconds - self.spent) / mean + 1e-9) - waiting
        return max(min(max(many, 1), in_time), 0)


def in_turn(worlds, pace):
    """What is said in the worlds, in their order, portion by portion as `pace` wants them. Each thread has the next
    portion waiting, so that none is idle while the first in turn takes long.
    """
    if pace.threads == 1:
        yield from alone(worlds, pace)
        return
    with ThreadPoolExecutor(pace.threads) as pool:
        try:
            begun = deque()
            while True:
                many = pace.next() if len(begun) < 2 * pace.threads else 0
                if many:
                    begun.append(pool.submit(worlds.search, pace.begun, pace.begun + many))
                    pace.begun += many
                elif begun:
                    found = begun.popleft().result()
                    pace.ended += len(found)
                    yield from found
                else:
                    return
        finally:
            worlds.halt(LATE)
            pool.shutdown(cancel_futures=True)


def alone(worlds, pace):
    """The same without threads; a portion that may take long has one, so that Ctrl-C can stop it."""
    while many := pace.next():
        first, found = pace.begun, []
        once = partial(add_to, found, worlds.search, first, first + many)
        if worlds.can_halt and not 0 < pace.mean * many < 2 * SLICE and interruptible():
            in_a_thread(once, SimpleNamespace(stop=0), None, None, worlds.halt)
        else:
            once()
        pace.begun = pace.ended = first + many
        yield from found


def add_to(found, search, first, last):
    found += search(first, last)
