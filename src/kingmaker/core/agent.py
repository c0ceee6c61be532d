"""An agent: an algorithm with its settings. It sits on a seat and decides."""

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from kingmaker.core import notation
from kingmaker.core.ask import PLAIN, Ask
from kingmaker.core.decision import Decision
from kingmaker.core.door import admitted
from kingmaker.core.errors import Mismatch
from kingmaker.core.parameters import check_parameters


@dataclass(frozen=True)
class Agent:
    """Anything that can choose a move."""

    looks: ClassVar[bool] = True  # at the state; False: at the list of its legal moves and nothing else
    most: ClassVar[dict[str, int]] = {}  # the largest value of settings from 0 on

    def __post_init__(self) -> None:
        check_parameters(type(self), self, {field.name: getattr(self, field.name) for field in fields(self)})

    def decide(self, game: Any, state: Any, rng: Any = None, ask: Ask = PLAIN) -> Decision:
        """Choose a move for the seat that is to move.

        `rng` is a stream of random numbers, made from seed 0 if none is given. `ask` is what the caller wants beside
        the move; agents take no notice of wishes that mean nothing to them.
        """
        raise NotImplementedError

    @property
    def watches(self) -> bool:
        """Does it tell `ask.watch` how far it is, and stop when the answer is no?"""
        return False

    def refuse_secrets(self, game: Any) -> None:
        """Refuse a game with hidden information, unless the agent looks at nothing: it would be shown what its seat
        must not know.
        """
        if self.looks and game.facts.hidden:
            raise Mismatch(
                f"{self.name} cannot play {game}: it has hidden information, and {self.name} would see all of it; "
                "use random, or a game without hidden information"
            )

    def legal(self, game: Any, state: Any) -> list[int]:
        """The moves to choose from; every `decide` begins here, to refuse foreign states, secrets and positions without
        a mover.
        """
        self.refuse_secrets(game)
        if admitted(game, state) < 0:
            raise Mismatch(f"no seat is to move in {game} at {game.notation(state)}; there is nothing to decide")
        moves: list[int] = game.legal(state)
        return moves

    def check(self, game: Any) -> None:
        """Refuse a game that this algorithm cannot play, with a way out."""

    def fit(self, game: Any) -> None:
        """Refuse a game that this agent with its settings cannot play, before anything is played."""
        self.refuse_secrets(game)
        self.check(game)

    def prepare(self, game: Any) -> None:
        """Have everything at hand that takes long to make, machine code above all, before any clock runs."""
        self.fit(game)

    def memory(self, game: Any, seat: int) -> Any:
        """A fresh memory for one match on one seat; None: this agent learns nothing."""
        self.refuse_secrets(game)

    def observe(self, memory: Any, game: Any, state: Any, seat: int, move: int) -> None:
        """Learn from another seat's move; `state` is the position in which `seat` was to move."""
        self.refuse_secrets(game)

    def runs(self, game: Any) -> list[Any]:
        """What decides beside the class itself: kernel, switches, estimate, other agents. By it a store knows the code
        that played.
        """
        return [value for value in (getattr(self, field.name) for field in fields(self)) if isinstance(value, Agent)]

    @property
    def name(self) -> str:
        """The word for the algorithm on the command line and in file names."""
        return notation.snake(type(self).__name__)

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings of an agent of which none is named."""
        return {field.name: field.default for field in fields(self)}

    @property
    def settings(self) -> dict[str, Any]:
        """What can be set, and what it is set to."""
        return {name: getattr(self, name) for name in self.defaults}

    def changed(self, **settings: Any) -> "Agent":
        """The same agent with other settings."""
        return replace(self, **settings)

    def __str__(self) -> str:
        defaults = self.defaults
        return notation.call_text(
            self.name, {name: value for name, value in self.settings.items() if value != defaults[name]}
        )
