"""A game's rules as the arena needs them: machine code where there is any, for interpreted rules cost more than a shallow search."""

from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.core.errors import CannotCompile
from kingmaker.core.game import CHANCE, Game
from kingmaker.core.kernel import Kernel, kernel
from kingmaker.core.listing import room
from kingmaker.core.record import zeros

Turn = tuple[tuple[int, int], ...]  # the (seat, move) pairs of one turn: one pair, or several that happen at once


@kernel
def next_mover(game, state):  # type: ignore[no-untyped-def]
    """The seat to move, or who else is."""
    return game.mover(state)


@kernel
def listed(game, state, seat, out):  # type: ignore[no-untyped-def]
    """The seat's moves into `out`, and how many."""
    return game.moves(state, seat, out)


@kernel
def put(game, state, seat, move):  # type: ignore[no-untyped-def]
    """Play the move on the state."""
    game.play(state, seat, move)


@kernel
def turned(game, state, seat):  # type: ignore[no-untyped-def]
    """Let the seat be the first to move."""
    game.turn_to(state, seat)


@kernel
def stepped(game, state, joint):  # type: ignore[no-untyped-def]
    """Play what all seats chose at once."""
    game.step(state, joint)


def take(game: Game, state: Any, turn: Turn, play: Any = put, step: Any = stepped) -> None:
    """Play a turn on the state, by the interpreted rules unless faster ones are given."""
    with np.errstate(over="ignore"):  # words wrap around as the machine's do
        if game.facts.simultaneous and turn[0][0] != CHANCE:
            joint = np.full(game.seats, -1, np.int32)
            for seat, move in turn:
                joint[seat] = move
            step(game, state, joint)
        else:
            ((seat, move),) = turn
            play(game, state, seat, move)


class Rules:
    """One game's rules, ready to play with."""

    def __init__(self, game: Game) -> None:
        game.checked()
        self.game = game
        state, joint = game.new(0), np.zeros(game.seats, np.int32)
        self.mover = self.fastest(next_mover, state)
        seat, move = self.first_move(state)
        self.put = self.fastest(put, state, seat, move)
        lister = self.fastest(listed, state, max(0, seat), room(game))
        if lister is not listed:
            game.hasten(lister)
        self.turned: Any = turned
        self.stepped: Any = stepped
        if game.facts.simultaneous:
            self.turned = self.fastest(turned, state, 0)
            joint[:] = [game.legal(state, seat)[0] for seat in range(game.seats)]
            self.stepped = self.fastest(stepped, state, joint)

    def first_move(self, state: Any) -> tuple[int, int]:
        """Some move to try the rules with."""
        seat = self.game.mover(state)
        return int(seat), (self.game.legal(state) or [0])[0]

    def fastest(self, rule: Kernel, state: Any, *arguments: Any) -> Any:
        """The rule as machine code for arguments like these; interpreted where numba cannot take it."""
        if self.game.has_records:
            try:
                return rule.compiled.direct(self.game, self.game.copy(state), *arguments)
            except CannotCompile:
                return rule
        return rule

    def legal(self, state: Any, seat: int, move: int) -> bool:
        return move in self.game.legal(state, seat)

    def listed(self, state: Any, seat: int) -> list[int]:
        """The seat's moves, or the outcomes of the dice."""
        with np.errstate(over="ignore"):
            return self.game.legal(state if seat == CHANCE else self.view(state, seat), seat)

    def view(self, state: Any, seat: int) -> Any:
        """What a seat decides on: in a simultaneous game a copy in which it moves first."""
        if not self.game.facts.simultaneous:
            return state
        view = self.game.copy(state)
        self.turned(self.game, view, seat)
        return view

    def payoffs(self, state: Any) -> tuple[float, ...]:
        """The final vector of a match that is over."""
        out = zeros((self.game.seats,), np.float64)
        with np.errstate(over="ignore"):
            self.game.payoff(state, out)
        return tuple(float(value) for value in out)

    def take(self, state: Any, turn: Turn) -> None:
        """Play a turn on the state."""
        take(self.game, state, turn, self.put, self.stepped)


@lru_cache(maxsize=16)
def rules_of(game: Game) -> Rules:
    """The rules of a game, made ready once a process."""
    with np.errstate(over="ignore"):
        return Rules(game)
