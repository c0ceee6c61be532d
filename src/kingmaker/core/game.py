"""What a game is: five methods over a state, and facts about them.

A state is one NumPy record (`State` is a dtype), and then everything compiles; or any Python object (`State` is a
class), and then the same searches run interpreted. `start`, `mover`, `moves`, `play` and `payoff` are enough for all
that needs no chance, secrets or pictures; the rest have defaults or are asked for by the algorithms that need them.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kingmaker.core.door import CHANCE, OVER
from kingmaker.core.errors import BadGame
from kingmaker.core.estimate import Estimate
from kingmaker.core.playable import Playable
from kingmaker.core.rng import below

__all__ = ["CHANCE", "OVER", "Facts", "Game"]


@dataclass(frozen=True)
class Facts:
    """What holds for every match of a game; algorithms decide by these whether they can play it.

    A bound that is not known stays infinite.
    """

    seats: tuple[int, int] = (1, 16)  # fewest and most
    chance: bool = False  # dice: `mover` may return CHANCE
    hidden: bool = False  # a seat must not see the whole state
    simultaneous: bool = False  # all seats choose their moves at once
    out_of_turn: bool = False  # `moves` and `play` make sense for a seat that is not to move
    single_winner: bool = False  # every match ends with one seat above all others
    low: float = -np.inf  # no payoff is lower
    high: float = np.inf  # no payoff is higher
    total: float = np.inf  # the payoffs of a match add up to no more
    constant_sum: bool = False  # they always add up to exactly `total`


class Game(Playable):
    """The rules of one game with its parameters; holds no state of a match.

    A game of one's own inherits from this class and writes `start`, `mover`, `moves`, `play` and `payoff`; the other
    methods have defaults. Methods that write into an array (`out`, `odds`) return how much they wrote or nothing.
    """

    facts: Facts = Facts()  # what holds for every match
    estimates: tuple[Estimate, ...] = ()  # what to use where a search must stop; the first is the default
    for_people: ClassVar[dict[str, Any]] = {}  # parameters that `kingmaker play` sets unless the text does
    max_moves: int  # the most moves that a seat may have in one position
    max_outcomes: int = 0  # the most outcomes that a chance node may have
    seats: int  # how many seats this game has

    def start(self, state: Any, rng: Any) -> None:
        """Fill a new state, all of whose fields are 0, with the start of a match; `rng` is for deals and dice."""
        raise BadGame(f"{type(self).__name__} lacks the method start(state, rng)")

    def mover(self, state: Any) -> int:
        """The seat to move, CHANCE or OVER."""
        raise BadGame(f"{type(self).__name__} lacks the method mover(state)")

    def moves(self, state: Any, seat: int, out: Any) -> int:
        """Write the legal moves of the seat into `out`; return how many."""
        raise BadGame(f"{type(self).__name__} lacks the method moves(state, seat, out)")

    def play(self, state: Any, seat: int, move: int) -> None:
        """Change the state as the seat's move, or the outcome of the dice (CHANCE), says."""
        raise BadGame(f"{type(self).__name__} lacks the method play(state, seat, move)")

    def payoff(self, state: Any, out: Any) -> None:
        """Write what each seat gets in a state that is over: one number a seat."""
        raise BadGame(f"{type(self).__name__} lacks the method payoff(state, out)")

    def outcomes(self, state: Any, out: Any, odds: Any) -> int:
        """Write the outcomes of the dice into `out` and their probabilities into `odds`; return how many."""
        return 0

    def redeal(self, state: Any, seat: int, rng: Any) -> None:
        """Replace, in place, all that the seat cannot know by a uniform sample of what fits all that it has seen.

        For games with hidden information. The result may depend on nothing but what the seat has seen and `rng`: gather
        what is hidden in a fixed order, shuffle, deal. See `core/secrets.py`.
        """
        raise BadGame(f"{type(self).__name__} lacks the method redeal(state, seat, rng)")

    def is_secret(self, state: Any, seat: int) -> bool:
        """Is the move that the seat makes here hidden from the other seats? They are then not told of it."""
        return False

    def quiet(self, state: Any) -> bool:
        """May a search stop here? Asked by searches with the setting `quiet`."""
        return True

    def any_move(self, state: Any, seat: int, rng: Any, out: Any) -> int:
        """A random legal move, for random play; `out` has room for all moves.

        All moves are equally likely here. A game that can draw a move without listing them all may do so; the
        distribution may then be non-uniform, but every legal move needs a positive probability.
        """
        move: int = out[below(rng, self.moves(state, seat, out))]
        return move

    def active(self, state: Any, seat: int) -> bool:
        """Is the seat still in the game? Asked by searches in which seats act out of turn."""
        return True

    def turn_to(self, state: Any, seat: int) -> None:
        """Let `seat` be the next to move in the tree of a search. For simultaneous games."""
        raise BadGame(f"{type(self).__name__} lacks the method turn_to(state, seat)")

    def step(self, state: Any, joint: Any) -> None:
        """Play the moves of all seats at once, `joint[seat]` for every seat that is still in the game. For
        simultaneous games.
        """
        raise BadGame(f"{type(self).__name__} lacks the method step(state, joint)")

    def acting(self, state: Any) -> list[int]:
        """The seats that choose a move now: several in a simultaneous game, one elsewhere."""
        seat = self.mover(state)
        return [int(seat)] if seat >= 0 else []
