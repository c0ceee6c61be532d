"""What may be asked of an agent beside the position, and how a search tells how far it has come."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Progress:
    """How far a search has come: what is known by now, and what it has cost."""

    move: int | None = None  # the best so far; None: nothing is known yet
    values: Vector | None = None  # one number a seat
    line: tuple[int, ...] = ()  # the moves expected from here on, this one first
    depth: int = 0  # plies of the last finished iteration; 0: none is finished, or the search does not go by depth
    playouts: int = 0  # matches played out; 0: the search does not play out
    nodes: int = 0  # positions that were looked at
    seconds: float = 0.0  # since the search began


Watch = Callable[[Progress], bool]  # told of progress again and again; answers whether the search is to go on


@dataclass(frozen=True)
class Ask:
    """What a caller wants of a decision beside the move; an agent that asks another agent passes it on unchanged."""

    memory: Any = None  # what the agent has learned in this match; agents that make no memory are never given one
    record: int = 0  # the most nodes of the search tree to keep; agents without a tree ignore it
    compiled: bool | None = None  # False: run the interpreted twin; None: compiled if the game compiles
    watch: Watch | None = None  # told of Progress again and again; answers whether the search is to go on
    dealt: bool = False  # True: the state is already a world, in which what its seat cannot know was dealt anew


PLAIN = Ask()  # nothing beside the move
