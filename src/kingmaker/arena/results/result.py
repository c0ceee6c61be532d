"""What is known of one match of an experiment: the row that a worker hands back and the store keeps."""

from typing import Any

import msgspec

FINISHED, UNFINISHED, FAILED = "finished", "unfinished", "failed"


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One match as it is stored."""

    number: int
    variant: int
    block: int
    seating: tuple[int, ...]
    seed: int
    status: str
    payoffs: tuple[float, ...] = ()
    moves: tuple[int, ...] = ()  # one number per seat, like the next two
    nodes: tuple[int, ...] = ()
    depths: tuple[int, ...] = ()  # sum over its moves
    fault: str = ""
    culprit: int | None = None  # the seat that failed, if it is known
    hands: tuple[Any, ...] = ()  # turns of each hand
    line: int = 0  # a hash of all these turns: equal for matches with the same moves
    starts: tuple[str, ...] = ()  # the position that each hand began with, where the game has a text for it
    ends: tuple[tuple[float, ...] | None, ...] = ()  # payoffs of each hand; None: not finished
    values: tuple[Any, ...] | None = None
    seconds: tuple[float, ...] = ()
    wall: float = 0.0
    worker: str = ""
