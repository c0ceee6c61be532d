"""All cores for one decision: threads search the root moves of an iteration side by side.

Each thread has a workspace of its own and takes the next move that nobody has taken; machine code holds no lock,
so threads suffice. When all moves are done, the search runs once more from the root and finds what the threads left at
every child (`switches/known_children.py`), so move, values and principal variation are those of one thread.

A search without a window also looks at the same nodes. Alpha-beta looks at more: the first move is searched before the
others, and each later one with the best value known when it begins. So that no thread waits for that first move, the
moves after it are divided in the same way, and so on down the line of first moves, as long as there is enough to
search below: principal variation splitting. A thread may know the value of a move that comes later in the order; of
equal moves the first is played, so the window then stays open for a value equal to that.

    T. Marsland, M. Campbell. Parallel Search of Strongly Ordered Game Trees. Computing Surveys 14(4), 1982.
"""

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kingmaker.core.workspace import copied
from kingmaker.search.parts.machinery.divided import Child, Node, Shares, counted_in
from kingmaker.search.parts.machinery.driving import Found, Round
from kingmaker.search.parts.machinery.iterative_deepening import Deepening
from kingmaker.search.parts.switches.bounds import TIES

FEWEST = 20_000  # nodes of the iteration before, from which on threads are worth their start
WORTH = 20_000  # nodes below a first move, from which on it is divided further
AGAIN = 8  # after an iteration that did not pay, so many times its nodes are searched by one thread first
TICK = 0.001  # seconds between two looks at whether the search is to stop


class SideBySide(Deepening):
    """Search 1, 2, … plies deep, the moves of every longer iteration in several threads."""

    def __init__(self, ready: Any, work: Any, deepest: int, threads: int) -> None:
        super().__init__(ready, work, deepest)
        self.seat = int(work.root)
        self.legal = ready.game.legal(work.states[0])
        self.teams = [copied(work, ready.game) for _ in range(min(threads, len(self.legal)))]
        self.windowed = bool(getattr(ready.switches, "cuts", False))  # then the last two arguments are the window
        self.exact: dict[int, bool] = {}
        self.line: tuple[int, ...] = ()  # that the iteration before has found
        self.nodes: dict[int, int] = {}  # that each iteration looked at, by its depth
        self.fewest, self.shares = FEWEST, Shares()

    def rounds(self) -> Iterator[Round]:
        before = 0
        for once in super().rounds():
            last = self.nodes[self.depth - 1] = int(self.work.nodes) - before
            before += last
            self.exact = {}
            yield partial(self.iterate, self.depth) if last >= self.fewest and len(self.teams) > 1 else once

    def found(self) -> Found:
        found = super().found()
        for i, move in enumerate(found.moves.tolist()):
            found.root_exact[i] &= self.exact.get(move, True)
        self.line = found.line
        return found

    def iterate(self, depth: int) -> None:
        """One iteration, by all threads."""
        leader = int(self.ready.switches.order.leader(self.work))
        order = sorted(self.legal, key=lambda move: move != leader)
        self.shares = Shares()
        self.divide(Node(0, depth, self.ready.arguments, self.legal, order, True, self.line))
        if not self.shares.paid:
            self.fewest = AGAIN * self.shares.whole

    def divide(self, node: Node) -> None:
        """Search a node by all threads, and leave what one thread would leave."""
        results: dict[int, Child] = {}
        if self.windowed:
            below = self.first_below(node)
            if below:
                results[node.order[0]] = self.joint(below)
            else:
                self.together(node, node.order[:1], results)
        self.together(node, [move for move in node.order if move not in results], results)
        if not self.work.stop:
            self.put_together(node, results)

    def first_below(self, node: Node) -> Node | None:
        """The node after the first move, if it is to be divided too; its position is put one ply down in all
        workspaces. An iteration of the same depth tells about how much there is to search below it.
        """
        if self.nodes[node.depth - 1] < WORTH or not self.ready.agent.divides_below:
            return None
        game, first, ply = self.ready.game, node.order[0], node.ply + 1
        state = game.after(self.work.states[node.ply], first)
        if game.mover(state) < 0:
            return None
        for each in (self.work, *self.teams):
            each.states[ply] = state
        listed, expected = game.legal(state), node.expected[1:] if node.expected[:1] == (first,) else ()
        order = (
            listed if self.ready.agent.order == "given" else sorted(listed, key=lambda move: (move,) != expected[:1])
        )
        return Node(ply, node.depth - 1, node.own, listed, order, game.mover(state) == self.seat, expected)

    def joint(self, node: Node) -> Child:
        """The result of a node below the root that all threads search."""
        work, ply = self.work, node.ply
        nodes, beyond = int(work.nodes), int(work.beyond)
        work.beyond = 0
        self.divide(node)
        child = Child(
            work.values[ply].copy(),
            bool(node.own[-2] < work.values[ply, self.seat] < node.own[-1]),
            work.lines[ply, : work.lengths[ply]].copy(),
            int(work.nodes) - nodes,
            int(work.beyond),
        )
        work.nodes, work.beyond = nodes, beyond
        return child

    def put_together(self, node: Node, results: dict[int, Child]) -> None:
        """Search a node once more, now that the result of each of its moves is known."""
        work, counted = self.work, counted_in(self.work, self.teams)
        for i, (move, child) in enumerate(results.items()):
            work.known_moves[i], work.known_nodes[i], work.known_beyond[i] = move, child.nodes, child.beyond
            work.known_values[i] = child.values
            work.known_lengths[i] = len(child.line)
            work.known_lines[i, : len(child.line)] = child.line
            if node.ply == 0:
                self.exact[move] = child.exact
        work.known_count, work.split = len(results), node.ply
        self.ready.call(work, node.ply, node.depth, own=node.own)
        work.known_count = 0
        for name, total in counted.items():
            setattr(work, name, total)

    def together(self, node: Node, moves: list[int], results: dict[int, Child]) -> None:
        """Search these moves of a node in all threads and add what is found to `results`."""
        waiting, lock, faults = list(reversed(moves)), threading.Lock(), []

        def take_part(team: Any) -> None:
            try:
                while not team.stop:
                    with lock:
                        if not waiting or self.work.stop:
                            return
                        move = waiting.pop()
                        own = self.narrowed(node, move, results)
                    child = self.searched(team, node, move, own)
                    with lock:
                        if not team.stop:
                            results[move] = child
            except BaseException as problem:
                faults.append(problem)
                self.work.stop = self.work.stop or 1

        threads = [threading.Thread(target=take_part, args=(team,), daemon=True) for team in self.teams[: len(moves)]]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(TICK)
                self.pass_on_stop()
        self.pass_on_stop()
        if faults:
            raise faults[0]
        self.shares.add([results[move].nodes for move in moves if move in results], len(self.teams))

    def pass_on_stop(self) -> None:
        """When one workspace is told to stop, all are."""
        whole = [self.work, *self.teams]
        stopped = next((each for each in whole if each.stop), None)
        if stopped is not None:
            self.work.fault, self.work.most = stopped.fault, stopped.most
            for each in whole:
                each.stop = stopped.stop

    def narrowed(self, node: Node, move: int, results: dict[int, Child]) -> Sequence[Any]:
        """The kernel's own arguments for one move: the window is narrowed by what is known of the others."""
        if not self.windowed:
            return node.own
        low, high = node.own[-2:]
        for other, child in results.items():
            value = float(child.values[self.seat])
            tied = self.ready.agent.last_of_equals or node.precedes(move, other)
            margin = TIES * self.ready.switches.rounding.margin(value) if tied else 0.0
            low, high = (max(low, value - margin), high) if node.mine else (low, min(high, value + margin))
        return (*node.own[:-2], low, high)

    def searched(self, team: Any, node: Node, move: int, own: Sequence[Any]) -> Child:
        """The result of one move of a node."""
        ply = node.ply
        team.nodes, team.beyond, team.tried, team.lengths[ply], team.split, team.only = 0, 0, 0, 0, ply, move + 1
        self.ready.call(team, ply, node.depth, own=own)
        inside = ply > 0 and bool(own[-2] < team.values[ply, self.seat] < own[-1])
        return Child(
            team.values[ply].copy() if ply else team.root_values[0].copy(),
            inside if ply else bool(team.root_exact[0]),
            team.lines[ply, 1 : team.lengths[ply]].copy(),
            int(team.nodes) - 1,
            int(team.beyond),
        )
