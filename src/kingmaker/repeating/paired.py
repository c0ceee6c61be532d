"""Rows of one table compared block by block: all settings of a sweep have the same starts, and agents that meet at one
table take each other's wins, so the two rates of a block belong together.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.arena.results.live import Running
from kingmaker.arena.results.standings import Standing, Standings, standings
from kingmaker.arena.results.store import Store
from kingmaker.arena.results.tally import Table

COLUMNS = ("share", "wins", "with_ties")
# by setting, agent and column, then by block: what the agent reached, and how many seats it had
Rates = dict[tuple[int, str, str], dict[int, tuple[float, float]]]


@dataclass(frozen=True, kw_only=True)
class Detailed(Standings):
    """All results of an experiment, with the rates of every block."""

    rates: Rates
    settings: list[dict[str, Any]]

    def differences(self, one: Standing, other: Standing, column: str) -> np.ndarray:
        """The difference of two rates, and how far every block is off it: numbers whose mean is the difference and
        whose variance gives its error. Blocks may be of different sizes; then this is the usual linear approximation
        for a ratio of two sums.
        """
        mine, theirs = (self.rates[self.settings.index(each.settings), each.agent, column] for each in (one, other))
        blocks = sorted(mine.keys() | theirs.keys())
        found, rest = [], []
        for known in (mine, theirs):
            scores, sizes = np.array([known.get(block, (0.0, 0.0)) for block in blocks]).T
            found.append(scores.sum() / sizes.sum())
            rest.append((scores - found[-1] * sizes) / sizes.mean())
        return np.asarray(found[0] - found[1] + rest[0] - rest[1])


def detailed(store: Store) -> Detailed:
    """The standings of all that is stored, with the rates of every block."""
    running = Running(store.outline)
    running.add_stored(store)
    rates: Rates = {}
    for variant, (setup, tally) in enumerate(zip(store.outline.variants, running.tallies, strict=True)):
        table, names = tally.table(), sorted(tally.pairs)
        for number, agent in enumerate(setup.names):
            for column in COLUMNS:
                scores = scored(table, number, column)
                rates[variant, agent, column] = dict(zip(names, zip(*scores, strict=True), strict=True))
    found = standings(store)
    return Detailed(**vars(found), rates=rates, settings=[setup.settings for setup in store.outline.variants])


def scored(table: Table, agent: int, column: str) -> tuple[np.ndarray, np.ndarray]:
    """What an agent reached in every block, and how many seats it had there."""
    winners = table.best.sum(axis=1, keepdims=True)
    part = {
        "share": table.best / np.maximum(1, winners),
        "wins": table.best & (winners == 1),
        "with_ties": table.best,
    }[column]
    mine = table.seating == agent
    return table.over_blocks(np.where(mine, part, 0.0).sum(axis=1)), table.over_blocks(mine.sum(axis=1))
