"""The memory of one search: a single record when compiled, a plain object with the same fields when interpreted."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.rng import RNG
from kingmaker.core.wide_records import wide, zeros

Field = tuple[str, Any, tuple[int, ...]]  # name, dtype, shape
CALLS = 16  # of Python functions inside each other that one ply of the interpreted twin may take
SHORTEST = 64  # plies of the smallest workspace; each longer one is twice as long, so few are ever compiled


def plies_for(depth: int, dice: bool = False) -> int:
    """How many plies a workspace has that must hold a search of this depth; with dice, which take plies and no depth,
    one roll for every move. Where they fall more often in a row than there is room for, a search stops sooner.
    """
    plies = SHORTEST
    while plies < (2 * depth if dice else depth) + 2:
        plies *= 2
    return plies


def common_fields(game: Any, plies: int, breadth: int, more: int) -> list[Field]:
    """What every search uses; `breadth` seats may have their moves listed at one node, and `more` that are no moves of
    the game.
    """
    width = max(breadth * game.max_moves + more, game.max_outcomes)
    return [
        ("nodes", np.int64, ()),
        ("limit", np.int64, ()),  # at most so many nodes
        ("stop", np.int64, ()),  # set from outside or at the limit: unwind at once
        ("fault", np.int64, ()),  # how many moves a faulty game listed,
        ("most", np.int64, ()),  # and how many it may
        ("beyond", np.int64, ()),  # 1: something lay below a leaf, a deeper search may differ
        ("root", np.int64, ()),  # the seat that searches
        ("tried", np.int64, ()),  # root moves finished in this iteration
        ("rng", RNG, ()),
        ("counts", np.int32, (plies,)),  # moves listed at each ply
        ("moves", np.int32, (plies, width)),
        (
            "odds",
            np.float64,
            (plies, max(1, game.max_outcomes)),
        ),  # of outcomes; in a search soon their shares, see `node.rolled`
        ("values", np.float64, (plies, game.seats)),
        ("lengths", np.int32, (plies,)),  # of the lines
        (
            "lines",
            np.int64,
            (plies, plies),
        ),  # the moves expected from each ply on and who makes them, see `search/parts/machinery/line.py`
        ("root_values", np.float64, (width, game.seats)),
        ("root_exact", np.int8, (width,)),
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
        self.__dict__[name] = value  # a view: it need not be made again
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self.memory[name][0] = value


class ObjectWorkspace:
    """The workspace of the interpreted twin, which gets it as it is."""

    def __init__(self, game: Any, plies: int, fields: Iterable[Field]) -> None:
        for name, kind, shape in fields:
            made = zeros(shape or (1,), kind)
            setattr(self, name, made if shape else made[0])
        self.states = States(game, plies)
        self.record = self


def workspaces(
    game: Any, plies: int, extra: Iterable[Field], compiled: bool, breadth: int = 1, more: int = 0
) -> Callable[[], Any]:
    """What makes fresh workspaces with the common fields and those of the switches in use."""
    fields = (*common_fields(game, plies, breadth, more), *extra)
    make: Callable[[], Any]
    if compiled:
        make = partial(RecordWorkspace, np.dtype([*fields, ("states", game.State, (plies,))], align=True))
    else:
        make = partial(ObjectWorkspace, game, plies, fields)

    def fresh() -> Any:
        if not compiled:
            sys.setrecursionlimit(max(sys.getrecursionlimit(), CALLS * plies))
        work: Any = make()
        work.limit = NO_LIMIT
        return work

    return fresh


def workspace(game: Any, plies: int, extra: Iterable[Field], compiled: bool) -> Any:
    """One workspace."""
    return workspaces(game, plies, extra, compiled)()
