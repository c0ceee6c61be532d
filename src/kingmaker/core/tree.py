"""A recorded search tree, as the search leaves it: one row a node, parents before children."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

STAND = -(2**31)  # stands for the choice to play nothing, which a seat has beyond depth 0


def node_dtype(seats: int) -> np.dtype:
    """One row of a recorded tree."""
    return np.dtype(
        [
            ("parent", np.int32),  # row of the parent, -1 at the root
            ("move", np.int32),  # the move that led here
            ("by", np.int16),  # who made it
            ("seat", np.int16),  # who is to move here: a seat, CHANCE or OVER
            ("cut", np.int16),  # 1: the later moves of this node were pruned
            ("bound", np.float64),  # by this bound of the root seat's value; not a number if by none or by several
            ("values", np.float64, (seats,)),
        ],
        align=True,
    )


@dataclass(frozen=True)
class Tree:
    """The tree of the last finished iteration, or the most visited nodes of a tree that grew by playouts."""

    nodes: np.ndarray  # [row] of node_dtype; a tree that grew by playouts has the field `visits` too
    complete: bool  # False: the search had more nodes than were kept

    def __len__(self) -> int:
        return len(self.nodes)

    def children(self, row: int) -> list[int]:
        """The rows below a row, in the order they were searched."""
        return [int(child) for child in np.flatnonzero(self.nodes["parent"] == row)]

    def path(self, line: Sequence[int], movers: Sequence[int]) -> list[int]:
        """The rows along a line of moves by these movers, as far as the record goes.

        Where a move was tried in two ways (BRS+ does so), the one whose values were backed up is taken.
        """
        rows: list[int] = []
        for step in zip(line, movers, strict=True):
            above = rows[-1] if rows else 0
            same = [row for row in self.children(above) if (self.nodes[row]["move"], self.nodes[row]["by"]) == step]
            if not same:
                break
            rows.append(
                min(same, key=lambda row: float(np.abs(self.nodes[row]["values"] - self.nodes[above]["values"]).max()))
            )
        return rows

    def nested(self, game: Any, state: Any, chosen: Sequence[int] = ()) -> dict[str, Any]:
        """The tree as nested dictionaries with moves as people write them; the chosen rows are marked."""
        below: dict[int, list[int]] = {}
        for row in range(1, len(self.nodes)):
            below.setdefault(int(self.nodes[row]["parent"]), []).append(row)
        return self._node(game, game.copy(state), 0, below, frozenset(chosen))

    def _node(
        self, game: Any, state: Any, row: int, below: dict[int, list[int]], chosen: frozenset[int]
    ) -> dict[str, Any]:
        node = self.nodes[row]
        entry: dict[str, Any] = {"seat": int(node["seat"]), "values": [float(value) for value in node["values"]]}
        if "visits" in (self.nodes.dtype.names or ()):
            entry["visits"] = int(node["visits"])
        if node["cut"]:
            entry["cut"] = True
            if not np.isnan(node["bound"]):
                entry["bound"] = float(node["bound"])
        if row in chosen:
            entry["chosen"] = True
        for child in below.get(row, ()):
            move, by = int(self.nodes[child]["move"]), int(self.nodes[child]["by"])
            after = game.copy(state)
            if move != STAND:
                with np.errstate(over="ignore"):
                    game.play(after, by, move)
            deeper = self._node(game, after, child, below, chosen)
            entry.setdefault("children", []).append(
                {"move": "–" if move == STAND else game.say(state, by, move), "by": by} | deeper
            )
        return entry
