"""A game's rules as the arena needs them: compiled where possible, because interpreted rules take longer than a shallow
search.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.errors import CannotCompile
from kingmaker.core.game import CHANCE, Game
from kingmaker.core.guard import is_guarded
from kingmaker.core.kernel import Kernel, kernel
from kingmaker.core.legal_moves import is_legal, room
from kingmaker.core.rng import stream
from kingmaker.core.secrets import redealt
from kingmaker.core.turn import Turn, put, rolled, stepped, take
from kingmaker.soundness.tracing import traced
from kingmaker.soundness.vouching import vouched


@kernel
def next_mover(game, state):  # type: ignore[no-untyped-def]
    """The seat to move, CHANCE or OVER."""
    return game.mover(state)


@kernel
def listed(game, state, seat, out):  # type: ignore[no-untyped-def]
    """Write the seat's moves into `out` and return their number."""
    return game.moves(state, seat, out)


@kernel
def turned(game, state, seat):  # type: ignore[no-untyped-def]
    """Let the seat be the first to move."""
    game.turn_to(state, seat)


FEW = 40  # turns, which interpreted rules play in less time than compiling them takes


class Referee:
    """One game's rules, ready to play with. They are interpreted at first: a decision or a short match asks too little
    of them to be worth the time that compiling takes. `hasten` makes machine code of them; it is called after a few
    turns, at the first one of a game that nobody vouches for, and before a match whose time is limited.
    """

    def __init__(self, game: Game) -> None:
        game.checked()
        self.game, self.compiled, self.hastened, self.taken = game, game.compiles, False, 0
        try:
            vouched(game)
        except CannotCompile:
            self.compiled = False
        self.mover: Any = next_mover
        self.put: Any = put
        self.turned: Any = turned
        self.stepped: Any = stepped
        self.redealt: Any = redealt

    def hasten(self) -> None:
        """Compile the rules, unless that was done before or is impossible."""
        if self.hastened or not self.compiled:
            return
        self.hastened = True
        game, joint = self.game, np.zeros(self.game.seats, np.int32)
        state = game.new(0)
        seat, move = self.first_move(state)
        self.mover = self.fastest(next_mover, state)
        self.put = self.fastest(put, state, seat, move)
        lister = self.fastest(listed, state, max(0, seat), room(game))
        if lister is not listed:
            game.hasten(lister=lister)
        if game.facts.simultaneous:
            self.turned = self.fastest(turned, state, 0)
            joint[:] = [game.legal(state, seat)[0] for seat in range(game.seats)]
            self.stepped = self.fastest(stepped, state, joint)
        if game.facts.hidden:
            self.redealt = self.fastest(redealt, state, 0, stream(0, "world"))
            game.hasten(dealer=self.redealt)

    def first_move(self, state: Any) -> tuple[int, int]:
        """The seat to move in a state and one of its moves, as sample arguments to compile the rules for."""
        seat = self.game.mover(state)
        if seat == CHANCE:
            return CHANCE, rolled(self.game, state, stream(0, "dice"))
        return int(seat), (self.game.legal(state) or [0])[0]

    def fastest(self, rule: Kernel, state: Any, *arguments: Any) -> Any:
        """The rule as machine code for arguments of these types; interpreted if numba cannot compile it."""
        try:
            run = rule.compiled.direct(self.game, self.game.copy(state), *arguments)
        except CannotCompile:
            return rule
        return guarded(run) if is_guarded((self.game,)) else run

    def legal(self, view: Any, seat: int, move: int) -> bool:
        """May the seat make this move in its view?"""
        return move in self.game.legal(view, seat)

    def allows(self, state: Any, seat: int, move: int) -> bool:
        """May the seat, or chance, make this move at the table?"""
        with np.errstate(over="ignore"):
            return is_legal(self.game, state if seat == CHANCE else self.view(state, seat), seat, move)

    def view(self, state: Any, seat: int) -> Any:
        """What a seat decides on: in a simultaneous game a copy in which it moves first."""
        if not self.game.facts.simultaneous:
            return state
        view = self.game.copy(state)
        self.turned(self.game, view, seat)
        return view

    def payoffs(self, state: Any) -> tuple[float, ...]:
        """The final vector of a match that is over."""
        return self.game.payoffs(state)

    def take(self, state: Any, turn: Turn) -> None:
        """Play a turn on the state. A game that nobody vouches for is hastened at once, for its guarded machine code
        tells a fault with its position.
        """
        self.taken += 1
        if not self.hastened and (self.taken > FEW or is_guarded((self.game,))):
            self.hasten()
        take(self.game, state, turn, self.put, self.stepped)


def guarded(run: Any) -> Any:
    """A guarded rule whose errors name the method and the position."""

    def ruled(game: Game, state: Any, *arguments: Any) -> Any:
        with traced(game, [game.copy(state)]):
            return run(game, state, *arguments)

    return ruled


@lru_cache(maxsize=16)
def referee_of(game: Game) -> Referee:
    """The referee of a game, made once per process."""
    with np.errstate(over="ignore"):
        return Referee(game)


__all__ = ["Referee", "Turn", "listed", "next_mover", "referee_of", "take"]
