"""The Python-side methods of a game: begin, copy, list, play, print and read back; none runs inside a search."""

import copy
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from kingmaker.core import notation, positions
from kingmaker.core.chance import event_in
from kingmaker.core.contract import check_contract, check_silent
from kingmaker.core.door import CHANCE, OVER, own_move, own_seat, own_state, tried
from kingmaker.core.errors import IllegalMove, Mismatch
from kingmaker.core.estimate import Estimate, Fair, find_estimate, own_estimate
from kingmaker.core.kernel import Constant
from kingmaker.core.legal_moves import is_legal, is_unlisted, moves_of
from kingmaker.core.parameters import check_parameters
from kingmaker.core.rng import stream
from kingmaker.core.wide_records import record, zeros


class Playable(Constant):
    """The Python-side methods of a game; none of them is compiled."""

    State: ClassVar[Any]  # a NumPy dtype, or a class for states that are objects
    facts: Any
    estimates: tuple[Estimate, ...]
    max_moves: int
    max_outcomes: int
    seats: int
    start: Callable[..., None]
    mover: Callable[..., int]
    moves: Callable[..., int]
    play: Callable[..., None]
    payoff: Callable[..., Any]
    outcomes: Callable[..., int]
    can_list: Callable[..., bool]
    admits: Callable[..., bool]

    @property
    def name(self) -> str:
        """The word for this game on the command line and in file names."""
        return notation.snake(type(self).__name__)

    def __repr__(self) -> str:
        return notation.call_text(self.name, notation.parameters_of(self))

    @cached_property
    def has_records(self) -> bool:
        """Is a state one NumPy record, so that everything compiles?"""
        return isinstance(self.State, np.dtype)

    @property
    def compiles(self) -> bool:
        """Does this game run as machine code? Object states do not, nor does a game that is to run interpreted."""
        return self.has_records and "_interpreted" not in self.__dict__

    def checked(self) -> None:
        """Refuse a game that lacks what every search needs; this is examined once."""
        if "_sound" not in self.__dict__:
            check_contract(self)
            check_parameters(type(self), self, notation.parameters_of(self))
            self.__dict__["_sound"] = True

    def new(self, seed: int = 0) -> Any:
        """The first state of a match."""
        state = self.blank()
        with np.errstate(over="ignore"):
            self.start(state, stream(seed, "start"))
        return state

    def blank(self) -> Any:
        """A state with nothing in it yet: a record full of zeros, or a new object."""
        return record(self.State) if self.has_records else self.State()

    def copy(self, state: Any) -> Any:
        """A copy of the state, which can be changed without changing the state itself."""
        return state.copy() if self.has_records else copy.deepcopy(state)

    def legal(self, state: Any, seat: int | None = None) -> list[int]:
        """The moves of the seat to move, or of another where the game allows it; the outcomes at a chance node."""
        own_state(self, state)
        seat = self.mover(state) if seat is None else seat
        if seat == CHANCE == self.mover(state):
            return [outcome for outcome, _ in self.chances(state)]
        return [] if seat == OVER else moves_of(self, state, own_seat(self, seat), self.__dict__.get("_lister"))

    def hasten(self, **code: Callable[..., Any]) -> None:
        """Let machine code list moves for `legal` (`lister`) and deal an agent its world (`dealer`) from now on."""
        self.__dict__.update({f"_{name}": run for name, run in code.items()})

    def chances(self, state: Any) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities."""
        if not self.can_list(state):
            where = self.notation(state)
            raise Mismatch(f"the chance events of {self} cannot be listed at {where}; draw one with roll")
        out, odds = zeros((self.max_outcomes,), np.int32), zeros((self.max_outcomes,), np.float64)
        with np.errstate(over="ignore"):
            count = self.outcomes(state, out, odds)
        return [(int(out[i]), float(odds[i])) for i in range(count)]

    def after(self, state: Any, *moves: int) -> Any:
        """The state after the moves, each by whoever is to move; the first state stays as it is."""
        own_state(self, state)
        state = self.copy(state)
        with np.errstate(over="ignore"):
            for move in moves:
                if not is_legal(self, state, self.mover(state), own_move(self, move)):
                    raise IllegalMove(f"{move} is no legal move in {self} at {self.notation(state)}")
                self.play(state, self.mover(state), own_move(self, move))
        return state

    def payoffs(self, state: Any) -> tuple[float, ...]:
        """The final vector of a match that is over."""
        out = zeros((self.seats,), np.float64)
        with np.errstate(over="ignore"):
            check_silent(self, "payoff", self.payoff(state, out))
        return tuple(float(value) for value in out)

    def estimate(self, text: str = "") -> Estimate:
        """One of the game's estimates by its text form, or one in a file of one's own; without a name the first."""
        first = (self.estimates or (Fair(self.facts, self.seats),))[0]
        return (own_estimate(text) or find_estimate(self, text)) if text else first

    def show(self, state: Any, seat: int | None = None) -> str:
        """A picture of the state in text: the referee's, or, in a game with hidden information, what a seat may see."""
        return self.notation(state)

    def say(self, state: Any, seat: int, move: int) -> str:
        """A move as people write it."""
        return str(move)

    def parse(self, state: Any, seat: int, text: str) -> int:
        """The legal move that a person wrote; where chance events cannot be listed, their number."""
        if is_unlisted(self, state, seat):
            return event_in(text)
        return notation.meant({self.say(state, seat, move): move for move in self.legal(state, seat)}, text)

    def phase(self, state: Any) -> str:
        """The name of the part of a match that the state belongs to, for `kingmaker impact`; without it, thirds."""
        return ""

    def notation(self, state: Any) -> str:
        """The whole state in one line of text."""
        return positions.record_text(self, state)

    def position(self, text: str) -> Any:
        """The state that `notation` wrote as this text."""
        return tried(self, positions.record_from(self, text), text)
