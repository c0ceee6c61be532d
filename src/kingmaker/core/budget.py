"""How much a search may spend: plies, nodes, seconds, or several of them at once."""

import math
from dataclasses import dataclass

from kingmaker.core.errors import BadParameter

NO_LIMIT = 2**62


@dataclass(frozen=True)
class Budget:
    """The limits of one decision; the first that is reached ends it. None is no limit."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value, least in (("depth", self.depth, 1), ("nodes", self.nodes, 1)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise BadParameter(f"expected a whole number for {name}, got {value!r}")
            if value is not None and value < least:
                raise BadParameter(f"expected a budget of at least {least} for {name}, got {value}")
        if self.seconds is not None:
            if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)):
                raise BadParameter(f"expected a number of seconds, got {self.seconds!r}")
            if not 0 < self.seconds < math.inf:
                raise BadParameter(f"expected a budget of more than 0 seconds, got {self.seconds}")

    @property
    def reproducible(self) -> bool:
        """Will the same search give the same result on another machine?"""
        return self.seconds is None


DEFAULT = Budget(seconds=1.0)  # for an agent that was given none
