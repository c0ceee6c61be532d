"""Depth-first searches: the settings that they share, and the stack that their recursion needs."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.errors import BadParameter, Mismatch, unknown
from kingmaker.core.estimate import Estimate
from kingmaker.core.foresight import SEATS
from kingmaker.core.game import Game
from kingmaker.core.kernel import Kernel
from kingmaker.core.rounding import rounding_for
from kingmaker.core.workspace import Field, plies_for
from kingmaker.search.parts.machinery.driving import Run
from kingmaker.search.parts.machinery.iterative_deepening import Deepening
from kingmaker.search.parts.machinery.prepared import Prepared
from kingmaker.search.parts.machinery.search import Search
from kingmaker.search.parts.machinery.side_by_side import SideBySide
from kingmaker.search.parts.switches.equivalents import EveryMove, equivalents_for
from kingmaker.search.parts.switches.every_outcome import EveryOutcome
from kingmaker.search.parts.switches.forward_pruning import FORWARD_PRUNINGS
from kingmaker.search.parts.switches.horizon import horizon_for
from kingmaker.search.parts.switches.known_children import KnownChildren, NoChildren
from kingmaker.search.parts.switches.last_ply import EveryPly
from kingmaker.search.parts.switches.order import ORDERS, order_for
from kingmaker.search.parts.switches.switches import Switches
from kingmaker.search.parts.switches.transposition_table import NoTable, Table, hasher_for
from kingmaker.search.parts.switches.tree_recording import NoRecord, Record

THREADS = 64  # at most
DEEPEST = 120  # plies, where the budget names no depth


@dataclass(frozen=True, kw_only=True)
class DepthFirst(Search):
    """A depth-first search with iterative deepening. Without any limit it searches for one second."""

    depth: int | None = None  # at most so many plies
    nodes: int | None = None  # at most so many nodes
    seconds: float | None = None  # at most so long
    estimate: str = ""  # the game's first if none is named
    order: str = "given"  # given, shuffled, promising, history or killer
    forward_pruning: str = "none"  # none, or same_heading: Added Pruning
    table: int = 0  # 2**table entries; 0: no transposition table
    quiet: int = 0  # quiescence search: at most so many plies deeper, until the game says the position is quiet
    threads: int = 1  # search the root moves in so many threads; the move and its values stay the same
    one_world: bool = False  # in a game with hidden information: deal anew what is hidden, once, and search that

    kernel: ClassVar[Kernel]  # takes game, estimate, switches, work, ply and depth, then the algorithm's own arguments
    trial: ClassVar[tuple[Any, ...]] = (0, 1)
    most: ClassVar[dict[str, int]] = {"table": 22, "quiet": 1000}
    last_of_equals: ClassVar[bool] = False  # is the last of equal root moves played, not the first?
    divides_below: ClassVar[bool] = False  # may threads divide the moves of nodes below the root too?
    any_order: ClassVar[bool] = False  # is the value the same in any order of moves? Then a table goes with any order

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, known in (("order", ORDERS), ("forward_pruning", FORWARD_PRUNINGS)):
            if getattr(self, name) not in known:
                raise unknown(name, str(getattr(self, name)), known, str(self))
        for name, most in self.most.items():
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise BadParameter(f"expected a whole number from 0 to {most} for {name}, got {value!r} in {self}")
        if not 1 <= self.threads <= THREADS:
            raise BadParameter(f"expected 1 to {THREADS} threads, got {self.threads!r} in {self}")
        if self.threads > 1:
            self.check_threads()

    def check_threads(self) -> None:
        """Refuse settings with which several threads would find something else than one."""
        if self.nodes is not None:
            raise BadParameter(f"threads cannot share a limit of nodes in {self}; use depth or seconds, or threads=1")
        if self.order != "given" and not (self.any_order and self.order in ("history", "killer")):
            raise BadParameter(
                f"what {self.name} plays depends on the order of moves, which threads would change with "
                f"order='{self.order}' in {self}; use order='given' or threads=1"
            )

    def check_switches(self, game: Game) -> None:
        if self.forward_pruning != "none" and not provides(game, "continues"):
            raise Mismatch(
                f"{game} does not say which move continues another; give it a method "
                "continues(previous, move) or use forward_pruning='none'"
            )
        if self.table and self.order != "given" and not self.any_order:
            raise Mismatch(
                f"what {self.name} finds depends on the order of moves, so with order='{self.order}' a table "
                f"would change it in {self}; use table=0 or order='given'"
            )

    def switches(self, game: Game, estimate: Estimate, record: int) -> Switches:
        own = self.own_switches(game, estimate)
        plain = not (record or self.table or self.quiet) and self.forward_pruning == "none"
        foreseen = plain and not game.max_outcomes and game.seats <= SEATS and never_enough(estimate)
        equivalents, rounding = self.equivalents(game, estimate), rounding_for(game, estimate)
        return Switches(
            order=order_for(self.tried_order, estimate, rounding),
            forward_pruning=FORWARD_PRUNINGS[self.forward_pruning],
            horizon=horizon_for(game, self.quiet),
            table=Table(self.table, hasher_for(game)) if self.table else NoTable(),
            record=Record(record) if record else NoRecord(),
            children=KnownChildren(game.max_moves) if self.threads > 1 and not record else NoChildren(),
            equivalents=equivalents,
            last=self.last_ply(game, estimate, own) if foreseen and type(equivalents) is EveryMove else EveryPly(),
            **{"rounding": rounding, "star": EveryOutcome(), **own},
        )

    def own_switches(self, game: Game, estimate: Estimate) -> dict[str, Any]:
        """The algorithm's own compile-time settings."""
        return {}

    def last_ply(self, game: Game, estimate: Estimate, own: dict[str, Any]) -> EveryPly:
        """How the last ply is searched where nothing but its values is wanted; `own` are the algorithm's switches."""
        return EveryPly()

    def equivalents(self, game: Game, estimate: Estimate) -> EveryMove:
        """Which of equivalent moves are searched. One for all where that keeps all values: where it does not matter how
        many of the moves are equally good, and the estimate does not tell equivalent moves apart.
        """
        chosen: EveryMove = equivalents_for(game, self.takes_one_for_all and estimate.values_equivalents_alike)
        return chosen

    @property
    def takes_one_for_all(self) -> bool:
        """Are values the same if one of equivalent moves stands for all? They are not where ties are averaged."""
        return False

    @property
    def tried_order(self) -> str:
        """The order in which moves are tried; where nothing is pruned, killers need not come first."""
        pruned = getattr(self, "prune", True) is not False
        return self.order if pruned or self.order != "killer" else "given"

    def breadth(self, game: Game) -> int:
        """How many seats may have their moves listed at one node."""
        return 1

    @property
    def deepest(self) -> int:
        return self.depth or DEEPEST

    def room(self, game: Game, switches: Switches) -> tuple[list[Field], int, int]:
        width = max(self.breadth(game) * game.max_moves + switches.horizon.more, game.max_outcomes)
        plies = plies_for(self.deepest + self.quiet, game.max_outcomes > 0, 8 * width * game.seats)
        return [*stack_fields(game, plies, width), *switches.fields(game, plies)], plies, width

    def run(self, ready: Prepared, work: Any) -> Run:
        if isinstance(ready.switches.children, KnownChildren):
            return SideBySide(ready, work, self.deepest, self.threads)
        return Deepening(ready, work, self.deepest)


def never_enough(estimate: Estimate) -> bool:
    """Does the estimate never end the search at a position, so that depth alone decides where it stops?"""
    return type(estimate).enough is Estimate.enough


def stack_fields(game: Game, plies: int, width: int) -> list[Field]:
    """The workspace fields in which each ply leaves its result for the ply above, and the root for the decision."""
    return [
        ("beyond", np.int64, ()),  # 1: a deeper search would go on below some leaf, so its result may differ
        ("tried", np.int64, ()),  # root moves finished in this iteration
        ("counts", np.int32, (plies,)),  # moves listed at each ply
        ("lengths", np.int32, (plies,)),  # of the lines
        ("lines", np.int64, (plies, plies)),  # the moves expected from each ply on and who makes them, see `line.py`
        ("root_values", np.float64, (width, game.seats)),
        ("root_exact", np.int8, (width,)),
    ]


def common_settings(agent: DepthFirst) -> dict[str, Any]:
    """The settings that every search by depth has, to hand on to another."""
    return {field.name: getattr(agent, field.name) for field in fields(DepthFirst)}
