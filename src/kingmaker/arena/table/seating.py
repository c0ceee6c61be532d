"""Seatings: which agent sits on which seat."""

from collections.abc import Iterator, Sequence
from itertools import combinations, cycle, islice, permutations, product
from math import comb, factorial, perm

from kingmaker.core.errors import BadParameter

KINDS = ("all", "rotations", "fixed")
DRAWN = ("random", "lineups")  # kinds whose order is drawn anew for every start
FILLINGS = ("compositions",)
MOST = 1_000_000  # seatings for one start


def arrangements(count: int, seats: int, kind: str = "all") -> list[tuple[int, ...]]:
    """The seatings of `count` agents, each a tuple of agent numbers by seat.

    `all`: every ordered choice of different agents; with more seats than agents, every assignment of agents to seats in
    which each agent has a seat. `rotations`: the agents in cyclic order, each once on the first seat. `fixed`: as
    given. `compositions`: every assignment, an agent on any number of seats.
    """
    if kind not in (*KINDS, *FILLINGS):
        raise BadParameter(f"expected a seating of {', '.join(KINDS)}, got '{kind}'")
    if kind == "fixed":
        if count != seats:
            raise BadParameter(f"expected {seats} agents for a fixed seating, got {count}")
        return [tuple(range(seats))]
    if kind == "rotations":
        return [tuple((first + seat) % count for seat in range(seats)) for first in range(count)]
    few_enough(perm(count, seats) if count >= seats and kind == "all" else count**seats, kind)
    if kind == "compositions":
        return list(product(range(count), repeat=seats))
    if count >= seats:
        return list(permutations(range(count), seats))
    return [filling for filling in product(range(count), repeat=seats) if len(set(filling)) == count]


def table_arrangements(table: Sequence[int], kind: str) -> list[tuple[int, ...]]:
    """The seatings of one given list of agent numbers, in which an agent may occur several times."""
    if kind == "fixed":
        return [tuple(table)]
    if kind == "rotations":
        return list(dict.fromkeys((*table[first:], *table[:first]) for first in range(len(table))))
    if kind == "all":
        few_enough(factorial(len(table)), kind)
        return sorted(set(permutations(table)))
    raise BadParameter(f"expected a seating of all, rotations, fixed or random for a line-up, got '{kind}'")


def squares(count: int, seats: int, kind: str) -> list[list[tuple[int, ...]]]:
    """The seatings of `all` or `compositions` in small groups, in each of which every agent sits on every seat once: a
    seating, and those in which every agent is replaced by the next one, the last by the first.
    """
    return [
        [tuple((agent + step) % count for agent in seating) for step in range(count)]
        for seating in arrangements(count, seats, kind)
        if seating[0] == 0
    ]


def choices(count: int, seats: int) -> list[tuple[int, ...]]:
    """Every choice of as many agents as there are seats."""
    if count < seats:
        raise BadParameter(f"expected at least {seats} agents for line-ups of {seats} seats, got {count}")
    few_enough(comb(count, seats), "lineups")
    return list(combinations(range(count), seats))


def few_enough(number: int, kind: str) -> None:
    if number > MOST:
        raise BadParameter(
            f"expected at most {MOST} seatings a start, got {number} for '{kind}'; use random, rotations or lineups"
        )


def schedule(count: int, seats: int, kind: str, games: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """`games` pairs of a start number and a seating: every seating is played from a start before the next start."""
    seatings = arrangements(count, seats, kind)
    return islice(((start // len(seatings), seating) for start, seating in enumerate(cycle(seatings))), games)


def sized(agents: Sequence[object], seats: int) -> None:
    """Refuse an empty table."""
    if not agents:
        raise BadParameter(f"expected at least one agent for {seats} seats, got none")
