"""What an agent hands back: the move, and why."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from kingmaker.core.tree import Tree

Vector = tuple[float, ...]
BOLD = ' style="font-weight:bold"'


class RootMove(NamedTuple):
    """One move at the root and what the search found of it."""

    move: int
    values: Vector | None  # one number a seat; None: not looked at
    exact: bool  # False: a bound, the search only proved that the move is no better than the one it plays


@dataclass(frozen=True)
class Decision:
    """A move with all that led to it."""

    move: int  # what the agent plays
    values: Vector | None  # what the move is worth, one number a seat; None: the agent does not look ahead
    moves: tuple[RootMove, ...]  # every legal move in the order of the game: `move`, `values`, `exact`
    line: tuple[int, ...]  # the moves expected from here on, this one first; `movers` says who makes them
    nodes: int  # positions that were looked at
    depth: int  # plies of the last finished iteration; 0: not even one ply was finished
    seconds: float  # the time that the search took, without compiling
    stopped: str  # what ended the search: depth, nodes, seconds, solved, won or asked
    notes: dict[str, Any] = field(default_factory=dict)  # results that only this algorithm has
    tree: Tree | None = None  # the recorded tree, if one was asked for
    playouts: int = 0  # matches that were played out; 0 in a search that plays none
    bytes: int = 0  # the bytes of memory that the search took
    movers: tuple[int, ...] = ()  # the seat that makes each move of the line; empty: the seats move in turn

    def value_of(self, move: int) -> Vector | None:
        """The values that the search found for a legal move; None if it was not looked at."""
        return next((entry.values for entry in self.moves if entry.move == move), None)

    def _repr_html_(self) -> str:
        """The root moves as a table for notebooks, by their numbers; `root_table` in `kingmaker.draw.words` has their
        words.
        """
        rows = "".join(
            f"<tr{BOLD if each.move == self.move else ''}><td>{each.move}</td>"
            f"<td>{'' if each.exact else '≤ '}{told(each.values)}</td></tr>"
            for each in self.moves
        )
        spent = f"depth {self.depth}, {self.nodes} nodes, {self.seconds:.2f} s, ended by {self.stopped}"
        heads = "<tr><th>move</th><th>values per seat</th></tr>"
        return f"<table><caption>plays {self.move}: {spent}</caption>{heads}{rows}</table>"


def told(values: Vector | None) -> str:
    return "–" if values is None else "  ".join(f"{value:.4g}" for value in values)


def vector(values: np.ndarray) -> Vector:
    """A row of the workspace as a tuple of plain Python numbers."""
    return tuple(values.tolist())
