"""The Python around a search: check, allocate, compile, deepen, and put the decision together."""

import time
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.budget import DEFAULT, Budget
from kingmaker.core.decision import Decision, RootMove, vector
from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch, unknown
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import Game
from kingmaker.core.kernel import Kernel
from kingmaker.core.rng import stream
from kingmaker.core.trace import Tree
from kingmaker.core.workspace import plies_for, workspace
from kingmaker.search.parts.deepen import Iteration, deepen
from kingmaker.search.parts.horizon import Horizon, QuietHorizon
from kingmaker.search.parts.narrowing import NARROWINGS
from kingmaker.search.parts.needs import to_move
from kingmaker.search.parts.order import ORDERS
from kingmaker.search.parts.policy import Policy
from kingmaker.search.parts.record import NoRecord, Record
from kingmaker.search.parts.table import NoTable, Table, hasher_for

DEEPEST = 120  # plies, where the budget names no depth


@dataclass(frozen=True, kw_only=True)
class SearchAgent(Agent):
    """An agent that looks ahead. Budgets: the first that is reached ends the search; without any it has one second."""

    depth: int | None = None  # at most so many plies
    nodes: int | None = None  # at most so many nodes
    seconds: float | None = None  # at most so long
    estimate: str = ""  # the game's first if none is named
    order: str = "given"  # given, shuffled or history
    narrowing: str = "none"  # none, or same_heading: Added Pruning
    table: int = 0  # 2**table entries; 0: no transposition table
    quiet: int = 0  # at most so many plies deeper, until the game says the position is quiet

    kernel: ClassVar[Kernel]

    def __post_init__(self) -> None:
        try:
            Budget(self.depth, self.nodes, self.seconds)
        except KingmakerError as fault:
            raise type(fault)(f"{fault} in {self}") from None
        for name, known in (("order", ORDERS), ("narrowing", NARROWINGS)):
            if getattr(self, name) not in known:
                raise unknown(name, str(getattr(self, name)), known, str(self))
        for name, most in (("table", 22), ("quiet", 1000)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
                raise BadParameter(f"expected a whole number from 0 to {most} for {name}, got {value!r} in {self}")

    @cached_property
    def budget(self) -> Budget:
        given = Budget(self.depth, self.nodes, self.seconds)
        return DEFAULT if given == Budget() else given

    def check(self, game: Game) -> None:
        """Refuse a game that this search cannot play, with a way out."""

    def own_policy(self, game: Game, estimate: Estimate) -> dict[str, Any]:
        """The algorithm's own compile-time settings."""
        return {}

    def breadth(self, game: Game) -> int:
        """How many seats may have their moves listed at one node."""
        return 1

    def notes(self, game: Game, work: Any, found: Iteration) -> dict[str, Any]:
        """What the decision should say that is the algorithm's own."""
        return {}

    def window(self, game: Game, estimate: Estimate) -> tuple[float, ...]:
        """What the kernel takes beside game, estimate, policy, work, ply and depth."""
        return ()

    def fill(self, work: Any, game: Game, memory: Any) -> None:
        """Put into the workspace what the kernel must know and is not compiled in."""

    def decide(
        self, game: Game, state: Any, rng: Any = None, memory: Any = None, *, record: int = 0, compiled: bool | None = None
    ) -> Decision:
        """Search and choose. `record` keeps up to so many nodes of the tree; `compiled=False` runs the interpreted twin."""
        legal = to_move(game, state)
        plan = planned(self, game, record, game.has_records if compiled is None else compiled)
        work = plan.workspace(state, stream(0, "agent") if rng is None else rng)
        self.fill(work, game, memory)
        plan.warm(work)
        started = time.perf_counter()
        found, why = deepen(plan.search(work), work, self.budget, plan.deepest, started)
        if rng is not None:
            rng.word = work.rng.word
        return Decision(
            move=found.line[0] if found.line else legal[0],
            values=vector(found.values) if found.line or found.depth else None,
            moves=root_moves(legal, found),
            line=found.line or (legal[0],),
            nodes=int(work.nodes),
            depth=found.depth,
            seconds=time.perf_counter() - started,
            stopped=why,
            notes=self.notes(game, work, found),
            tree=None if found.tree is None else Tree(found.tree, found.tree_complete),
        )


def common_settings(agent: SearchAgent) -> dict[str, Any]:
    """The settings that every search has, to hand on to another."""
    return {field.name: getattr(agent, field.name) for field in fields(SearchAgent)}


def root_moves(legal: list[int], found: Iteration) -> tuple[RootMove, ...]:
    """Every legal move in the game's order with what was found of it."""
    at = {int(move): i for i, move in enumerate(found.moves)}
    return tuple(
        RootMove(move, vector(found.root_values[at[move]]), bool(found.root_exact[at[move]])) if move in at else RootMove(move, None, False)
        for move in legal
    )


class Plan:
    """An agent made ready for one game: everything that does not depend on the position."""

    def __init__(self, agent: SearchAgent, game: Game, record: int, compiled: bool) -> None:
        game.checked()
        if compiled and not game.has_records:
            raise Mismatch(f"{game} cannot be compiled, for its states are not records; run it interpreted")
        if agent.narrowing != "none" and not hasattr(game, "continues"):
            raise Mismatch(
                f"{game} does not say which move continues another; give it a method continues(previous, move) or use narrowing='none'"
            )
        agent.check(game)
        self.game, self.estimate, self.compiled = game, game.estimate(agent.estimate), compiled
        self.policy = Policy(
            order=ORDERS[agent.order],
            narrowing=NARROWINGS[agent.narrowing],
            horizon=QuietHorizon(agent.quiet) if agent.quiet else Horizon(),
            table=Table(agent.table, hasher_for(game)) if agent.table else NoTable(),
            record=Record(record) if record else NoRecord(),
            **agent.own_policy(game, self.estimate),
        )
        self.breadth = agent.breadth(game)
        self.deepest = agent.depth or DEEPEST
        self.plies = plies_for(self.deepest + agent.quiet)
        self.run: Any = agent.kernel.compiled if compiled else agent.kernel
        self.window = agent.window(game, self.estimate)
        self.warmed = not compiled

    def workspace(self, state: Any, rng: Any) -> Any:
        """A workspace with the position on top."""
        extra = self.policy.fields(self.game, self.plies)
        work = workspace(self.game, self.plies, extra, self.compiled, self.breadth)
        work.states[0] = state
        work.root = self.game.mover(state)
        work.rng.word = rng.word
        return work

    def warm(self, work: Any) -> None:
        """Have the machine code at hand before the clock starts: a search of no nodes makes numba compile or load it."""
        if not self.warmed:
            limit, work.limit = work.limit, 0
            arguments = (self.game, self.estimate, self.policy, work.record, 0, 1, *self.window)
            self.run = self.run.direct(*arguments)
            self.run(*arguments)
            work.limit, work.nodes, work.stop, work.beyond = limit, 0, 0, 0
            self.warmed = True

    def search(self, work: Any) -> Any:
        def once(depth: int) -> None:
            self.policy.record.begun(self.game, work)
            self.run(self.game, self.estimate, self.policy, work.record, 0, depth, *self.window)

        def wrapping_around(depth: int) -> None:
            with np.errstate(over="ignore"):  # the twin's words overflow as the machine's do
                once(depth)

        return once if self.compiled else wrapping_around


@lru_cache(maxsize=128)
def planned(agent: SearchAgent, game: Game, record: int, compiled: bool) -> Plan:
    return Plan(agent, game, record, compiled)
