"""A search made ready for one game: everything that does not depend on the position."""

from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.errors import Mismatch
from kingmaker.core.game import Game
from kingmaker.core.own_files import editions
from kingmaker.core.rng import draw
from kingmaker.core.rounding import rounding_for
from kingmaker.core.workspace import plies_for, workspaces
from kingmaker.search.parts.switches.forward_pruning import FORWARD_PRUNINGS
from kingmaker.search.parts.switches.horizon import horizon_for
from kingmaker.search.parts.switches.order import ORDERS
from kingmaker.search.parts.switches.switches import Switches
from kingmaker.search.parts.switches.transposition_table import NoTable, Table, hasher_for
from kingmaker.search.parts.switches.tree_recording import NoRecord, Record
from kingmaker.soundness.tracing import traced
from kingmaker.soundness.vouching import vouched

DEEPEST = 120  # plies, where the budget names no depth


class Prepared:
    """An agent made ready for one game: everything that does not depend on the position."""

    def __init__(self, agent: Any, game: Game, record: int, compiled: bool) -> None:
        agent.refuse_secrets(game)
        game.checked()
        if compiled and not game.has_records:
            raise Mismatch(f"{game} cannot be compiled, for its states are not records; run it interpreted")
        if agent.forward_pruning != "none" and not provides(game, "continues"):
            raise Mismatch(
                f"{game} does not say which move continues another; give it a method "
                "continues(previous, move) or use forward_pruning='none'"
            )
        if agent.table and agent.order != "given" and not agent.any_order:
            raise Mismatch(
                f"what {agent.name} finds depends on the order of moves, so with "
                f"order='{agent.order}' a table would change it in {agent}; "
                "use table=0 or order='given'"
            )
        agent.check(game)
        self.game, self.estimate, self.compiled = game, game.estimate(agent.estimate), compiled
        self.switches = Switches(
            order=ORDERS[agent.order],
            forward_pruning=FORWARD_PRUNINGS[agent.forward_pruning],
            horizon=horizon_for(game, agent.quiet),
            table=Table(agent.table, hasher_for(game)) if agent.table else NoTable(),
            record=Record(record) if record else NoRecord(),
            **{"rounding": rounding_for(game, self.estimate), **agent.own_switches(game, self.estimate)},
        )
        if compiled or not game.compiles:
            vouched(game, (self.estimate, self.switches))
        self.deepest = agent.depth or DEEPEST
        self.plies = plies_for(self.deepest + agent.quiet, game.max_outcomes > 0)
        fields, more = self.switches.fields(game, self.plies), self.switches.horizon.more
        self.fresh = workspaces(game, self.plies, fields, compiled, agent.breadth(game), more)
        self.run: Any = agent.kernel
        self.arguments = agent.arguments(game, self.estimate)
        self.warmed = not compiled

    def workspace(self, state: Any, rng: Any) -> Any:
        """A workspace with the position on top."""
        work = self.fresh()
        work.states[0] = state
        work.root = self.game.mover(state)
        with np.errstate(over="ignore"):
            work.rng.word = draw(
                rng
            )  # one number a decision, so that the next does not depend on how much this one searched
        return work

    def warm(self, work: Any) -> None:
        """Have the machine code at hand before the clock starts, and have it run once, on no nodes."""
        if not self.warmed:
            limit, work.limit = work.limit, 0
            given = (self.game, self.estimate, self.switches, work.record, 0, 1, *self.arguments)
            self.run = self.run.compiled.direct(*given)
            self.run(*given)
            work.limit, work.nodes, work.stop, work.beyond = limit, 0, 0, 0
            self.warmed = True

    def search(self, work: Any) -> Any:
        def once(depth: int) -> None:
            self.switches.record.begun(self.game, work)
            with traced(self.game, work.states, (self.estimate,)):
                self.run(self.game, self.estimate, self.switches, work.record, 0, depth, *self.arguments)

        def wrapping_around(depth: int) -> None:
            with np.errstate(over="ignore"):  # the twin's words overflow as the machine's do
                once(depth)

        return once if self.compiled else wrapping_around


def prepared(agent: Any, game: Game, record: int, compiled: bool) -> Prepared:
    """The agent made ready, kept until a file of the user's that it names is edited."""
    named = [text for value in vars(agent).values() for text in (value if isinstance(value, tuple) else (value,))]
    return kept(agent, game, record, compiled, editions(named))


@lru_cache(maxsize=128)
def kept(agent: Any, game: Game, record: int, compiled: bool, editions: Any) -> Prepared:
    return Prepared(agent, game, record, compiled)
