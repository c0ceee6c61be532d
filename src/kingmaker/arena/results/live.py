"""The matches of an experiment, counted as they come in: the live table, status and report all read them here.

Memory does not grow with the number of matches.
"""

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from kingmaker.arena.experiment.schedule import Outline
from kingmaker.arena.results.result import FAILED, FINISHED, Result
from kingmaker.arena.results.stopping import Round, Stopping
from kingmaker.arena.results.store import Store
from kingmaker.arena.results.tally import Match, Row, Tally, number_of
from kingmaker.stats.places import best_seats

COLUMNS = "variant, block, status, seating, payoffs, efforts, culprit, line"
PAGE = 20_000
CACHED = 50_000


class Running:
    """Counts matches, in any order."""

    def __init__(self, schedule: Outline) -> None:
        self.schedule = schedule
        self.total, self.done, self.new = len(schedule), 0, 0
        self.began: float | None = None  # when the first match of this session came back
        self.tallies = [
            Tally(len(variant.names), variant.seats, len(schedule.variants)) for variant in schedule.variants
        ]
        self.open: dict[int, Round] = {}  # rounds that are not complete, for the sequential test
        rule, first = schedule.experiment.stop, schedule.variants[0]
        self.stopping = Stopping(rule, first.names.index(rule.agent), first.seats) if rule else None

    @property
    def failed(self) -> int:
        return sum(tally.failed for tally in self.tallies)

    @property
    def unfinished(self) -> int:
        return sum(tally.unfinished for tally in self.tallies)

    def add(self, result: Result) -> None:
        """Count one match that was just played."""
        self.new += 1
        if self.began is None:
            self.began = time.monotonic()
        start = self.start_of(result.starts)
        self.count(
            result.variant,
            result.block,
            result.status,
            (result.seating, result.payoffs),
            result.culprit,
            start,
            result.line,
        )
        if result.status == FINISHED:
            spent = zip(result.moves, result.nodes, result.depths, strict=True)
            self.tallies[result.variant].spend((result.seating, result.payoffs), spent)

    def count(
        self, variant: int, block: int, status: str, match: Match, culprit: int | None, start: int, line: int
    ) -> None:
        """Count the result of a match, but not its moves, nodes and depths."""
        self.done += 1
        tally = self.tallies[variant]
        if status == FINISHED:
            tally.add(match, start=start, round=block, line=line)
        elif status == FAILED:
            tally.add_fault(match[0], culprit)
        else:
            tally.add_unfinished()
        if self.stopping:
            self.in_order(block, match, start, line, status == FINISHED)

    def in_order(self, block: int, match: Match, start: int, line: int, finished: bool) -> None:
        """Give a round to the sequential test when all its matches have come back."""
        assert self.stopping
        part = self.open.get(block)
        if part is None:
            part = self.open[block] = Round(len(self.schedule.seatings[0]))
        part.left -= 1
        if finished:
            seating, payoffs = match
            best = best_seats(payoffs)
            for seat, number in enumerate(seating):
                if number == self.stopping.agent:
                    part.games += 1
                    part.score += (seat in best) / len(best)
            part.start = start
            part.lines[seating] = (line, payoffs)
        if part.left == 0:
            self.stopping.add(block, self.open.pop(block))

    def start_of(self, positions: Sequence[str]) -> int:
        """A hash of a start. In older stores it covers the starts of all hands, or, if the number of hands depends on
        the points, only the first.
        """
        return number_of("\n".join(positions if self.schedule.experiment.points is None else positions[:1]))

    def add_stored(self, store: Store) -> None:
        """Count what a store holds."""
        starts = self.stored_starts(store)
        nowhere = self.start_of(())
        known: dict[tuple[str, str], Match] = {}
        cursor = store.connection.execute(f"SELECT {COLUMNS} FROM matches ORDER BY match")
        while page := cursor.fetchmany(PAGE):
            if len(known) > CACHED:
                known.clear()
            efforts: list[list[tuple[Match, bytes]]] = [[] for _ in self.tallies]
            for variant, block, status, seating, payoffs, spent, culprit, line in page:
                match = known.get((seating, payoffs))
                if match is None:
                    match = known[seating, payoffs] = (tuple(read(seating)), tuple(read(payoffs)))
                self.count(variant, block, status, match, culprit, starts.get((variant, block), nowhere), line)
                if status == FINISHED:
                    efforts[variant].append((match, spent))
            for tally, finished in zip(self.tallies, efforts, strict=True):
                if finished:
                    self.spend_stored(tally, finished)

    def stored_starts(self, store: Store) -> dict[tuple[int, int], int]:
        """The number of every block's start."""
        found: dict[tuple[int, int], list[str]] = {}
        for variant, block, position in store.rows("variant, block, position", "starts", "variant, block, hand"):
            found.setdefault((variant, block), []).append(position)
        return {key: self.start_of(positions) for key, positions in found.items()}

    def spend_stored(self, tally: Tally, finished: Iterable[tuple[Match, bytes]]) -> None:
        """Add up the moves, nodes, depths and payoffs of many matches at once."""
        matches, efforts = zip(*finished, strict=True)
        agents = np.array([seating for seating, _ in matches], int).ravel()
        points = np.array([payoffs for _, payoffs in matches], float).ravel()
        spent = np.frombuffer(b"".join(efforts), "<i8").reshape(-1, 3).astype(float)
        sums = [np.bincount(agents, column, tally.agents) for column in (*spent.T, points, np.ones(len(agents)))]
        for number in range(tally.agents):
            tally.pay(number, [float(column[number]) for column in sums])

    @property
    def decided(self) -> bool:
        """Has the sequential test ended the experiment?"""
        return self.stopping is not None and self.stopping.decided

    @property
    def rate(self) -> float:
        """Matches per second in this session, without the first match, which includes compiling; 0: not known yet."""
        return (self.new - 1) / max(1e-9, time.monotonic() - self.began) if self.began is not None else 0.0

    @property
    def seconds_left(self) -> float:
        return (self.total - self.done) / self.rate if self.rate else math.inf

    def rows(self, variant: int) -> list[Row]:
        """Every agent's result so far."""
        table = self.tallies[variant].table()
        return table.rows(table.ratings())

    @property
    def missing(self) -> str:
        """What the matches lack to be evidence, in one line, for the setting with the largest part of copies."""
        worst = max(self.tallies, key=lambda tally: (tally.finished - tally.different) / max(1, tally.finished))
        return worst.missing(f"opening = {2 * self.schedule.experiment.opening or 4}", more=self.done < self.total)


def read(text: str) -> Any:
    return msgspec.json.decode(text)
