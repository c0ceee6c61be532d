"""Every match of an experiment by its number: who sits where, on which start, with which seed.

Numbers run block by block, so that an experiment that was stopped has whole blocks, and more starts only add numbers at the end. A match's
seed follows from the experiment's seed and the match's number, never from the worker or the order.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kingmaker.arena.experiment import Experiment, Variant, experiment_from
from kingmaker.arena.seating import DRAWN, arrangements, choices, table_arrangements
from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import shuffle, stream

SEED_BITS = 63  # what a store's whole number can hold


@dataclass(frozen=True)
class Task:
    """One match to play."""

    number: int
    variant: int
    block: int
    seating: tuple[int, ...]  # agent numbers by seat
    seed: int


class Schedule:
    """All tasks of an experiment, each made when it is asked for."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.variants = [Variant(experiment, settings) for settings in experiment.variants]
        self.seatings = [self.seatings_of(variant.game.seats) for variant in self.variants]
        self.per_block = sum(map(len, self.seatings))

    def __len__(self) -> int:
        return self.per_block * self.experiment.blocks

    def seatings_of(self, seats: int) -> list[tuple[int, ...]]:
        """What every block plays; of the drawn kinds the choice of agents, in the order of their numbers."""
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

    def task(self, number: int) -> Task:
        """The match of that number."""
        block, rest = divmod(number, self.per_block)
        variant = 0
        while rest >= len(self.seatings[variant]):
            rest -= len(self.seatings[variant])
            variant += 1
        seating = self.seatings[variant][rest]
        if self.experiment.seating in DRAWN:
            seating = self.drawn(seating, block, rest)[: self.variants[variant].game.seats]
        return Task(number, variant, block, seating, seed_of(self.experiment.seed, "match", number))

    def drawn(self, seating: tuple[int, ...], block: int, index: int) -> tuple[int, ...]:
        """The same agents in a random order, the same in every variant."""
        order = list(seating)
        with np.errstate(over="ignore"):
            shuffle(stream(self.experiment.seed, "seating", block, index), order, len(order))
        return tuple(order)

    def start_seed(self, block: int, hand: int) -> int:
        """The start of a block's hand: one deal for all seatings and settings."""
        return seed_of(self.experiment.seed, "start", block, hand)

    def independent(self, variant: int) -> bool:
        """Is every game of its own, so that games and not blocks may be counted?"""
        seatings = self.seatings[variant]
        return len(seatings) == 1 and len(set(seatings[0])) == len(seatings[0]) and self.experiment.hands in (None, 1)


def seed_of(seed: int, *names: object) -> int:
    return int(stream(seed, *names).word) >> (64 - SEED_BITS)


@lru_cache(maxsize=4)
def schedule_of(text: str) -> Schedule:
    """The schedule of an experiment's text, made once a process."""
    return Schedule(experiment_from(text))
