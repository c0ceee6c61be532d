"""The standings while an experiment runs: what fits in memory however many matches there are."""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from kingmaker.arena.match import best_seats
from kingmaker.arena.play import FAILED, FINISHED
from kingmaker.arena.schedule import Schedule
from kingmaker.arena.stopping import Stopping
from kingmaker.arena.store import Store, unpacked
from kingmaker.stats.intervals import wilson
from kingmaker.stats.ratings import plackett_luce

MOST_KINDS = 50_000  # different pairs of seating and winners; beyond, no rating is shown while it runs


@dataclass
class Line:
    """One agent under one setting."""

    variant: int
    agent: str
    games: int = 0  # seats it sat on
    wins: int = 0  # sole best
    shared: int = 0  # best with others
    score: float = 0.0  # a shared win counts as its part
    moves: int = 0
    nodes: int = 0
    depths: int = 0
    blocks: int = 0
    sums: np.ndarray = field(default_factory=lambda: np.zeros(3))  # over blocks of score², score · games, games²

    @property
    def share(self) -> float:
        return self.score / self.games if self.games else 0.0

    def interval(self, independent: bool) -> tuple[float, float]:
        """By Wilson where games are independent, else by the spread of whole blocks around the common share."""
        if independent:
            return wilson(self.score, self.games)
        if self.blocks < 2:
            return 0.0, 1.0
        share = self.share
        rest = max(0.0, self.sums[0] - 2 * share * self.sums[1] + share * share * self.sums[2])
        half = 1.96 * math.sqrt(rest * self.blocks / (self.blocks - 1)) / self.games
        return max(0.0, share - half), min(1.0, share + half)


class Running:
    """Counts matches as they come in, in any order."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.total, self.done, self.failed, self.unfinished, self.new = len(schedule), 0, 0, 0, 0
        self.began: float | None = None  # when the first match of this session came back
        self.lines = [[Line(i, name) for name in variant.names] for i, variant in enumerate(schedule.variants)]
        self.open: dict[tuple[int, int], list[Any]] = {}  # blocks that are not complete: matches left, scores and games by agent
        self.kinds: Counter[tuple[int, tuple[int, ...], tuple[int, ...]]] = Counter()
        rule, first = schedule.experiment.stop, schedule.variants[0]
        self.stopping = Stopping(rule, first.names.index(rule.agent), first.game.seats) if rule else None

    def add(
        self,
        variant: int,
        block: int,
        seating: Sequence[int],
        status: str,
        payoffs: Sequence[float],
        moves: Sequence[int],
        nodes: Sequence[int],
        depths: Sequence[int],
        *,
        old: bool = False,
    ) -> None:
        """Count one match; `old` ones were there when this session began."""
        self.done += 1
        self.new += not old
        if self.began is None and not old:
            self.began = time.monotonic()
        self.failed += status == FAILED
        self.unfinished += status not in (FAILED, FINISHED)
        agents = len(self.lines[variant])
        entry = self.open.setdefault((variant, block), [len(self.schedule.seatings[variant]), np.zeros(agents), np.zeros(agents)])
        if status == FINISHED:
            winners = best_seats(payoffs)
            for seat, number in enumerate(seating):
                line, won = self.lines[variant][number], seat in winners
                line.games += 1
                line.wins += won and len(winners) == 1
                line.shared += won and len(winners) > 1
                line.score += won / len(winners)
                line.moves += moves[seat]
                line.nodes += nodes[seat]
                line.depths += depths[seat]
                entry[1][number] += won / len(winners)
                entry[2][number] += 1
            if len(self.kinds) < MOST_KINDS:
                self.kinds[variant, tuple(seating), winners] += 1
        entry[0] -= 1
        if entry[0] == 0:
            self.close(variant, block, *self.open.pop((variant, block))[1:])

    def close(self, variant: int, block: int, scores: np.ndarray, games: np.ndarray) -> None:
        """A block is complete."""
        if self.stopping:
            self.stopping.add(block, scores, games)
        for line, score, played in zip(self.lines[variant], scores, games, strict=True):
            if played:
                line.blocks += 1
                line.sums += (score * score, score * played, played * played)

    def add_stored(self, store: Store) -> None:
        """Count what a store holds."""
        read = msgspec.json.decode
        for variant, block, seating, status, payoffs, efforts in store.rows("variant, block, seating, status, payoffs, efforts"):
            self.add(variant, block, read(seating), status, read(payoffs), *unpacked(efforts), old=True)

    @property
    def decided(self) -> bool:
        """Is there nothing left to find out?"""
        return self.stopping is not None and self.stopping.decided

    @property
    def rate(self) -> float:
        """Matches a second in this session, after the first, which waits until everything is compiled; 0: not known yet."""
        return (self.new - 1) / max(1e-9, time.monotonic() - self.began) if self.began is not None else 0.0

    @property
    def seconds_left(self) -> float:
        return (self.total - self.done) / self.rate if self.rate else math.inf

    def ratings(self, variant: int) -> list[tuple[float, float]]:
        """Elo and its error of every agent, as far as first places tell."""
        kinds = [(seating, winners, count) for (v, seating, winners), count in self.kinds.items() if v == variant]
        if not kinds or len(self.kinds) >= MOST_KINDS:
            return [(math.nan, math.nan)] * len(self.lines[variant])
        payoffs = [[float(seat in winners) for seat in range(len(seating))] for seating, winners, _ in kinds]
        found = plackett_luce([kind[0] for kind in kinds], payoffs, agents=len(self.lines[variant]), counts=[kind[2] for kind in kinds])
        return [(float(elo), float(error)) for elo, error in zip(found.elo, found.elo_errors, strict=True)]
