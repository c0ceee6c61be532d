"""How much a search may spend: plies, nodes, playouts, seconds, or several of them at once."""

from dataclasses import dataclass

from kingmaker.core.errors import BadParameter
from kingmaker.core.parameters import shown

NO_LIMIT = 2**62
MOST_SECONDS = 10**9  # about thirty years; a clock of 64 bits in nanoseconds overflows after about three hundred
MOST_PLIES = 1000  # the largest depth of a search; each ply takes room in memory and on the stack


@dataclass(frozen=True)
class Budget:
    """The limits of one decision; the first that is reached ends it. None is no limit."""

    depth: int | None = None  # plies
    nodes: int | None = None  # positions to look at
    seconds: float | None = None  # of the clock
    playouts: int | None = None  # matches played out, in searches that play them

    def __post_init__(self) -> None:
        limits = {"depth": MOST_PLIES, "nodes": NO_LIMIT, "playouts": NO_LIMIT}
        for name, value, most in ((name, getattr(self, name), most) for name, most in limits.items()):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise BadParameter(f"expected a whole number for {name}, got {value!r}")
            if value is not None and value < 1:
                raise BadParameter(f"expected a budget of at least 1 for {name}, got {value}")
            self.keep_below(name, value, most)
        if self.seconds is not None:
            if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)):
                raise BadParameter(f"expected a number of seconds, got {self.seconds!r}")
            if not self.seconds > 0:
                raise BadParameter(f"expected a budget of more than 0 seconds, got {self.seconds}")
            self.keep_below("seconds", self.seconds, MOST_SECONDS)

    def keep_below(self, name: str, value: float | None, most: int) -> None:
        """Refuse a limit that is higher than `most`."""
        if value is not None and value > most:
            raise BadParameter(
                f"expected a budget of at most {most} for {name}, got {shown(value)}; leave it out for no limit"
            )

    @property
    def reproducible(self) -> bool:
        """Will the same search give the same result on another machine?"""
        return self.seconds is None


DEFAULT = Budget(seconds=1.0)  # the budget of an agent that was given none
