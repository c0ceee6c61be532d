"""A search made ready for one game: everything that does not depend on the position."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.errors import Mismatch
from kingmaker.core.game import Game
from kingmaker.core.own_files import editions
from kingmaker.core.rng import draw
from kingmaker.core.workspace import bytes_for, workspaces
from kingmaker.soundness.tracing import traced
from kingmaker.soundness.vouching import vouched

MOST_BYTES = 2**31 - 2**20  # that one decision may take; NumPy makes no larger record


class Prepared:
    """An agent made ready for one game: its switches, the kind of its workspace, and its kernel as machine code."""

    def __init__(self, agent: Any, game: Game, record: int, compiled: bool) -> None:
        agent.refuse_secrets(game)
        game.checked()
        if compiled and not game.has_records:
            raise Mismatch(f"{game} cannot be compiled, for its states are not records; run it interpreted")
        agent.check_switches(game)
        agent.check(game)
        self.agent, self.game, self.record, self.compiled = agent, game, record, compiled
        self.estimate = game.estimate(getattr(agent, "estimate", ""))
        self.switches = agent.switches(game, self.estimate, record)
        if compiled or not game.compiles:
            vouched(game, (self.estimate, self.switches))
        fields, plies, width = agent.room(game, self.switches)
        needed = bytes_for(game, fields, plies, width)
        if needed > MOST_BYTES:
            raise Mismatch(
                f"{agent} needs {needed / 2**30:,.1f} GB of memory for one decision in {game}, and at most 2 GB can be "
                "had; use a smaller depth, table, tree or record"
            )
        self.fresh, self.bytes = workspaces(game, fields, plies, width, compiled)
        self.run: Any = agent.kernel
        self.arguments = agent.arguments(game, self.estimate)
        self.warmed = not compiled

    def workspace(self, state: Any, rng: Any) -> Any:
        """A new workspace with the position at ply 0."""
        work = self.fresh()
        work.states[0] = state
        work.root = self.game.mover(state)
        with np.errstate(over="ignore"):
            # one number a decision, so that the next does not depend on how much this one searched
            work.rng.word = draw(rng)
        return work

    def warm(self, work: Any, ahead: bool = False) -> None:
        """Get the machine code of the kernel before the clock starts, and call it once with a limit of 0 nodes.

        It is made for full speed at once if that is done `ahead` of what will be searched, if a clock limits the search
        or if threads share it; else quickly, see `core/compiling/two_speeds.py`.
        """
        if not self.warmed:
            limit, work.limit = work.limit, 0
            given = (self.game, self.estimate, self.switches, work.record, *self.agent.trial, *self.arguments)
            timed = self.agent.budget.seconds is not None or getattr(self.agent, "threads", 1) > 1
            self.run = self.run.compiled.two_speeds(*given, full=ahead or timed)
            self.run(*given)
            work.limit, work.nodes, work.stop = limit, 0, 0
            self.warmed = True
        elif ahead and self.compiled:
            self.run.make_full()

    def expect(self, seconds: float) -> None:
        """The next call is expected to take so long; where that pays, machine code is made for full speed."""
        if self.compiled:
            self.run.expect(seconds)

    @property
    def making(self) -> float:
        """The seconds that were spent on making machine code while searches waited for it."""
        return float(self.run.making) if self.compiled else 0.0

    def call(self, work: Any, *given: Any, own: Sequence[float] | None = None) -> None:
        """Run the kernel; `given` comes before the algorithm's own arguments, or before `own` instead of them."""
        words = nullcontext() if self.compiled else np.errstate(over="ignore")  # words wrap around, as in machine code
        with words, traced(self.game, work.states, (self.estimate,)):
            self.run(
                self.game, self.estimate, self.switches, work.record, *given, *(self.arguments if own is None else own)
            )


def prepared(agent: Any, game: Game, record: int, compiled: bool) -> Prepared:
    """The agent made ready for a game, cached until the user edits a file that the agent's settings name."""
    return kept(agent, game, record, compiled, editions(agent.texts))


@lru_cache(maxsize=128)
def kept(agent: Any, game: Game, record: int, compiled: bool, editions: Any) -> Prepared:
    return Prepared(agent, game, record, compiled)
