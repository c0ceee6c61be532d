"""An agent: an algorithm with its settings. It sits on a seat and decides."""

from dataclasses import dataclass, fields
from typing import Any

from kingmaker.core import notation
from kingmaker.core.decision import Decision


@dataclass(frozen=True)
class Agent:
    """Anything that can choose a move."""

    def decide(self, game: Any, state: Any, rng: Any = None, memory: Any = None) -> Decision:
        """Choose a move for the seat that is to move; `rng` is a stream of random numbers, made from seed 0 if none is given.

        `memory` is what the agent has learned in this match; agents that make none are never given one.
        """
        raise NotImplementedError

    def check(self, game: Any) -> None:
        """Refuse a game that this algorithm cannot play, with a way out."""

    def fit(self, game: Any) -> None:
        """Refuse a game that this agent with its settings cannot play, before anything is played."""
        self.check(game)

    def prepare(self, game: Any) -> None:
        """Have everything at hand that takes long to make, machine code above all, before any clock runs."""
        self.fit(game)

    def memory(self, game: Any, seat: int) -> Any:
        """A fresh memory for one match on one seat; None: this agent learns nothing."""
        return None

    def observe(self, memory: Any, game: Any, state: Any, seat: int, move: int) -> None:
        """Learn from another seat's move; `state` is the position in which `seat` was to move."""

    @property
    def name(self) -> str:
        """The word for the algorithm on the command line and in file names."""
        return notation.snake(type(self).__name__)

    def __str__(self) -> str:
        changed = {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) != field.default}
        return notation.call_text(self.name, changed)
