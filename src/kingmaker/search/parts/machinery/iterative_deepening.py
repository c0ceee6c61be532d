"""Iterative deepening: the search is repeated one ply deeper each time, until a limit is reached or nothing is left to
find.

The result is that of the last *finished* iteration; what an interrupted one has found so far is thrown away, for its
best move may only be the best of those that it has tried.
"""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from kingmaker.search.parts.machinery.driving import Found, Round, Run
from kingmaker.search.parts.machinery.line import read_line


def search(ready: Any, work: Any, depth: int) -> None:
    """Search the position of a workspace `depth` plies deep."""
    ready.switches.record.begun(ready.game, work)
    ready.call(work, 0, depth)


class Deepening(Run):
    """Search 1, 2, … plies deep."""

    ended = "depth"

    def __init__(self, ready: Any, work: Any, deepest: int) -> None:
        super().__init__(ready, work)
        self.deepest, self.depth = deepest, 0

    def rounds(self) -> Iterator[Round]:
        work, seconds = self.work, 0.0
        for depth in range(1, self.deepest + 1):
            work.beyond, work.tried, work.lengths[0], self.depth = 0, 0, 0, depth
            self.ready.expect(seconds * int(work.counts[0]))  # as if every position had as many moves as the root
            began = time.perf_counter()
            yield partial(search, self.ready, work, depth)
            seconds = time.perf_counter() - began

    def solved(self) -> bool:
        return not self.work.beyond

    def found(self) -> Found:
        """What the iteration left in the workspace, copied before the next begins."""
        work = self.work
        tried, (line, movers) = int(work.tried), read_line(work.lines[0, : work.lengths[0]])
        tree = work.tree[: work.recorded].copy() if hasattr(work, "tree") else None
        if tree is not None:
            tree[0]["values"] = work.values[0]
        return Found(
            line,
            movers,
            work.values[0].copy(),
            work.moves[0, :tried].copy(),
            work.root_values[:tried].copy(),
            work.root_exact[:tried].astype(bool),
            depth=self.depth,
            tree=tree,
            tree_complete=tree is not None and not work.overflow,
        )
