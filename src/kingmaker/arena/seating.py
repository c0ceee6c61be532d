"""Who sits where."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice, permutations, product

from kingmaker.core.errors import BadParameter

KINDS = ("all", "rotations", "fixed")


def arrangements(count: int, seats: int, kind: str = "all") -> list[tuple[int, ...]]:
    """The seatings of `count` agents, each a tuple of agent numbers by seat.

    `all`: every order of every choice of agents; where there are more seats than agents, every filling that uses each of them.
    `rotations`: the agents in turn, each once first. `fixed`: as given.
    """
    if kind not in KINDS:
        raise BadParameter(f"expected a seating of {', '.join(KINDS)}, got '{kind}'")
    if kind == "fixed":
        if count != seats:
            raise BadParameter(f"expected {seats} agents for a fixed seating, got {count}")
        return [tuple(range(seats))]
    if kind == "rotations":
        return [tuple((first + seat) % count for seat in range(seats)) for first in range(count)]
    if count >= seats:
        return list(permutations(range(count), seats))
    return [filling for filling in product(range(count), repeat=seats) if len(set(filling)) == count]


def schedule(count: int, seats: int, kind: str, games: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """`games` pairs of a start number and a seating: every seating plays a start before the next start comes."""
    seatings = arrangements(count, seats, kind)
    return islice(((start // len(seatings), seating) for start, seating in enumerate(cycle(seatings))), games)


def sized(agents: Sequence[object], seats: int) -> None:
    """Refuse an empty table."""
    if not agents:
        raise BadParameter(f"expected at least one agent for {seats} seats, got none")
