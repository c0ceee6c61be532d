"""A node whose moves several threads search, and what they find of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kingmaker.search.parts.machinery.line import move_of, word

COUNTERS = ("evaluations", "cuts")  # what some searches count beside nodes, if they have such a field
ORDERING = ("killers", "best")  # what the orders of moves remember of each ply, if they have such a field
GAIN = 1.2  # how many times as fast as one thread an iteration must be
LEAST, MOST = 1, 2  # what a node is expected to bring the root seat: at least, at most a value that is known


@dataclass
class Child:
    """What the threads have found of one move."""

    values: Any
    exact: bool
    line: Sequence[Any]
    nodes: int
    beyond: int

    @property
    def reply(self) -> int | None:
        """The best move after this one."""
        return int(move_of(int(self.line[0]))) if len(self.line) else None


class Node:
    """A node whose moves are divided among the threads; it is kept from one iteration to the next."""

    def __init__(self, ply: int, state: Any, listed: Sequence[int], mover: int, mine: bool) -> None:
        self.ply, self.state, self.listed = ply, state, listed  # its moves as the game lists them
        self.mover, self.mine = mover, mine  # who moves, and is that the root seat?
        self.below: dict[int, Node | None] = {}  # after the moves that were to be divided too; None: it cannot be
        self.last: dict[int, Child] = {}  # what was found of each move when it was searched last

    def begin(
        self,
        depth: int,
        own: Sequence[Any],
        first: Sequence[int | None],
        expects: int = 0,
        above: tuple["Node", int] | None = None,
    ) -> None:
        """Begin an iteration: `own` are the kernel's own arguments for this node, `first` the moves to be tried first,
        `expects` what it is expected to bring, and `above` the node above with the move that leads here.
        """
        self.depth, self.own, self.expects, self.above = depth, own, expects, above
        self.order = sorted(self.listed, key=lambda move: first.index(move) if move in first else len(first))
        self.waiting = self.order[::-1]
        self.open: dict[int, Node | None] = {}  # the moves that are being searched; a node: by several threads
        self.results: dict[int, Child] = {}
        self.over = False

    @property
    def needs_all(self) -> bool:
        """Are all of its moves expected to be searched, whatever the first is worth?"""
        return self.expects == (MOST if self.mine else LEAST)

    @property
    def expects_next(self) -> int:
        """What the move that is begun next is expected to bring: the first may bring anything."""
        if self.expects or not (self.results or self.open):
            return self.expects
        return MOST if self.mine else LEAST

    def precedes(self, move: int, other: int) -> bool:
        """Is a move, of two equal ones, perhaps the one that is taken? At the root that is the one listed first."""
        orders = (self.order,) if self.above else (self.order, self.listed)
        return any(moves.index(move) < moves.index(other) for moves in orders)

    def joined(self, move: int, exact: bool) -> Child:
        """The result of the node, of which this is the best move."""
        best, found = self.results[move], self.results.values()
        nodes, beyond = 1 + sum(child.nodes for child in found), int(any(child.beyond for child in found))
        return Child(best.values, exact, [word(self.mover, move), *best.line], nodes, beyond)


def counted_in(work: Any, teams: list[Any]) -> dict[str, Any]:
    """What the search counts beside nodes, added up over all threads, which begin to count anew."""
    totals = {}
    for name in COUNTERS:
        if hasattr(work, name):
            totals[name] = sum((getattr(team, name) for team in teams), start=getattr(work, name) + 0)
            for team in teams:
                setattr(team, name, getattr(team, name) * 0)
    return totals


def remembered(team: Any, ply: int) -> dict[str, Any]:
    """What the order of moves remembers of a ply."""
    return {name: getattr(team, name)[ply : ply + 1].copy() for name in ORDERING if hasattr(team, name)}
