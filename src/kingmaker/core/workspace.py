"""The memory of one search: a single record when compiled, a plain object with the same fields when interpreted."""

import math
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.rng import RNG
from kingmaker.core.wide_records import wide, zeros

Field = tuple[str, Any, tuple[int, ...]]  # name, dtype, shape
CALLS = 16  # the most nested Python calls that one ply of the interpreted twin may take
LARGE = 4 * 2**20  # bytes; a workspace that would take more has no more plies than its search needs
SHORTEST = 64  # plies of the smallest workspace; each longer one is twice as long, so few are ever compiled


def plies_for(depth: int, dice: bool = False, bytes_a_ply: int = 0) -> int:
    """How many plies a workspace needs for a search of this depth; fewer where a ply takes much memory.

    A chance node takes a ply but no depth, so with dice there is room for one chance node for every move. Where more of
    them follow each other, a search stops sooner.
    """
    plies = SHORTEST
    while plies > 4 and plies * bytes_a_ply > LARGE:
        plies //= 2
    while plies < (2 * depth if dice else depth) + 2:
        plies *= 2
    return plies


def run_fields(game: Any, plies: int, width: int) -> list[Field]:
    """The fields that every workspace has, of a search or not; up to `width` moves are listed at a ply."""
    return [
        ("nodes", np.int64, ()),
        ("limit", np.int64, ()),  # the most nodes to visit
        ("stop", np.int64, ()),  # set from outside or at the limit: unwind at once
        ("fault", np.int64, ()),  # how many moves a faulty game listed
        ("most", np.int64, ()),  # how many moves that game may list
        ("root", np.int64, ()),  # the seat that searches
        ("rng", RNG, ()),
        ("moves", np.int32, (plies, width)),
        # the probabilities of outcomes; `node.rolled` turns them into shares in a search
        ("odds", np.float64, (plies, max(1, game.max_outcomes))),
        ("values", np.float64, (plies, game.seats)),
    ]


class States(list[Any]):
    """A stack of object states that copies what is put on it, as a stack of records does."""

    def __init__(self, game: Any, plies: int) -> None:
        super().__init__(game.blank() for _ in range(plies))
        self.game = game

    def __setitem__(self, ply: Any, state: Any) -> None:
        super().__setitem__(ply, self.game.copy(state))


class RecordWorkspace:
    """The workspace of a compiled search: `record` is what the kernel gets, the attributes are views of it for
    Python.
    """

    def __init__(self, kind: np.dtype) -> None:
        memory = np.zeros(1, kind)
        self.__dict__.update(memory=memory, record=memory[0])

    def __getattr__(self, name: str) -> Any:
        try:
            value = self.memory[name][0]
        except ValueError:
            raise AttributeError(name) from None
        if not isinstance(value, (np.ndarray, np.void)):
            return value.item()
        if value.dtype.names:
            value = value.view(wide(value.dtype))
        self.__dict__[name] = value  # keep the view, so that it is made only once
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self.memory[name][0] = value


class ObjectWorkspace:
    """The workspace of the interpreted twin: a plain object with the same fields."""

    def __init__(self, game: Any, plies: int, fields: Iterable[Field]) -> None:
        for name, kind, shape in fields:
            made = zeros(shape or (1,), kind)
            setattr(self, name, made if shape else made[0])
        self.states = States(game, plies)
        self.record = self


def copied(work: Any, game: Any) -> Any:
    """A workspace of its own that holds the same as another."""
    if isinstance(work, RecordWorkspace):
        made: Any = RecordWorkspace(work.memory.dtype)
        made.memory[:] = work.memory
        return made
    made = object.__new__(ObjectWorkspace)
    for name, value in vars(work).items():
        if name not in ("states", "record"):
            setattr(made, name, value.copy() if hasattr(value, "copy") else value)
    made.states, made.record = States(game, len(work.states)), made
    made.states[0] = work.states[0]
    return made


def bytes_for(game: Any, extra: Iterable[Field], plies: int, width: int) -> int:
    """How many bytes a workspace with these fields takes, about; asked before it is made."""
    fields = (*run_fields(game, plies, width), *extra, ("states", game.State if game.has_records else object, (plies,)))
    return sum(np.dtype(kind).itemsize * math.prod(shape) for _, kind, shape in fields)


def workspaces(
    game: Any, extra: Iterable[Field], plies: int, width: int, compiled: bool
) -> tuple[Callable[[], Any], int]:
    """A function that makes new workspaces with the common fields and `extra` ones, and the bytes that one takes."""
    fields = (*run_fields(game, plies, width), *extra)
    kind = np.dtype([*fields, *([("states", game.State, (plies,))] if game.has_records else [])], align=True)
    make: Any = partial(RecordWorkspace, kind) if compiled else partial(ObjectWorkspace, game, plies, fields)

    def fresh() -> Any:
        if not compiled:
            sys.setrecursionlimit(max(sys.getrecursionlimit(), CALLS * plies))
        work: Any = make()
        work.limit = NO_LIMIT
        return work

    return fresh, kind.itemsize


def workspace(game: Any, plies: int, extra: Iterable[Field], compiled: bool) -> Any:
    """One workspace."""
    return workspaces(game, extra, plies, max(game.max_moves, game.max_outcomes), compiled)[0]()
