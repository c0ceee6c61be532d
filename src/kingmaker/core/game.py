"""What a game is: five methods over a state, and facts about them.

A state is one NumPy record (`State` is a dtype), and then everything compiles; or any Python object (`State` is a
class), and then the same searches run interpreted. `start`, `mover`, `moves`, `play` and `payoff` are enough for all
that needs no chance, secrets or pictures; the rest have defaults or are asked for by the algorithms that need them.
"""

from typing import Any, ClassVar

from kingmaker.core.door import CHANCE, OVER
from kingmaker.core.errors import BadGame
from kingmaker.core.estimate import Estimate
from kingmaker.core.facts import Facts
from kingmaker.core.playable import Playable
from kingmaker.core.rng import below

__all__ = ["CHANCE", "OVER", "Facts", "Game"]


class Game(Playable):
    """The rules of one game with its parameters; holds no state of a match."""

    facts: Facts = Facts()
    estimates: tuple[Estimate, ...] = ()
    for_people: ClassVar[dict[str, Any]] = {}  # parameters that `kingmaker play` sets where its text does not
    max_moves: int
    max_outcomes: int = 0
    seats: int

    def start(self, state: Any, rng: Any) -> None:
        raise BadGame(f"{type(self).__name__} lacks the method start(state, rng)")

    def mover(self, state: Any) -> int:
        raise BadGame(f"{type(self).__name__} lacks the method mover(state)")

    def moves(self, state: Any, seat: int, out: Any) -> int:
        raise BadGame(f"{type(self).__name__} lacks the method moves(state, seat, out)")

    def play(self, state: Any, seat: int, move: int) -> None:
        raise BadGame(f"{type(self).__name__} lacks the method play(state, seat, move)")

    def payoff(self, state: Any, out: Any) -> None:
        raise BadGame(f"{type(self).__name__} lacks the method payoff(state, out)")

    def outcomes(self, state: Any, out: Any, odds: Any) -> int:
        """Write the chance moves and their probabilities; return how many. For games with dice."""
        return 0

    def quiet(self, state: Any) -> bool:
        """May a search stop here?"""
        return True

    def any_move(self, state: Any, seat: int, rng: Any, out: Any) -> int:
        """Some legal move by chance, for random play; `out` is room for all moves.

        Each is as likely as any other here. A game that knows a quicker way than to list them may have other odds, but
        none of nothing.
        """
        move: int = out[below(rng, self.moves(state, seat, out))]
        return move

    def active(self, state: Any, seat: int) -> bool:
        """Is the seat still in the game? Asked by searches in which seats act out of turn."""
        return True

    def turn_to(self, state: Any, seat: int) -> None:
        """Let `seat` be the first to move in the tree. For simultaneous games."""
        raise BadGame(f"{type(self).__name__} lacks the method turn_to(state, seat)")

    def step(self, state: Any, joint: Any) -> None:
        """Play the real turn: joint[seat] for every seat that is still in the game. For simultaneous games."""
        raise BadGame(f"{type(self).__name__} lacks the method step(state, joint)")

    def acting(self, state: Any) -> list[int]:
        """The seats that choose a move now: several in a simultaneous game, one elsewhere."""
        seat = self.mover(state)
        return [int(seat)] if seat >= 0 else []
