"""A node whose moves several threads search, and what they find of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

COUNTERS = ("evaluations", "cuts")  # what some searches count beside nodes, if they have such a field
GAIN = 1.2  # how many times as fast as one thread an iteration must be


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


@dataclass
class Shares:
    """How evenly the nodes of an iteration were divided among the threads.

    Where a position has two or three moves and one of them takes nearly all the nodes, the others wait for it. An
    iteration in which that was so is followed by iterations of one thread, until they are much longer.
    """

    whole: int = 0  # nodes of all threads
    longest: float = 0.0  # of these, so many at least had to be searched one after the other

    def add(self, nodes: list[int], threads: int) -> None:
        """Count moves of so many nodes each, which the threads have searched side by side."""
        self.whole += sum(nodes)
        self.longest += max(max(nodes, default=0), sum(nodes) / threads)

    @property
    def paid(self) -> bool:
        """Was the iteration fast enough, by its nodes, for the next to be divided too?"""
        return self.whole >= GAIN * self.longest


def counted_in(work: Any, teams: list[Any]) -> dict[str, Any]:
    """What the search counts beside nodes, added up over all threads, which begin to count anew."""
    totals = {}
    for name in COUNTERS:
        if hasattr(work, name):
            totals[name] = sum((getattr(team, name) for team in teams), start=getattr(work, name) + 0)
            for team in teams:
                setattr(team, name, getattr(team, name) * 0)
    return totals
