"""The Python around a search: check, allocate, compile, deepen, and put the decision together."""

import time
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

from kingmaker.core.agent import Agent, Watch
from kingmaker.core.budget import DEFAULT, Budget
from kingmaker.core.decision import Decision, RootMove, vector
from kingmaker.core.errors import BadParameter, KingmakerError, unknown
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import Game
from kingmaker.core.kernel import Kernel
from kingmaker.core.rng import stream
from kingmaker.core.tree import Tree
from kingmaker.search.parts.machinery.iterative_deepening import Iteration, deepen
from kingmaker.search.parts.machinery.prepared import prepared
from kingmaker.search.parts.switches.forward_pruning import FORWARD_PRUNINGS
from kingmaker.search.parts.switches.order import ORDERS


@dataclass(frozen=True, kw_only=True)
class SearchAgent(Agent):
    """An agent that looks ahead. Budgets: the first that is reached ends the search; without any it has one second."""

    depth: int | None = None  # at most so many plies
    nodes: int | None = None  # at most so many nodes
    seconds: float | None = None  # at most so long
    estimate: str = ""  # the game's first if none is named
    order: str = "given"  # given, shuffled or history
    forward_pruning: str = "none"  # none, or same_heading: Added Pruning
    table: int = 0  # 2**table entries; 0: no transposition table
    quiet: int = 0  # at most so many plies deeper, until the game says the position is quiet

    kernel: ClassVar[Kernel]
    most: ClassVar[dict[str, int]] = {"table": 22, "quiet": 1000}
    any_order: ClassVar[bool] = (
        False  # is the value the same in any order of moves? Then a table and any order go together
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            Budget(self.depth, self.nodes, self.seconds)
        except KingmakerError as fault:
            raise type(fault)(f"{fault} in {self}") from None
        for name, known in (("order", ORDERS), ("forward_pruning", FORWARD_PRUNINGS)):
            if getattr(self, name) not in known:
                raise unknown(name, str(getattr(self, name)), known, str(self))
        for name, most in self.most.items():
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise BadParameter(f"expected a whole number from 0 to {most} for {name}, got {value!r} in {self}")

    @cached_property
    def budget(self) -> Budget:
        given = Budget(self.depth, self.nodes, self.seconds)
        return DEFAULT if given == Budget() else given

    @property
    def watches(self) -> bool:
        return True

    def fit(self, game: Game) -> None:
        prepared(self, game, 0, game.compiles)

    def prepare(self, game: Game) -> None:
        plan = prepared(self, game, 0, game.compiles)
        plan.warm(plan.workspace(game.new(0), stream(0, "agent")))

    def runs(self, game: Game) -> list[Any]:
        plan = prepared(self, game, 0, game.compiles)
        return [self.kernel, plan.switches, plan.estimate, plan.arguments]

    def own_switches(self, game: Game, estimate: Estimate) -> dict[str, Any]:
        """The algorithm's own compile-time settings."""
        return {}

    def breadth(self, game: Game) -> int:
        """How many seats may have their moves listed at one node."""
        return 1

    def notes(self, game: Game, work: Any, found: Iteration) -> dict[str, Any]:
        """What the decision should say that is the algorithm's own."""
        return {}

    def arguments(self, game: Game, estimate: Estimate) -> tuple[float, ...]:
        """What the kernel takes beside game, estimate, switches, work, ply and depth."""
        return ()

    def fill(self, work: Any, game: Game, memory: Any) -> None:
        """Put into the workspace what the kernel must know and is not compiled in."""

    def decide(
        self,
        game: Game,
        state: Any,
        rng: Any = None,
        memory: Any = None,
        *,
        record: int = 0,
        compiled: bool | None = None,
        watch: Watch | None = None,
    ) -> Decision:
        """Search and choose.

        `record` keeps up to so many nodes of the tree; `compiled=False` runs the interpreted twin; `watch` is told of
        every finished iteration and may stop the search.
        """
        plan = prepared(self, game, record, game.compiles if compiled is None else compiled)
        legal = self.legal(game, state)
        work = plan.workspace(state, stream(0, "agent") if rng is None else rng)
        self.fill(work, game, memory)
        plan.warm(work)
        started = time.perf_counter()
        found, why = deepen(plan.search(work), work, self.budget, plan.deepest, started, watch)
        seconds = time.perf_counter() - started
        return Decision(
            move=found.line[0] if found.line else legal[0],
            values=vector(found.values) if found.depth else None,
            moves=root_moves(legal, found),
            line=found.line or (legal[0],),
            movers=found.movers or (int(work.root),),
            nodes=int(work.nodes),
            depth=found.depth,
            seconds=seconds,
            stopped=why,
            notes=self.notes(game, work, found),
            tree=None if found.tree is None else Tree(found.tree, found.tree_complete),
        )


def common_settings(agent: SearchAgent) -> dict[str, Any]:
    """The settings that every search has, to hand on to another."""
    return {field.name: getattr(agent, field.name) for field in fields(SearchAgent)}


def root_moves(legal: list[int], found: Iteration) -> tuple[RootMove, ...]:
    """Every legal move in the game's order with what was found of it."""
    moves = found.moves.tolist()
    known = dict(
        zip(moves, map(RootMove, moves, map(tuple, found.root_values.tolist()), found.root_exact.tolist()), strict=True)
    )
    return tuple(known.get(move) or RootMove(move, None, False) for move in legal)
