"""Tables that are not about matches won: what was counted for each row, start by start, and what follows from it.

A row is an agent or a game. One observation is a pair of numbers, an amount and what it is out of: evaluations of one
search, the payoff of one match, or influential states of those in one match. Rows that have the same starts are
compared start by start.
"""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from kingmaker.arena.experiment.declaration import BadExperiment, Count, Table, sentence
from kingmaker.stats.blocks import interval, paired

Pairs = dict[str, list[tuple[float, float]]]


class Sample(Table, frozen=True):
    """What is asked for one row."""

    agent: str  # the search; for impact, who plays the matches
    game: str = ""  # the game of the table if empty
    against: str = ""  # payoff: who sits on the other seats
    estimate: str = ""  # impact: the game's first estimate if empty
    rule: Literal["distinct", "reduces"] = "distinct"
    phase: str = ""  # impact: only the states of this phase


class Samples(Table, frozen=True):
    """The content of a file of samples."""

    question: str
    measure: Literal["evaluations", "payoff", "impact"]
    rows: dict[str, Sample]
    game: str = ""
    starts: Count = 100
    seed: int = 0
    interpreted: bool = False  # run everything as plain Python, not compiled: slower, but the same
    sums: dict[str, list[str]] = {}  # further rows, each the sum of some; a row may be added several times

    def game_of(self, label: str) -> str:
        return self.rows[label].game or self.game


def read_samples(path: Path) -> Samples:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Samples)
    except msgspec.ValidationError as fault:
        raise BadExperiment(f"{sentence(str(fault))} in {path.name}") from None


@dataclass(frozen=True)
class Found:
    """What was counted so far."""

    samples: Samples
    pairs: Pairs  # by row: amount and what it is out of, one pair for each start
    method: str = "over starts"

    @property
    def blocks(self) -> int:
        return min((len(each) for each in self.pairs.values()), default=0)

    @property
    def matches(self) -> int:
        return sum(len(each) for each in self.pairs.values())

    @property
    def finished(self) -> int:
        return self.blocks

    def observed(self, label: str) -> tuple[np.ndarray, np.ndarray]:
        """Amounts of a row by start, and what they are out of."""
        if label in self.samples.sums:
            parts = [self.observed(each) for each in self.samples.sums[label]]
            return np.sum([amounts for amounts, _ in parts], axis=0), parts[0][1]
        table = np.array(self.pairs[label][: self.blocks], float).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def value(self, label: str) -> tuple[float, float | None, float | None]:
        """The mean of a row with its 95 % confidence interval over starts."""
        from scipy.special import stdtrit

        amounts, sizes = self.observed(label)
        total = float(sizes.sum())
        if not total:
            return math.nan, None, None
        mean = float(amounts.sum()) / total
        if self.samples.measure == "impact":
            return mean, *interval(amounts, sizes)
        if len(amounts) < 2:
            return mean, None, None
        error = float(amounts.std(ddof=1)) / math.sqrt(len(amounts))
        half = float(stdtrit(len(amounts) - 1, 0.975)) * error
        return mean, mean - half, mean + half

    def differences(self, first: str, second: str) -> np.ndarray | None:
        """The first row less the second, start by start; None if they have not the same starts."""
        names = [label for each in (first, second) for label in self.samples.sums.get(each, [each])]
        if len({self.samples.game_of(label) for label in names}) > 1 or self.samples.measure == "impact":
            return None
        return np.asarray(self.observed(first)[0] - self.observed(second)[0])

    def clearly(self, first: str, second: str, alpha: float) -> int:
        """Is the first row clearly above (1) or below (-1) the second, or is it not decided (0)?"""
        differences = self.differences(first, second)
        if differences is None:
            return self.apart(first, second, alpha)
        return 0 if paired(differences) >= alpha else 1 if differences.sum() > 0 else -1

    def apart(self, first: str, second: str, alpha: float) -> int:
        """The same from the two intervals alone, for rows that have not the same starts."""
        from scipy.special import stdtrit

        one, other = self.value(first), self.value(second)
        if one[1] is None or one[2] is None or other[1] is None or other[2] is None:
            return 0
        wide = (
            float(stdtrit(self.blocks - 1, alpha / 2) / stdtrit(self.blocks - 1, 0.025))
            if self.blocks > 1
            else math.inf
        )
        error = wide * math.hypot(one[2] - one[1], other[2] - other[1]) / 2
        return 0 if abs(one[0] - other[0]) <= error else 1 if one[0] > other[0] else -1
