"""A search of any kind: budget, preparing, watching and the decision. Which positions are searched, and in which order,
is left to each kind of search.

A search brings a kernel and says which rounds of work to do with it (`run`). Searches by depth share `depth_first.py`.
"""

import time
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

from kingmaker.core.agent import Agent
from kingmaker.core.ask import PLAIN, Ask
from kingmaker.core.budget import DEFAULT, Budget
from kingmaker.core.decision import Decision, RootMove, vector
from kingmaker.core.errors import KingmakerError, Mismatch
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import Game
from kingmaker.core.kernel import Constant, Kernel
from kingmaker.core.rng import stream
from kingmaker.core.workspace import Field
from kingmaker.search.parts.machinery.driving import Found, Run, drive
from kingmaker.search.parts.machinery.prepared import Prepared, prepared

NOTHING = Found((), (), None)
LIMITS = ("depth", "nodes", "playouts", "seconds")


class NoSwitches(Constant):
    """The switches of a search that has no compile-time settings."""


@dataclass(frozen=True, kw_only=True)
class Search(Agent):
    """An agent that looks ahead under a budget; of its limits the first that is reached ends a search.

    A kind of search declares which limits it takes among `depth`, `nodes`, `playouts` and `seconds`.
    """

    kernel: ClassVar[Kernel]  # takes game, estimate, switches, work, then what `Run.rounds` and `arguments` give it
    trial: ClassVar[tuple[Any, ...]] = (0,)  # arguments for a trial call, which searches nothing as `work.limit` is 0

    def run(self, ready: Prepared, work: Any) -> Run:
        """The rounds of work for one position."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            self.given()
        except KingmakerError as fault:
            way_out = "" if ";" in str(fault) else "; leave it out to search for one second"
            raise type(fault)(f"{fault} in {self}{way_out}") from None

    def given(self) -> Budget:
        return Budget(**{name: getattr(self, name, None) for name in LIMITS})

    @cached_property
    def budget(self) -> Budget:
        given = self.given()
        return DEFAULT if given == Budget() else given

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The settings that may name files of the user's own."""
        values = [getattr(self, field.name) for field in fields(self)]
        flat = [text for value in values for text in (value if isinstance(value, tuple) else (value,))]
        return tuple(text for text in flat if isinstance(text, str) and "." in text)

    @property
    def watches(self) -> bool:
        return True

    def ready(self, game: Game, ask: Ask = PLAIN) -> Prepared:
        """All that does not depend on the position; made once for a game."""
        return prepared(self, game, ask.record, game.compiles if ask.compiled is None else ask.compiled)

    def meet(self, game: Game, ask: Ask) -> None:
        self.ready(game, ask)

    def fit(self, game: Game) -> None:
        self.ready(game)

    def prepare(self, game: Game) -> None:
        ready = self.ready(game)
        ready.warm(ready.workspace(game.new(0), stream(0, "agent")), ahead=True)

    def runs(self, game: Game) -> list[Any]:
        ready = self.ready(game)
        return [self.kernel, ready.switches, ready.estimate, ready.arguments]

    def refuse_secrets(self, game: Game) -> None:
        """Refuse a game with hidden information, unless `one_world` allows the agent to take one random deal for the
        truth.
        """
        super().refuse_secrets(game)
        if game.facts.hidden and not getattr(self, "one_world", False):
            raise Mismatch(
                f"{self.name} cannot play {game}: it has hidden information, and {self.name} would take a random "
                f"world for the truth; use pimc({self}) or ismcts, or allow that by one_world=True"
            )

    def check_switches(self, game: Game) -> None:
        """Refuse settings that do not go together with the game or with each other."""

    def switches(self, game: Game, estimate: Estimate, record: int) -> Constant:
        """The compile-time settings; a setting that is off costs no time."""
        return NoSwitches()

    def room(self, game: Game, switches: Any) -> tuple[list[Field], int, int]:
        """The workspace: fields beside those of every run, plies of its stack of states, and moves listed at a ply."""
        return [], 2, max(game.max_moves, game.max_outcomes)

    def arguments(self, game: Game, estimate: Estimate) -> tuple[float, ...]:
        """The last arguments of the kernel, which are the algorithm's own."""
        return ()

    def fill(self, work: Any, game: Game, memory: Any) -> None:
        """Put into the workspace what the kernel must know and is not compiled in."""

    def notes(self, game: Game, work: Any, found: Found) -> dict[str, Any]:
        """The algorithm's own entries in the notes of the decision."""
        return {}

    def choose(self, game: Game, state: Any, rng: Any, ask: Ask) -> Decision:
        """Search and choose."""
        ready = self.ready(game, ask)
        legal = game.legal(state)
        work = ready.workspace(state, rng)
        self.fill(work, game, ask.memory)
        ready.warm(work)
        making, started = ready.making, time.perf_counter()
        run = self.run(ready, work)
        result, why = drive(run, self.budget, started, ask.watch)
        seconds, found = time.perf_counter() - started - (ready.making - making), result or NOTHING
        return Decision(
            move=found.line[0] if found.line else legal[0],
            values=None if found.values is None else vector(found.values),
            moves=root_moves(legal, found),
            line=found.line or (legal[0],),
            movers=found.movers or (int(work.root),),
            nodes=int(work.nodes),
            depth=found.depth,
            playouts=found.playouts,
            seconds=seconds,
            stopped=why,
            notes=self.notes(game, work, found),
            tree=run.tree(found),
            bytes=ready.bytes,
        )


def root_moves(legal: list[int], found: Found) -> tuple[RootMove, ...]:
    """Every legal move in the game's order with what was found of it."""
    moves = found.moves.tolist()
    entries = map(RootMove, moves, map(tuple, found.root_values.tolist()), found.root_exact.tolist())
    known = dict(zip(moves, entries, strict=True))
    return tuple(known.get(move) or RootMove(move, None, False) for move in legal)
