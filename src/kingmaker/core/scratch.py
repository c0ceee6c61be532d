"""Working memory inside a kernel, without allocating: words on the stack."""

from typing import Any

import numpy as np

from kingmaker.core.wide_records import WideArray


def scratch(count: int) -> Any:
    """An array of `count` unsigned 64-bit words whose content is undefined; `count` must be a constant of the module.

    Compiled it lies on the stack and is gone when the function returns, so it must not be returned or kept.
    """
    return np.zeros(count, np.uint64)


def scratch_floats(count: int) -> Any:
    """An array of `count` floating-point numbers, under the same conditions as `scratch`."""
    return np.zeros(count, np.float64).view(WideArray)


def scratch_events(game: Any) -> Any:
    """The same for the numbers of all chance events that a game may list."""
    return np.zeros(max(1, game.max_outcomes), np.int32).view(WideArray)


def scratch_odds(game: Any) -> Any:
    """The same for their probabilities."""
    return np.zeros(max(1, game.max_outcomes), np.float64).view(WideArray)
