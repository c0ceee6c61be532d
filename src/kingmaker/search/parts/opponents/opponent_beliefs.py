"""Beliefs about opponents: a prior over the kinds that each may be of, and what their moves teach.

After every move of an opponent the probability of each kind is multiplied by the chance that this kind would have made
that move: one over the number of its best moves if the move is one of them, and 0 otherwise. A floor keeps a kind alive
through a surprise. How a kind ranks the moves is found by the search itself, `learn_depth` plies deep, from the
opponent's position.

    H. Donkers. Nosce Hostem: Searching with Opponent Models. Thesis, Maastricht 2003. (That beliefs can be learned;
    the floor is ours.)
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kingmaker.core.ask import Ask
from kingmaker.core.door import admitted
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.parameters import fits, shown
from kingmaker.core.rng import stream
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.iterative_deepening import search

CLOSE = 1e-9  # probabilities may miss the sum 1 by this much
LEAST = 1e-12  # no kind that is possible becomes less probable than this, so that a long match rules nothing out


@dataclass
class Memory:
    """What one seat has learned in a match."""

    seat: int
    posterior: np.ndarray  # [seat, kind]
    seen: np.ndarray  # [seat] moves


@dataclass(frozen=True, kw_only=True)
class Modeller(DepthFirst, ABC):
    """An agent that models each opponent as a mixture of kinds."""

    kind_word: ClassVar[str] = "type"

    @property
    @abstractmethod
    def kinds(self):
        """The texts of the kinds."""

    @property
    def rows(self):
        """The probabilities of the kinds: one row for all opponents, one a seat, or none where all kinds are equally
        probable.
        """
        return ()

    def __post_init__(self):
        super().__post_init__()
        if not self.kinds:
            raise BadParameter(f"expected at least one {self.kind_word} in {self}")
        for kind in self.kinds:
            if self.kinds.count(kind) > 1:
                raise BadParameter(f"expected different {self.kind_word}s, got {kind!r} more than once in {self}")

    def check(self, game):
        if game.seats < 2:
            raise Mismatch(f"{self.name} cannot play {game}: there is no opponent to model; use maxn")
        if len(self.rows) > 1 and len(self.rows) != game.seats:
            raise BadParameter(
                f"expected one row of odds or one for each of {game.seats} seats, got {len(self.rows)} in {self}"
            )

    def priors(self, game):
        """What is believed before the first move, [seat, kind]."""
        rows = np.array(self.rows or (np.ones(len(self.kinds)),), np.float64)
        return np.broadcast_to(rows / rows.sum(axis=1, keepdims=True), (game.seats, len(self.kinds))).copy()

    def believed(self, game, memory):
        if memory is None:
            return self.priors(game)
        if not isinstance(memory, Memory) or memory.posterior.shape != (game.seats, len(self.kinds)):
            raise BadParameter(f"this memory is none of {self} in {game}; make one with agent.memory(game, seat)")
        return memory.posterior

    def fill(self, work, game, memory):
        beliefs = self.believed(game, memory)
        work.beliefs[:] = beliefs
        work.likeliest[:] = beliefs.argmax(axis=1)
        work.live[:] = (np.delete(beliefs, int(work.root), axis=0) > 0).any(axis=0)

    def notes(self, game, work, found):
        opponents = [seat for seat in range(game.seats) if seat != work.root]
        rows = {seat: dict(zip(self.kinds, map(float, work.beliefs[seat]), strict=True)) for seat in opponents}
        return {"evaluations": int(work.evaluations), "posterior": rows}


@dataclass(frozen=True, kw_only=True)
class Learner(Modeller):
    """A modeller with a probability for each kind, which it may learn from the moves seen."""

    odds: tuple[Any, ...] = ()  # the probability of each kind, or one such row a seat; none: all alike
    learn: bool = False
    floor: float = 0.05  # the least chance that a kind is given for a move
    learn_depth: int = 1  # plies that a kind is taken to look ahead when a move is judged

    @property
    def rows(self):
        return self.odds if self.odds and isinstance(self.odds[0], tuple) else (self.odds,) if self.odds else ()

    def __post_init__(self):
        object.__setattr__(self, "odds", as_tuple(self.odds))
        super().__post_init__()
        for row in self.rows:
            sound = (
                isinstance(row, tuple)
                and len(row) == len(self.kinds)
                and all(fits(odds, float) and odds >= 0 for odds in row)
            )
            if not sound or abs(math.fsum(row) - 1) > CLOSE:
                raise BadParameter(
                    f"expected {len(self.kinds)} probabilities with sum 1 for odds, got {shown(row)} in {self}"
                )
        if not 0 <= self.floor <= 1:
            raise BadParameter(f"expected a floor from 0 to 1, got {self.floor!r} in {self}")
        most = self.deepest
        if not 1 <= self.learn_depth <= most:
            raise BadParameter(f"expected a learn_depth from 1 to {most}, got {self.learn_depth!r} in {self}")

    def memory(self, game, seat):
        self.refuse_secrets(game)
        return Memory(seat, self.priors(game), np.zeros(game.seats, np.int64)) if self.learn else None

    def observe(self, memory, game, state, seat, move, *, compiled=None):
        """Learn from an opponent's move; `state` is the position in which it was to move."""
        self.refuse_secrets(game)
        if seat == memory.seat or admitted(game, state) != seat:
            raise BadParameter(
                f"expected a move of an opponent of seat {memory.seat} who is to move, got one of seat {seat} in {game}"
            )
        ready = self.ready(game, Ask(compiled=compiled))
        work = ready.workspace(state, stream(0, "agent"))
        work.root = memory.seat
        self.fill(work, game, memory)
        ready.warm(work)
        search(ready, work, self.learn_depth)
        memory.seen[seat] += 1
        count = int(work.counts[0])
        chances = chances_of(move, work.moves[0, :count], work.root_likings[:count], ready.switches.rounding)
        weights = memory.posterior[seat] * np.maximum(chances, self.floor)
        if weights.sum() > 0:
            weights = np.where(weights > 0, np.maximum(weights / weights.sum(), LEAST), 0.0)
            memory.posterior[seat] = weights / weights.sum()


def chances_of(move, moves, likings, rounding):
    """How probable a move is for each kind, whose likings are [move, kind]: each plays any of its moves that are best
    up to rounding.

    A move that the search did not list, because of forward pruning or because the position is a leaf, has probability 0
    for every kind.
    """
    listed = [int(each) for each in moves]
    if move not in listed:
        return np.zeros(likings.shape[1])
    best = np.array(
        [[rounding.reaches(liking, most) for liking, most in zip(row, likings.max(axis=0))] for row in likings]
    )
    return (best / best.sum(axis=0))[listed.index(move)]


def as_tuple(value):
    """A list, or a single text, as a tuple; lists inside it too, so that an agent is hashable."""
    if isinstance(value, list | tuple):
        return tuple(as_tuple(item) if isinstance(item, list) else item for item in value)
    return (value,)
