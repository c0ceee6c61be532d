"""A node whose moves several threads search, and what they find of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Child:
    """What the threads have found of one move."""

    values: Any
    exact: bool
    line: Any
    nodes: int
    beyond: int


@dataclass
class Node:
    """A node whose moves are divided among the threads, with the kernel's own arguments for it."""

    ply: int
    depth: int
    own: Sequence[Any]
    listed: list[int]  # its moves as the game lists them
    order: list[int]  # and in the order of the search, as far as it matters: which of two is first
    mine: bool  # does the root seat move?
    expected: tuple[int, ...]  # the line that the iteration before has found from here on

    def precedes(self, move: int, other: int) -> bool:
        """Is a move, of two equal ones, perhaps the one that is taken?"""
        return any(moves.index(move) < moves.index(other) for moves in (self.order, self.listed))
