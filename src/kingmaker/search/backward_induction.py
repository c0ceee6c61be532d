"""Backward induction: solve the whole game from its ends, with a matrix game at every position.

For two seats whose payoffs always have the same sum. Where both seats choose at once, the values of all pairs of moves
make a matrix, and the value of the position is that of the matrix game: what each seat can secure by a *mixed*
strategy, one that chooses its moves by certain odds. If neither seat gains by leaving a certain pair of moves (a saddle
point), it is found by comparing; otherwise a linear program finds the strategies. Dice are averaged. Nothing is
guessed, so there is no depth and no estimate; the price is that every position that can arise is looked at, which only
small boards allow.

    J. von Neumann. Zur Theorie der Gesellschaftsspiele. Mathematische Annalen 100, 1928.
    B. Bosansky, V. Lisy, M. Lanctot, J. Cermak, M. Winands. Algorithms for Computing Strategies in Two-Player
    Simultaneous Move Games. Artificial Intelligence 237, 2016.
"""

import sys
import time
from dataclasses import dataclass

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.rng import unit
from kingmaker.core.turn import take
from kingmaker.core.workspace import CALLS
from kingmaker.search.parts.machinery.arising import count_arising
from kingmaker.search.parts.machinery.needs import two_seats
from kingmaker.search.parts.opponents.matrix_game import solved
from kingmaker.search.parts.switches.mixing import drawn

LONGEST = 400  # turns of a match that is solved
FEW = 500  # positions that are solved in less time than it takes to compile the code that counts them


class Solver:
    """The values of the positions that follow a root, as the first seat sees them; each is computed once.

    A game of more than FEW positions is counted by machine code before it is solved, for to solve 100,000 positions
    takes half a minute, and to count them a moment.
    """

    def __init__(self, game, root, most, counts):
        self.game, self.root, self.most, self.counts, self.values, self.met = game, root, most, counts, {}, 0

    def value(self, state, turns=0):
        """What the first seat gets from this state on if both play perfectly."""
        game, key = self.game, self.key(state)
        if key in self.values:
            return self.values[key]
        if self.met >= self.most or turns > LONGEST or (self.met == FEW and self.has_too_many()):
            other = "regret_matching" if game.facts.simultaneous else "alpha_beta"
            raise Mismatch(
                f"{game} has more than {self.most} positions or {LONGEST} turns from here on; "
                f"use a smaller game, a larger `positions`, or {other}"
            )
        self.met += 1
        mover = game.mover(state)
        if mover == OVER:
            out = np.zeros(game.seats)
            game.payoff(state, out)
            found = float(out[0])
        elif mover == CHANCE:
            found = self.mean(state, turns)
        else:
            found = solved(self.matrix(state, turns))[0]
        self.values[key] = found
        return found

    def has_too_many(self):
        """Are there more positions below the root than may be solved?"""
        return self.counts and count_arising(self.game, self.root, self.most + 2) > self.most + 1

    def key(self, state):
        return state.tobytes() if self.game.has_records else self.game.notation(state)

    def mean(self, state, turns):
        if not self.game.can_list(state):
            raise Mismatch(f"{self.game} cannot list its chance events at {self.game.notation(state)}; use maxn")
        return sum(odds * self.after(state, [(CHANCE, event)], turns) for event, odds in self.game.chances(state))

    def matrix(self, state, turns=0):
        """[first seat's move, second seat's move]: the value after both; a seat that does not act has one column."""
        rows, columns = (self.choices(state, seat) for seat in (0, 1))
        return np.array([[self.after(state, [*one, *other], turns) for other in columns] for one in rows])

    def choices(self, state, seat):
        """What a seat may contribute to a turn: one of its moves, or nothing if it does not act."""
        if seat not in self.game.acting(state):
            return [[]]
        return [[(seat, move)] for move in moves_of(self.game, state, seat)]

    def after(self, state, turn, turns):
        below = self.game.copy(state)
        take(self.game, below, tuple(turn))
        return self.value(below, turns + 1)


def moves_of(game, state, seat):
    """The legal moves of a seat that acts, whoever is the first to move in the tree."""
    out = np.zeros(game.max_moves, np.int32)
    return out[: game.moves(state, seat, out)].tolist()


def named(game, state, seat, strategy):
    """How often a seat plays each of its moves, by their names; nothing if it does not act."""
    moves = moves_of(game, state, seat) if seat in game.acting(state) else []
    return {game.say(state, seat, move): odds for move, odds in zip(moves, strategy.tolist(), strict=False)}


@dataclass(frozen=True, kw_only=True)
class BackwardInduction(Agent):
    """The exact solution of a small game of two seats, simultaneous moves included."""

    positions: int = 100_000  # at most so many different positions

    def __post_init__(self):
        super().__post_init__()
        if self.positions < 1:
            raise BadParameter(f"expected at least 1 position to solve, got {self.positions} in {self}")

    def check(self, game):
        two_seats(self, game)
        if not game.facts.constant_sum:
            raise Mismatch(f"{self.name} cannot play {game}: its payoffs have no constant sum; use maxn")
        if game.facts.hidden:
            raise Mismatch(f"{self.name} cannot solve {game}, in which a seat does not know its position; use random")

    def meet(self, game, ask):
        self.fit(game)

    def choose(self, game, state, rng, ask):
        started = time.perf_counter()
        sys.setrecursionlimit(max(sys.getrecursionlimit(), CALLS * LONGEST))
        counts = game.compiles and ask.compiled is not False
        solver = Solver(game, state, self.positions, counts)
        seat, total = int(game.mover(state)), float(game.facts.total)
        with np.errstate(over="ignore"):
            matrix = solver.matrix(state)
            value, first, second = solved(matrix)
            mine, others = (first, second) if seat == 0 else (second, first)
            worth = matrix @ second if seat == 0 else first @ matrix
            legal = moves_of(game, state, seat)
            move = legal[drawn(mine, float(unit(rng)))]
        moves = tuple(RootMove(each, (float(w), total - float(w)), True) for each, w in zip(legal, worth, strict=True))
        return Decision(
            move=move,
            values=(value, total - value),
            moves=moves,
            line=(move,),
            nodes=len(solver.values),
            depth=0,
            seconds=time.perf_counter() - started,
            stopped="solved",
            notes={"strategy": named(game, state, seat, mine), "others": named(game, state, 1 - seat, others)},
            movers=(seat,),
        )
