"""What a game is: five methods over a state, and facts about them.

A state is one NumPy record (`State` is a dtype), and then everything compiles; or any Python object (`State` is a
class), and then the same searches run interpreted. `start`, `mover`, `moves`, `play` and `payoff` are enough for all
that needs no chance, secrets or pictures. The rest is optional: every method that some algorithm asks for is declared
here with what it does where a game brings none of its own; `provides` in `core/contract.py` tells whether it does.
"""

from typing import Any, ClassVar

from kingmaker.core.chance import draw_listed
from kingmaker.core.door import CHANCE, OVER
from kingmaker.core.errors import BadGame
from kingmaker.core.estimate import Estimate
from kingmaker.core.facts import Facts
from kingmaker.core.playable import Playable
from kingmaker.core.rng import below

__all__ = ["CHANCE", "OVER", "Facts", "Game"]


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
        """Change the state by a move of the seat, or by a chance event where `seat` is CHANCE."""
        raise BadGame(f"{type(self).__name__} lacks the method play(state, seat, move)")

    def payoff(self, state: Any, out: Any) -> None:
        """Write what each seat gets in a state that is over: one number a seat."""
        raise BadGame(f"{type(self).__name__} lacks the method payoff(state, out)")

    def outcomes(self, state: Any, out: Any, odds: Any) -> int:
        """Write the chance events and their probabilities; return how many, at most `max_outcomes`. Asked by
        searches at chance nodes; a game without it lists no chance events.
        """
        return 0

    def can_list(self, state: Any) -> bool:
        """Can `outcomes` list the events of this chance node? Asked at chance nodes; without it, everywhere. Where the
        answer is False, as before a new deal, matches go on with `roll` and searches stop with the estimate.
        """
        return True

    def roll(self, state: Any, rng: Any) -> int:
        """Draw a chance event; its number makes it happen by `play(state, CHANCE, number)`, also when a record is
        replayed. Asked by matches and random play; without it one of `outcomes` is drawn by their probabilities.
        """
        number: int = draw_listed(self, state, rng)
        return number

    def redeal(self, state: Any, seat: int, rng: Any) -> None:
        """Replace, in place, all that the seat cannot know by a uniform sample of what fits all that it has seen. Asked
        in games with hidden information, which must have it. The result may depend on nothing but what the seat has
        seen and `rng`: gather what is hidden in a fixed order, shuffle, deal; see `core/secrets.py`.
        """
        raise BadGame(f"{type(self).__name__} lacks the method redeal(state, seat, rng)")

    def is_secret(self, state: Any, seat: int) -> bool:
        """Is the move that the seat makes here, or the event if it is CHANCE, hidden from the other seats? Asked by
        matches before they tell the others of a move; without it no move is.
        """
        return False

    def active(self, state: Any, seat: int) -> bool:
        """Is the seat still in the game? Asked where seats act out of turn or one is aimed at; without it, always."""
        return True

    def quiet(self, state: Any) -> bool:
        """May a search stop here? Asked at depth 0 by a search with `quiet` above 0; without it, anywhere."""
        return True

    def noisy(self, state: Any, seat: int, out: Any) -> int:
        """Write the moves that are looked at beyond depth 0, beside playing nothing; return how many. Asked by a search
        with `quiet` above 0; without it all moves are looked at there, and a seat cannot choose to play nothing.
        """
        return self.moves(state, seat, out)

    def forced(self, state: Any) -> bool:
        """Must all moves be looked at here, also beyond depth 0? Asked if the game has `noisy`; without it, nowhere."""
        return False

    def continues(self, previous: int, move: int) -> bool:
        """Does a move go on as the previous one did? Asked by `forward_pruning="same_heading"`; refused without it."""
        return False

    def equivalent(self, state: Any, seat: int, move: int) -> int:
        """The move that stands for all legal moves to which this one is equivalent: no seat can gain or lose by the
        difference. Asked below the root if the estimate values such moves alike; without it no two moves are.
        """
        return move

    def key(self, state: Any) -> Any:
        """A 64-bit word that tells positions apart. Asked by a search with a `table`; without it the word is made from
        all fields of the record.
        """
        raise BadGame(f"{type(self).__name__} lacks the method key(state)")

    def any_move(self, state: Any, seat: int, rng: Any, out: Any) -> int:
        """Some legal move by chance, with `out` as room for all moves. Asked by random play; without it each of `moves`
        is as likely as any other. A quicker way may be non-uniform, but every legal move needs a positive probability.
        """
        move: int = out[below(rng, self.moves(state, seat, out))]
        return move

    def turn_to(self, state: Any, seat: int) -> None:
        """Let `seat` be the first to move in the tree. Asked in simultaneous games, which must have it."""
        raise BadGame(f"{type(self).__name__} lacks the method turn_to(state, seat)")

    def step(self, state: Any, joint: Any) -> None:
        """Play the real turn: joint[seat] for every seat that is still in the game. Asked in simultaneous games, which
        must have it.
        """
        raise BadGame(f"{type(self).__name__} lacks the method step(state, joint)")

    def acting(self, state: Any) -> list[int]:
        """The seats that choose a move now: several in a simultaneous game. Asked by matches; without it the seat to
        move is the only one.
        """
        seat = self.mover(state)
        return [int(seat)] if seat >= 0 else []

    def admits(self, state: Any) -> bool:
        """Can a match come to this state? Asked once where a state comes from outside, so that the rules never index
        with what they cannot work with; without it every state of the right fields is taken.
        """
        return True
