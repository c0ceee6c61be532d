"""Every match of an experiment by its number: who sits where, on which start, with which seed.

Numbers run block by block, so that an experiment that was stopped has whole blocks, and more starts only add numbers at
the end. A match's seed follows from the experiment's seed and the match's number, never from the worker or the order.

The outline knows all of this without making a game. A store keeps what the outline needs, so a store can be read
without running any code of the game that was played. The schedule is an outline with its games and agents made, ready
to be played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from kingmaker.arena.experiment.declaration import (
    Experiment,
    Setup,
    Variant,
    expect_one_hand,
    experiment_from,
    variant_of,
)
from kingmaker.arena.table.seating import DRAWN, arrangements, choices, squares, table_arrangements
from kingmaker.core.errors import BadParameter
from kingmaker.core.own_files import editions
from kingmaker.core.rng import shuffle, stream

SEED_BITS = 63  # a whole number of SQLite has 64 bits with its sign
MOST = 10**12  # matches, more than anybody will ever play


@dataclass(frozen=True)
class Task:
    """One match to play."""

    number: int
    variant: int
    block: int  # number of its round, in which every seating is played once
    start: int  # number of its start; with repeats several blocks share one start
    seating: tuple[int, ...]  # agent numbers by seat
    seed: int


class Outline:
    """All tasks of an experiment, each made when it is asked for."""

    variants: Sequence[Setup]

    def __init__(self, experiment: Experiment, variants: Sequence[Setup]) -> None:
        self.experiment, self.variants = experiment, variants
        self.squares = [self.squares_of(variant.seats) for variant in variants]
        self.seatings = [
            found[0] if found else self.seatings_of(variant.seats)
            for found, variant in zip(self.squares, variants, strict=True)
        ]
        self.per_block = sum(map(len, self.seatings))
        if self.per_block * experiment.blocks > MOST:
            raise BadParameter(
                f"expected at most {MOST:,} matches, got {self.per_block} a start "
                f"and {experiment.blocks} starts; ask for fewer starts"
            )

    def __len__(self) -> int:
        return self.per_block * self.experiment.blocks

    def seatings_of(self, seats: int) -> list[tuple[int, ...]]:
        """The seatings that every block plays; if the order is drawn at random, the agents in the order of their
        numbers.
        """
        experiment = self.experiment
        count, kind = len(experiment.agents), experiment.seating
        if experiment.lineup is not None:
            names = list(experiment.agents)
            table = [names.index(name) for name in experiment.lineup]
            if len(table) != seats:
                raise BadParameter(f"expected {seats} agents in the line-up, got {len(table)}")
            return table_arrangements(table, "fixed" if kind == "random" else kind)
        if kind == "lineups":
            return choices(count, seats)
        if kind == "random":
            return [tuple(seat % count for seat in range(max(seats, count)))]
        return arrangements(count, seats, kind)

    def squares_of(self, seats: int) -> list[list[tuple[int, ...]]]:
        """The squares, one of which is played from every start; none if every start is played in all seatings."""
        return squares(len(self.experiment.agents), seats, self.experiment.seating) if self.experiment.squares else []

    def task(self, number: int) -> Task:
        """The match of that number."""
        block, rest = divmod(number, self.per_block)
        variant = 0
        while rest >= len(self.seatings[variant]):
            rest -= len(self.seatings[variant])
            variant += 1
        start, found = block // self.experiment.repeats, self.squares[variant]
        seating = found[self.square(start, len(found))][rest] if found else self.seatings[variant][rest]
        if self.experiment.seating in DRAWN:
            seating = self.drawn(seating, block, rest)[: self.variants[variant].seats]
        return Task(
            number,
            variant,
            block,
            start,
            seating,
            seed_of(self.experiment.seed, "match", number),
        )

    def square(self, start: int, count: int) -> int:
        """Which square is played from a start: all in turn, in an order that is drawn anew when all had their turn."""
        turn, at = divmod(start, count)
        return drawn_order(self.experiment.seed, turn, count)[at]

    def drawn(self, seating: tuple[int, ...], block: int, index: int) -> tuple[int, ...]:
        """The same agents in a random order, the same in every variant."""
        order = list(seating)
        with np.errstate(over="ignore"):
            shuffle(stream(self.experiment.seed, "seating", block, index), order, len(order))
        return tuple(order)

    def start_seed(self, start: int, hand: int = 0) -> int:
        """The seed of a start: one deal for all seatings, settings and repeats. Only older stores have several hands in
        a match.
        """
        return seed_of(self.experiment.seed, "start", start, hand)

    def luck_seed(self, block: int) -> int:
        """The seed of the dice: the same for all seatings and settings of a block."""
        return seed_of(self.experiment.seed, "luck", block)

    def opening_seed(self, start: int, hand: int = 0) -> int:
        """The seed of the random moves that are played first."""
        return seed_of(self.experiment.seed, "opening", start, hand)


class Schedule(Outline):
    """An outline whose games and agents are made."""

    variants: list[Variant]

    def __init__(self, experiment: Experiment) -> None:
        expect_one_hand(experiment)
        super().__init__(experiment, [variant_of(experiment, settings) for settings in experiment.variants])


@lru_cache(maxsize=64)
def drawn_order(seed: int, turn: int, count: int) -> tuple[int, ...]:
    order = list(range(count))
    with np.errstate(over="ignore"):
        shuffle(stream(seed, "square", turn), order, count)
    return tuple(order)


def seed_of(seed: int, *names: object) -> int:
    return int(stream(seed, *names).word) >> (64 - SEED_BITS)


def schedule_of(text: str) -> Schedule:
    """The schedule of an experiment's text, made once per process, and again when a file that it names has changed."""
    return kept(text, editions([text]))


@lru_cache(maxsize=4)
def kept(text: str, editions: Any) -> Schedule:
    return Schedule(experiment_from(text))
