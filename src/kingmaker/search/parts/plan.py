"""A search made ready for one game: everything that does not depend on the position."""

from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.errors import Mismatch
from kingmaker.core.game import Game
from kingmaker.core.workspace import plies_for, workspaces
from kingmaker.search.parts.horizon import horizon_for
from kingmaker.search.parts.narrowing import NARROWINGS
from kingmaker.search.parts.order import ORDERS
from kingmaker.search.parts.policy import Policy
from kingmaker.search.parts.record import NoRecord, Record
from kingmaker.search.parts.table import NoTable, Table, hasher_for

DEEPEST = 120  # plies, where the budget names no depth


class Plan:
    """An agent made ready for one game: everything that does not depend on the position."""

    def __init__(self, agent: Any, game: Game, record: int, compiled: bool) -> None:
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
            horizon=horizon_for(game, agent.quiet),
            table=Table(agent.table, hasher_for(game)) if agent.table else NoTable(),
            record=Record(record) if record else NoRecord(),
            **agent.own_policy(game, self.estimate),
        )
        self.deepest = agent.depth or DEEPEST
        self.plies = plies_for(self.deepest + agent.quiet)
        self.fresh = workspaces(game, self.plies, self.policy.fields(game, self.plies), compiled, agent.breadth(game))
        self.run: Any = agent.kernel
        self.window = agent.window(game, self.estimate)
        self.warmed = not compiled

    def workspace(self, state: Any, rng: Any) -> Any:
        """A workspace with the position on top."""
        work = self.fresh()
        work.states[0] = state
        work.root = self.game.mover(state)
        work.rng.word = rng.word
        return work

    def warm(self, work: Any) -> None:
        """Have the machine code at hand before the clock starts, and have it run once, on no nodes."""
        if not self.warmed:
            limit, work.limit = work.limit, 0
            arguments = (self.game, self.estimate, self.policy, work.record, 0, 1, *self.window)
            self.run = self.run.compiled.direct(*arguments)
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
def planned(agent: Any, game: Game, record: int, compiled: bool) -> Plan:
    return Plan(agent, game, record, compiled)
