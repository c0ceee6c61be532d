"""An agent of one's own: any class with a method `decide(self, game, state, rng)`, in a file that the user names.

It need not inherit from anything. `decide` may also take `ask`, as our own agents do, and may return a `Decision`
instead of a move; `check`, `fit`, `prepare`, `memory` and `observe` are used where the class has them, and
`watches = True` says that it tells `ask.watch` how far it is. Whatever goes wrong in the file is told with its line.
"""

import inspect
import time
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.errors import BadAgent
from kingmaker.core.notation import call_text, parse_call
from kingmaker.core.own_files import Named, Wanted, blaming, build_own, class_in, own_file

OWN_AGENT = Wanted(
    "agent", "has a method decide(self, game, state, rng)", lambda cls: callable(getattr(cls, "decide", None)), BadAgent
)
GIVEN = ("rng", "ask")  # what `decide` may ask for beside game and state


@dataclass(frozen=True, eq=False, repr=False)
class OwnAgent(Agent):
    """An agent that asks an object of the user's class for its moves."""

    file: Named
    called: str  # the file as the user named it, with the class where one was named
    thing: Any
    given: dict[str, Any]  # the settings that the user named

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        """Refuse a `decide` that cannot be called."""
        signature = inspect.signature(self.thing.decide)
        try:
            signature.bind(None, None, **dict.fromkeys(self.wishes))
        except TypeError as fault:
            raise BadAgent(
                f"cannot call decide{signature} of {self}: {fault}; it may ask for {', '.join(GIVEN)} by name"
            ) from None

    @cached_property
    def wishes(self) -> list[str]:
        """What `decide` wants to know beside game and state."""
        asked = inspect.signature(self.thing.decide).parameters
        return [name for name in GIVEN if name in asked]

    def choose(self, game: Any, state: Any, rng: Any, ask: Ask) -> Decision:
        """Ask the user's object, which gets a copy of the state."""
        legal, started = game.legal(state), time.perf_counter()
        known = {"rng": rng, "ask": ask}
        with self.blaming("decide"), np.errstate(over="ignore"):  # random numbers overflow on purpose
            answer = self.thing.decide(game, game.copy(state), **{name: known[name] for name in self.wishes})
        move = answer.move if isinstance(answer, Decision) else answer
        if isinstance(move, bool) or not isinstance(move, (int, np.integer)) or int(move) not in legal:
            moves = ", ".join(map(str, legal[:10])) + (", …" if len(legal) > 10 else "")
            raise BadAgent(
                f"{self} answered {move!r} from decide, expected one of the "
                f"legal moves {moves} at {game.notation(state)}"
            )
        if isinstance(answer, Decision):
            return answer
        entries = tuple(RootMove(each, None, False) for each in legal)
        return Decision(int(move), None, entries, (int(move),), 0, 0, time.perf_counter() - started, "own")

    @property
    def watches(self) -> bool:
        return bool(getattr(self.thing, "watches", False))

    def fit(self, game: Any) -> None:
        super().fit(game)
        self.passed_on("check", game)
        self.passed_on("fit", game)

    def prepare(self, game: Any) -> None:
        super().prepare(game)
        self.passed_on("prepare", game)

    def memory(self, game: Any, seat: int) -> Any:
        super().memory(game, seat)
        return self.passed_on("memory", game, seat)

    def observe(self, memory: Any, game: Any, state: Any, seat: int, move: int) -> None:
        super().observe(memory, game, state, seat, move)
        self.passed_on("observe", memory, game, state, seat, move)

    def passed_on(self, method: str, *arguments: Any) -> Any:
        """Call a method of the user's class, if the class has it."""
        call = getattr(self.thing, method, None)
        if not callable(call):
            return None
        with self.blaming(method):
            return call(*arguments)

    def blaming(self, method: str) -> Any:
        return blaming(self.file.path, f"{self} failed in {method}", BadAgent)

    @property
    def name(self) -> str:
        return self.called

    def runs(self, game: Any) -> list[Any]:
        return [self.thing]

    @property
    def defaults(self) -> dict[str, Any]:
        parameters = inspect.signature(type(self.thing)).parameters
        return {
            name: each.default
            for name, each in parameters.items()
            if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        }

    @property
    def settings(self) -> dict[str, Any]:
        return self.defaults | self.given

    def changed(self, **settings: Any) -> "OwnAgent":
        return made(self.file, self.called, type(self.thing), [], self.given | settings)

    @property
    def budget(self) -> Any:
        """The attribute `budget` of the user's object, else the budget that its settings give."""
        return getattr(self.thing, "budget", None) or SimpleNamespace(seconds=self.settings.get("seconds"))


def own_agent(text: str) -> OwnAgent:
    """The agent in a user's file that a text names."""
    name, arguments, keywords = parse_call(text)
    file = own_file(name)
    assert file
    return made(file, name, class_in(file, OWN_AGENT), arguments, keywords)


def made(file: Named, called: str, maker: type, arguments: list[Any], keywords: dict[str, Any]) -> OwnAgent:
    names = list(inspect.signature(maker).parameters)
    given = dict(zip(names, arguments, strict=False)) | keywords
    thing = build_own(maker, file, OWN_AGENT, call_text(called, given), arguments, keywords)
    return OwnAgent(file, called, thing, given)
