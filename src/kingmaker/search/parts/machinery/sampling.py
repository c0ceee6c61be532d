"""Searches that sample: playout after playout, each of which tells a little more about one root move.

Unlike an interrupted iteration of a depth-first search, an interrupted round of playouts is valid: whatever ends the
search, the means so far are its result.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.workspace import Field
from kingmaker.search.parts.machinery.driving import QUICK, Found, Round, Run, interruptible
from kingmaker.search.parts.machinery.leaf import end
from kingmaker.search.parts.machinery.prepared import Prepared
from kingmaker.search.parts.machinery.search import Search

BATCH = 256  # playouts of the first round, after which `watch` is called
SHORT = 0.1  # seconds; a round that took less is followed by one of twice as many playouts
LONGEST = 100_000  # turns of a playout


@kernel
def play_out(game, estimate, work, ply):
    """Play work.states[ply] to its end by random moves; leave what every seat gets in work.values[ply].

    A match that has not ended after LONGEST turns is worth the estimate of its last position.
    """
    state = work.states[ply]
    for _ in range(LONGEST):
        seat = game.mover(state)
        if seat == OVER:
            end(game, estimate, state, work.values[ply])
            return
        move = game.roll(state, work.rng) if seat == CHANCE else game.any_move(state, seat, work.rng, work.moves[ply])
        game.play(state, seat, move)
    estimate.value(game, state, work.values[ply])


@kernel
def credit(game, work, i, ply):
    """Count a playout that began with the i-th root move and brought work.values[ply]."""
    work.playouts += 1
    work.visits[i] += 1
    for seat in range(game.seats):
        work.sums[i, seat] += work.values[ply, seat]


@dataclass(frozen=True, kw_only=True)
class Sampler(Search):
    """A search whose kernel plays out as many matches as its last argument says, and credits each to a root move."""

    playouts: int | None = None  # at most so many playouts
    nodes: int | None = None  # at most so many nodes
    seconds: float | None = None  # at most so long
    one_world: bool = False  # in a game with hidden information: deal anew what is hidden, once, and search that

    def room(self, game: Game, switches: Any) -> tuple[list[Field], int, int]:
        width = max(game.max_moves, game.max_outcomes)
        fields: list[Field] = [
            ("playouts", np.int64, ()),
            ("count", np.int64, ()),  # root moves
            ("visits", np.int64, (width,)),  # playouts of each root move
            ("sums", np.float64, (width, game.seats)),  # of what they brought
        ]
        return fields, 2, width

    def run(self, ready: Prepared, work: Any) -> Run:
        with np.errstate(over="ignore"):
            work.count = ready.game.moves(work.states[0], work.root, work.moves[0])
        return Playouts(ready, work, self.budget.playouts or NO_LIMIT, self)

    def best(self, work: Any) -> int:
        """Which root move to play; by default the one with the best mean."""
        return int(means(work)[:, int(work.root)].argmax())


def batches(run: Run, left: Callable[[], int], size: int = BATCH) -> Iterator[int]:
    """The playouts of each round while some are left; `size` is the first one's, if rounds are short.

    Every round in a thread waits for a core, which takes milliseconds on a busy machine. So rounds that are watched
    grow until they are long beside that, and where nobody watches one round is enough: it can be stopped at any time
    if it has a thread, which it has after a moment. A thread that is not the main one does all in one round at once:
    between two rounds it would wait for Python's global lock, while others run.
    """
    began = time.perf_counter()
    while (rest := left()) > 0:
        last, alone = time.perf_counter(), not run.watched
        if alone and (run.threaded or last - began > QUICK or not interruptible()):
            size = rest
        yield min(size, rest)
        if alone or time.perf_counter() - last < SHORT:
            size *= 2


class Playouts(Run):
    """A search by playouts, in rounds that grow."""

    ended = "playouts"
    keeps_unfinished = True

    def __init__(self, ready: Prepared, work: Any, most: int, sampler: Sampler) -> None:
        super().__init__(ready, work)
        self.most, self.sampler = most, sampler

    def rounds(self) -> Iterator[Round]:
        for count in batches(self, lambda: self.most - int(self.work.playouts)):
            yield partial(self.ready.call, self.work, count)

    def found(self) -> Found:
        work, count = self.work, int(self.work.count)
        best, values = self.sampler.best(work), means(work)
        return Found(
            (int(work.moves[0, best]),),
            (int(work.root),),
            values[best],
            work.moves[0, :count].copy(),
            values,
            np.ones(count, bool),
            playouts=int(work.playouts),
        )


def means(work: Any) -> np.ndarray:
    """[root move, seat]: what playouts brought on average; a move without any is the worst."""
    count = int(work.count)
    visits = np.asarray(work.visits[:count])[:, None]
    worst = np.full((count, 1), -np.finfo(np.float64).max)
    found: np.ndarray = np.where(visits > 0, np.asarray(work.sums[:count]) / np.maximum(visits, 1), worst)
    return found
