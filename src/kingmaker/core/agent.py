"""An agent: an algorithm with its settings. It sits on a seat and decides."""

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from kingmaker.core import notation
from kingmaker.core.ask import PLAIN, Ask
from kingmaker.core.contract import check_secrets
from kingmaker.core.decision import Decision
from kingmaker.core.door import admitted
from kingmaker.core.errors import Mismatch
from kingmaker.core.parameters import check_parameters
from kingmaker.core.rng import stream
from kingmaker.core.secrets import luck, redealt, world_of


@dataclass(frozen=True)
class Agent:
    """Anything that can choose a move."""

    most: ClassVar[dict[str, int]] = {}  # the largest value of settings that are whole numbers from 0 on

    def __post_init__(self) -> None:
        check_parameters(type(self), self, {field.name: getattr(self, field.name) for field in fields(self)})

    def decide(self, game: Any, state: Any, rng: Any = None, ask: Ask = PLAIN) -> Decision:
        """Choose a move for the seat that is to move.

        `rng` is a stream of random numbers, made from seed 0 if none is given. `ask` is what the caller wants beside
        the move; an agent ignores wishes that do not apply to it. In a game with hidden information the agent gets a
        world: a copy of the state in which all that its seat cannot know was dealt anew.
        """
        self.meet(game, ask)
        seat = admitted(game, state)
        if seat < 0:
            raise Mismatch(f"no seat is to move in {game} at {game.notation(state)}; there is nothing to decide")
        rng = stream(0, "agent") if rng is None else rng
        if game.facts.hidden and not ask.dealt:
            deal = redealt if ask.compiled is False else vars(game).get("_dealer", redealt)
            state, ask = world_of(game, state, seat, luck(rng), deal), replace(ask, dealt=True)
        return self.choose(game, state, rng, ask)

    def meet(self, game: Any, ask: Ask) -> None:
        """Refuse a game or a wish that this agent cannot serve; `decide` calls this before it looks at the position."""
        self.refuse_secrets(game)

    def choose(self, game: Any, state: Any, rng: Any, ask: Ask) -> Decision:
        """The agent's own way to choose; the arguments are checked, and its seat may see all of `state`."""
        raise NotImplementedError

    @property
    def watches(self) -> bool:
        """Does the agent report its progress to `ask.watch`, and stop when the answer is False?"""
        return False

    def refuse_secrets(self, game: Any) -> None:
        """Refuse a game with hidden information where the agent would take a random world for the truth."""
        check_secrets(game)

    def check(self, game: Any) -> None:
        """Refuse a game that this algorithm cannot play, with a way out."""

    def fit(self, game: Any) -> None:
        """Refuse a game that this agent with its settings cannot play, before anything is played."""
        self.refuse_secrets(game)
        self.check(game)

    def prepare(self, game: Any) -> None:
        """Make in advance what takes long to make, above all machine code, before any clock runs."""
        self.fit(game)

    def memory(self, game: Any, seat: int) -> Any:
        """A new memory for one match on one seat; None if this agent learns nothing."""
        self.refuse_secrets(game)

    def observe(self, memory: Any, game: Any, state: Any, seat: int, move: int) -> None:
        """Learn from another seat's move; `state` is the position in which `seat` was to move."""
        self.refuse_secrets(game)

    def runs(self, game: Any) -> list[Any]:
        """Everything beside the class itself that takes part in a decision: kernel, switches, estimate, other agents. A
        store hashes it to know which code played.
        """
        return [value for value in (getattr(self, field.name) for field in fields(self)) if isinstance(value, Agent)]

    @property
    def name(self) -> str:
        """The word for the algorithm on the command line and in file names."""
        return notation.snake(type(self).__name__)

    @property
    def defaults(self) -> dict[str, Any]:
        """The default value of every setting, by name."""
        return {field.name: field.default for field in fields(self)}

    @property
    def settings(self) -> dict[str, Any]:
        """The value of every setting, by name."""
        return {name: getattr(self, name) for name in self.defaults}

    def changed(self, **settings: Any) -> "Agent":
        """The same agent with other settings."""
        return replace(self, **settings)

    def __str__(self) -> str:
        defaults = self.defaults
        return notation.call_text(
            self.name, {name: value for name, value in self.settings.items() if value != defaults[name]}
        )
