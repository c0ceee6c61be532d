"""Which move a thread searches next: the young brothers wait.

Alpha-beta cuts most where the first move of a node is known before the others begin. So the first move of a node is
searched alone, and divided further if there is much to search below it; then its brothers are searched side by side.
Once a value of the root is known, most other nodes are only to be shown to be no better, and there the brothers need
not wait: where the root seat is expected to get at least a known value, every reply of the others has to be searched
anyway, and where it is expected to get no more, every move of its own.

    R. Feldmann, P. Mysliwietz, B. Monien. Studying Overheads in Massively Parallel Min/Max-Tree Evaluation. SPAA 1994.

A thread may know the value of a move that comes later in the order; of equal moves the first is played, so the window
then stays open for a value equal to that.
"""

from collections.abc import Callable, Sequence
from typing import Any

from kingmaker.search.parts.machinery.divided import Child, Node
from kingmaker.search.parts.switches.bounds import TIES

WORTH = 20_000  # nodes below a move, from which on it is divided further
PARTS = 500  # a move with less than this part of an iteration's nodes is not divided further

Task = tuple[Node, int, Sequence[Any]]  # a move of a node, with the kernel's own arguments for it


class YoungBrothers:
    """The moves of an iteration that wait to be searched, and what was found of the others."""

    def __init__(self, ready: Any, root: Node, look: Callable[[Node, int], tuple[Any, list[int]]]) -> None:
        self.ready, self.root, self.seat = ready, root, root.mover
        self.look = look  # the position after a move, and its moves in the order of the search; none at a leaf
        self.windowed = bool(getattr(ready.switches, "cuts", False))  # then the last two arguments are the window
        self.deep = bool(ready.agent.divides_below)
        self.lately: dict[int, Child] = {}  # what was found last of a move to each ply
        self.expected: tuple[int, ...] = ()  # the line that the iteration before has found
        self.nodes: dict[int, int] = {}  # that each iteration looked at, by its depth

    def begin(self, depth: int, leader: int) -> None:
        """Begin an iteration, in which one root move leads."""
        last, before = self.nodes[depth - 1], self.nodes.get(depth - 2, 0)
        self.growth = max(1.0, last / before) if before else 1.0
        self.worth = max(WORTH, self.growth * last / PARTS)
        self.root.begin(depth, self.ready.arguments, (leader,))

    def task(self, node: Node) -> Task | None:
        """The next move to be searched at a node or below it; None: what is left has to wait."""
        for below in node.open.values():
            task = self.task(below) if below else None
            if task:
                return task
        if not node.waiting or (node.open and not node.results and self.windowed and not node.needs_all):
            return None
        move, expects = node.waiting.pop(), node.expects_next
        own, worth = self.narrowed(node, move), self.size(node, move, expects) >= self.worth
        below = node.open[move] = self.divided(node, move) if worth else None
        if not below:
            return node, move, own
        below.begin(node.depth - 1, own, self.first(node, move, not expects), expects, (node, move))
        return self.task(below)

    def size(self, node: Node, move: int, expects: int) -> float:
        """About how many nodes there are to search below a move: so many as when it was searched last, and more by as
        much as iterations grow; at a first move after nothing but first moves, as in an iteration of the same depth.
        """
        if move in node.last:
            return self.growth * node.last[move].nodes
        return 0.0 if expects else float(self.nodes[node.depth - 1])

    def divided(self, node: Node, move: int) -> Node | None:
        """The node after a move, if that is to be divided too: if it has moves, and a seat chooses among them."""
        if node.depth < 2 or not self.deep:
            return None
        if move not in node.below:
            state, moves = self.look(node, move)
            mover = int(self.ready.game.mover(state))
            many = moves and mover >= 0
            node.below[move] = Node(node.ply + 1, state, moves, mover, mover == self.seat) if many else None
        return node.below[move]

    def first(self, node: Node, move: int, leads: bool) -> Sequence[int | None]:
        """The replies to a move of a node that are to be tried first; `leads`: all moves so far were the first ones."""
        if self.ready.agent.order == "given":
            return ()
        ply = node.ply + 1
        expected = self.expected[ply : ply + 1] if leads else ()
        return (*expected, *(child.reply for child in (node.last.get(move), self.lately.get(ply)) if child))

    def narrowed(self, node: Node, move: int) -> Sequence[Any]:
        """The kernel's own arguments for one move: the window is narrowed by what is known of the others."""
        if not self.windowed:
            return node.own
        low, high = node.own[-2:]
        for other, child in node.results.items():
            value = float(child.values[self.seat])
            tied = self.ready.agent.last_of_equals or node.precedes(move, other)
            margin = TIES * self.ready.switches.rounding.margin(value) if tied else 0.0
            low, high = (max(low, value - margin), high) if node.mine else (low, min(high, value + margin))
        return (*node.own[:-2], low, high)

    def found(self, node: Node, move: int, child: Child) -> None:
        """Take the result of one move, and with it perhaps that of the node, and so on up to the root."""
        node.results[move] = node.last[move] = self.lately[node.ply + 1] = child
        node.open.pop(move)
        value = child.values[self.seat]
        cut = node.above and (value >= node.own[-1] if node.mine else value <= node.own[-2])
        node.over = bool(cut) or not (node.waiting or node.open)
        if node.over and node.above:
            best = self.best(node)
            value = node.results[best].values[self.seat]
            self.found(*node.above, node.joined(best, bool(node.own[-2] < value < node.own[-1])))

    def best(self, node: Node) -> int:
        """The best move of those that were searched, of equal ones the first in the order of the search."""
        rounding = self.ready.switches.rounding
        passes = rounding.above if node.mine else rounding.below
        best, *others = (move for move in node.order if move in node.results)
        for move in others:
            if passes(node.results[move].values[self.seat], node.results[best].values[self.seat]):
                best = move
        return best


def needless(node: Node) -> bool:
    """Is the result of a node known already, or that of a node above it?"""
    return node.over or bool(node.above and needless(node.above[0]))
