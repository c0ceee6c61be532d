"""All cores for one decision: threads search the moves of an iteration side by side.

Each thread has a workspace of its own and takes the next move that nobody has taken; machine code holds no lock,
so threads suffice. When all root moves are done, the search runs once more from the root and finds what the threads
left at every child (`switches/known_children.py`), so move, values and principal variation are those of one thread.

A search without a window also looks at the same nodes. Alpha-beta looks at others: in what order its moves are searched
and which of them are divided among the threads again, many plies down, is told in `young_brothers.py`.
"""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

from kingmaker.core.workspace import copied
from kingmaker.search.parts.machinery.divided import GAIN, Child, Node, counted_in, remembered
from kingmaker.search.parts.machinery.driving import Found, Round
from kingmaker.search.parts.machinery.iterative_deepening import Deepening
from kingmaker.search.parts.machinery.young_brothers import Task, YoungBrothers, needless

FEWEST = 20_000  # nodes of the iteration before, from which on threads are worth their start
AGAIN = 8  # after an iteration that did not pay, so many times its nodes are searched by one thread first
NEEDLESS = 5  # why the workspace of a thread was stopped: the result of its move is not needed any more


class SideBySide(Deepening):
    """Search 1, 2, … plies deep, the moves of every longer iteration in several threads."""

    def __init__(self, ready: Any, work: Any, deepest: int, threads: int) -> None:
        super().__init__(ready, work, deepest)
        self.seat, self.threads = int(work.root), threads
        self.teams: list[Any] = []  # the workspaces of the threads, made when they are needed
        self.scout: Any = None  # one more, to look at a move before it is divided
        self.root = Node(0, work.states[0], ready.game.legal(work.states[0]), self.seat, True)
        self.brothers = YoungBrothers(ready, self.root, self.look)
        self.turn = threading.Condition()  # whoever has it may take a move or leave a result
        self.tasks: dict[int, Task] = {}  # what each thread is searching
        self.shares: list[int] = []  # how many nodes each thread has searched
        self.faults: list[BaseException] = []
        self.exact: dict[int, bool] = {}
        self.fewest = FEWEST

    def rounds(self) -> Iterator[Round]:
        before = 0
        for once in super().rounds():
            last = self.brothers.nodes[self.depth - 1] = int(self.work.nodes) - before
            before += last
            self.exact = {}
            several = last >= self.fewest and (self.brothers.deep or len(self.root.listed) > 1)
            yield partial(self.iterate, self.depth) if several else once

    def found(self) -> Found:
        found = super().found()
        for i, move in enumerate(found.moves.tolist()):
            found.root_exact[i] &= self.exact.get(move, True)
        self.brothers.expected = found.line
        return found

    def halt(self, why: int) -> None:
        """When the search is told to stop, all threads are."""
        for each in (self.work, *self.teams):
            each.stop = why

    def iterate(self, depth: int) -> None:
        """One iteration, by all threads; the calling thread is one of them.

        Where only root moves are divided and one of them takes nearly all nodes, the others wait for it. An iteration
        in which that was so is followed by iterations of one thread, until they are much longer.
        """
        if not self.teams:
            self.teams = [copied(self.work, self.ready.game) for _ in range(self.threads)]
            counted_in(self.work, self.teams)  # what was counted so far is counted once
        self.shares = [0] * self.threads
        self.brothers.begin(depth, int(self.ready.switches.order.leader(self.work)))
        first = self.brothers.task(self.root)
        threads = [threading.Thread(target=self.take_part, args=(i,), daemon=True) for i in range(1, self.threads)]
        for thread in threads:
            thread.start()
        self.take_part(0, first)
        for thread in threads:
            thread.join()
        if self.faults:
            raise self.faults[0]
        if not self.work.stop:
            self.put_together(depth)
        if not self.brothers.deep and sum(self.shares) < GAIN * max(self.shares):
            self.fewest = AGAIN * sum(self.shares)

    def take_part(self, i: int, task: Task | None = None) -> None:
        """What one thread does in an iteration: search one move after the other, until the root is known."""
        try:
            with self.turn:
                while not (self.root.over or self.work.stop):
                    task = task or self.brothers.task(self.root)
                    if not task:
                        self.turn.wait()
                        continue
                    self.tasks[i] = task
                    self.turn.release()
                    try:
                        child = self.searched(self.teams[i], *task)
                    finally:
                        self.turn.acquire()
                    self.leave(i, child)
                    task = None
        except BaseException as problem:
            self.faults.append(problem)
            self.halt(NEEDLESS)
        with self.turn:
            self.turn.notify_all()

    def leave(self, i: int, child: Child) -> None:
        """Leave what the i-th thread has found, and stop the threads whose results are not needed any more."""
        team, (node, move, _) = self.teams[i], self.tasks.pop(i)
        self.shares[i] += child.nodes
        if needless(node):
            self.work.nodes += child.nodes
            team.stop = 0  # if the whole search was stopped meanwhile, self.work still tells so
        elif team.stop:
            self.work.fault, self.work.most = team.fault, team.most
            self.halt(team.stop)
        else:
            self.brothers.found(node, move, child)
            for other, task in self.tasks.items():
                if needless(task[0]):
                    self.teams[other].stop = NEEDLESS
        self.turn.notify_all()

    def put_together(self, depth: int) -> None:
        """Search the root once more, now that the result of each of its moves is known."""
        work, counted = self.work, counted_in(self.work, self.teams)
        for i, (move, child) in enumerate(self.root.results.items()):
            work.known_moves[i], work.known_nodes[i], work.known_beyond[i] = move, child.nodes, child.beyond
            work.known_values[i] = child.values
            work.known_lengths[i] = len(child.line)
            work.known_lines[i, : len(child.line)] = child.line
            self.exact[move] = child.exact
        work.known_count = len(self.root.results)
        self.ready.call(work, 0, depth)
        work.known_count = 0
        for name, total in counted.items():
            setattr(work, name, total)

    def searched(self, team: Any, node: Node, move: int, own: Any, depth: int = 0) -> Child:
        """The result of one move of a node, searched as deep as the node or so deep."""
        ply, before = node.ply, remembered(team, node.ply)
        team.states[ply] = node.state
        team.nodes, team.beyond, team.tried, team.lengths[ply], team.split, team.only = 0, 0, 0, 0, ply, move + 1
        self.ready.call(team, ply, depth or node.depth, own=own)
        for name, kept in before.items():
            getattr(team, name)[ply : ply + 1] = kept  # a move that is searched alone is always the best
        inside = ply > 0 and bool(own[-2] < team.values[ply, self.seat] < own[-1])
        return Child(
            team.values[ply].copy() if ply else team.root_values[0].copy(),
            inside if ply else bool(team.root_exact[0]),
            team.lines[ply, 1 : team.lengths[ply]].copy(),
            int(team.nodes) - 1,
            int(team.beyond),
        )

    def look(self, node: Node, move: int) -> tuple[Any, list[int]]:
        """The position after a move of a node and the moves there, found by a search of two plies; none at a leaf."""
        self.scout = self.scout or copied(self.work, self.ready.game)
        scout, ply = self.scout, node.ply + 1
        leaf = self.searched(scout, node, move, self.ready.arguments, 2).nodes < 2
        return self.ready.game.copy(scout.states[ply]), [] if leaf else scout.moves[ply, : scout.counts[ply]].tolist()
