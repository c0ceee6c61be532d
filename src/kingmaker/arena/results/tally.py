"""The evidence of the matches under one setting, counted in one way for `match`, the live table, status and report.

All matches from one start form one block. If there is only one start, the experiment asks about that start, and the
blocks are the rounds: in each round every seating is played once, with random numbers of its own. If matches of the
same agents were identical whenever start and seating were the same, nothing is random at that table; such copies count
once, because playing them again adds no evidence. As soon as two of them differ, all count.

Matches may come in any order, the result is the same. Memory is bounded: beyond `BLOCKS` blocks, or when there are too
many kinds of matches, blocks are merged, because a sum of independent blocks is again independent of the others.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import add
from typing import Any, NamedTuple

import numpy as np

from kingmaker.stats.blocks import interval, paired, seat_balance
from kingmaker.stats.places import ahead, best_seats
from kingmaker.stats.power import blocks_needed
from kingmaker.stats.ratings import ELO, Ratings, plackett_luce

BLOCKS = 4096  # most blocks that are kept apart
KINDS = 200_000  # pairs of a block and a kind of match in memory, for all settings together
SEEN = 1 << 20  # about how many pairs of start and seating are remembered to find copies
CACHED = 50_000
LUCKLESS = -1  # stands for the round of a match that would be the same in every round
LEAST = 64  # blocks are merged into at least so many groups
MOVES, NODES, DEPTHS, POINTS, GAMES, SECONDS = range(6)  # what is summed up over all finished matches of an agent
Interval = tuple[float, float]
Match = tuple[tuple[int, ...], tuple[float, ...]]  # seating and payoffs


@dataclass(frozen=True)
class Row:
    """One agent's result."""

    games: int  # seats it sat on in finished matches, copies left out
    wins: int  # as the only best seat
    shared: int  # as one of several best seats
    share: float  # share of wins; a win shared by k seats counts 1/k for each
    share_interval: Interval
    win_rate: float
    win_interval: Interval
    ties_rate: float  # sole and shared wins
    ties_interval: Interval
    victory_points: float  # part of all points, where each of the best seats gets one point
    elo: float | None  # None: not known
    elo_error: float | None  # the interval is 1.96 times this to both sides; None: not known
    elo_bound: str  # "<": never won, its rating is below `elo`; ">": never lost, its rating is above; else empty
    depth: float  # mean per move
    nodes: float  # mean per move
    moves: int

    @property
    def elo_text(self) -> str:
        """The rating for people: with its interval, or as a bound."""
        return elo_text(self.elo, self.elo_error, self.elo_bound)


def elo_text(elo: float | None, error: float | None, bound: str) -> str:
    if elo is None:
        return "–"
    if bound:
        return f"{bound} {round(elo):+d}"
    return f"{round(elo):+d}" if error is None else f"{round(elo):+d} ± {round(1.96 * error)}"


class Kind(NamedTuple):
    """The kind of a match: who sat where, and which seats were best."""

    seating: tuple[int, ...]
    best: tuple[int, ...]


class Said(NamedTuple):
    """What the tally counts of a match."""

    kind: int
    table: frozenset[int]  # the agents
    pairs: tuple[tuple[int, int], ...]  # of agents that met: place in the sums, and the sign of who was ahead


class Tally:
    """Counts the matches of one setting."""

    def __init__(self, agents: int, seats: int, settings: int = 1) -> None:
        self.agents, self.seats, self.most = agents, seats, max(1000, KINDS // settings)
        self.matches = self.finished = self.unfinished = self.failed = self.different = 0
        self.spent = [[0.0] * 6 for _ in range(agents)]
        self.faults = [0] * agents
        self.pair_list = list(combinations(range(agents), 2))
        self.pair_at = {pair: at for at, pair in enumerate(self.pair_list)}
        self.start: int | None = None  # the first start
        self.starts = 0  # different starts: 0, 1, or 2 if there are several
        self.groups = 0  # number of groups into which blocks are merged; 0: blocks are not merged
        self.kinds: dict[Kind, int] = {}
        self.said: dict[Any, Said] = {}
        self.counts: dict[tuple[int, int], int] = {}  # by block and kind
        # by block: for each pair how often it met, and how often the first was ahead minus how often behind; matches
        self.pairs: dict[int, list[int]] = {}
        # by table, then by start and seating: how the first match went, and its round
        self.seen: dict[frozenset[int], dict[Any, Any]] = {}
        self.lucky: set[frozenset[int]] = set()  # tables at which equal starts led to different matches
        # by table: matches that do not count, unless the table turns out to have randomness
        self.copies: dict[frozenset[int], Counter[tuple[int, int, Any]]] = {}

    def add(self, match: Match, *, start: int, round: int, line: int) -> None:
        """Count one finished match; `start` is equal for equal starts, `line` for matches that went alike."""
        self.matches += 1
        self.finished += 1
        self.weigh(match, start, round % BLOCKS, line)

    def spend(self, match: Match, spent: Iterable[Sequence[float]]) -> None:
        """Add up what a finished match cost each seat, copies included: moves, nodes, depths and perhaps seconds."""
        for number, payoff, (moves, nodes, depths, *seconds) in zip(*match, spent, strict=True):
            self.pay(number, (moves, nodes, depths, payoff, 1, *seconds))

    def pay(self, agent: int, amounts: Sequence[float]) -> None:
        """The same for one agent: moves, nodes, depths, payoffs, games and perhaps seconds."""
        for column, amount in enumerate(amounts):
            self.spent[agent][column] += amount

    def add_fault(self, seating: Sequence[int], culprit: int | None) -> None:
        """Count one match that failed."""
        self.matches += 1
        self.failed += 1
        if culprit is not None:
            self.faults[seating[culprit]] += 1

    def add_unfinished(self) -> None:
        self.matches += 1
        self.unfinished += 1

    def weigh(self, match: Match, start: int, round: int, line: int) -> None:
        """Count a match, unless it is a copy; as long as nothing is random at its table, it belongs to no round."""
        said = self.said.get(match) or self.read(match)
        if said.table not in self.lucky:
            key, went = (start, match[0]), (line, match[1])
            seen = self.seen.setdefault(said.table, {})
            before = seen.get(key)
            if before is None and len(seen) * len(self.seen) < SEEN:
                seen[key] = (*went, round)
                self.count(said, start, LUCKLESS, 1)
                return
            if before is not None and before[:2] == went:
                self.copies.setdefault(said.table, Counter())[start, round, match] += 1
                return
            if before is not None:
                self.turn_lucky(said.table)
        self.count(said, start, round, 1)

    def turn_lucky(self, table: frozenset[int]) -> None:
        """Called when matches of these agents differ although start and seating are the same: all of them count, each
        in its round.
        """
        self.lucky.add(table)
        for (start, seating), (_, payoffs, nth) in self.seen.pop(table).items():
            said = self.said.get((seating, payoffs)) or self.read((seating, payoffs))
            self.count(said, start, LUCKLESS, -1)
            self.count(said, start, nth, 1)
        for (start, nth, copy), times in self.copies.pop(table, Counter()).items():
            self.count(self.said.get(copy) or self.read(copy), start, nth, times)

    def read(self, match: Match) -> Said:
        """What the tally counts of a match with this seating and these payoffs."""
        seating, payoffs = match
        kind = Kind(seating, best_seats(payoffs))
        reached: dict[int, list[float]] = {}
        for number, payoff in zip(seating, payoffs, strict=True):
            reached.setdefault(number, []).append(payoff)
        means = {number: math.fsum(mine) / len(mine) for number, mine in reached.items()}
        pairs = tuple(
            (2 * self.pair_at[pair], ahead(means[pair[0]], means[pair[1]])) for pair in combinations(sorted(means), 2)
        )
        if len(self.said) >= CACHED:
            self.said.clear()
        self.said[match] = Said(self.kinds.setdefault(kind, len(self.kinds)), frozenset(reached), pairs)
        return self.said[match]

    def count(self, said: Said, start: int, round: int, times: int) -> None:
        """Add a match to its block, or take it out."""
        self.different += times
        if start != self.start and self.starts < 2:
            self.another(start)
        name = round if self.starts == 1 else start
        block = name % self.groups if self.groups else name
        key = (block, said.kind)
        counts, sums = self.counts, self.pairs.get(block)
        if sums is None:
            sums = self.pairs[block] = [0] * (2 * len(self.pair_list) + 1)
        for at, sign in said.pairs:
            sums[at] += times
            sums[at + 1] += times * sign
        sums[-1] += times
        if key in counts:
            counts[key] += times
        else:
            counts[key] = times
            self.shrink()
        if times < 0:
            self.drop(block, key)

    def another(self, start: int) -> None:
        """Take note of a start that differs from the start of all matches so far."""
        if self.start is None:
            self.start, self.starts = start, 1
        else:
            self.starts, self.groups = 2, 0
            self.merge(lambda _: self.start)

    def drop(self, block: int, key: tuple[int, int]) -> None:
        """Remove entries that have become empty."""
        if not self.counts[key]:
            del self.counts[key]
        if not self.pairs[block][-1]:
            del self.pairs[block]

    def shrink(self) -> None:
        """Merge blocks until there are few enough."""
        while len(self.pairs) > (self.groups or BLOCKS) or (len(self.counts) > self.most and self.groups != LEAST):
            self.groups = (self.groups or BLOCKS) // 2
            self.merge(lambda block: block % self.groups)

    def merge(self, into: Any) -> None:
        """Give the blocks other names; blocks of the same name become one."""
        counts, pairs = self.counts, self.pairs
        self.counts, self.pairs = {}, {}
        for (block, kind), times in counts.items():
            key = (into(block), kind)
            self.counts[key] = self.counts.get(key, 0) + times
        for block, sums in pairs.items():
            before = self.pairs.get(into(block))
            self.pairs[into(block)] = [*map(add, before, sums)] if before else sums

    @property
    def blocks(self) -> int:
        """The number of blocks that the confidence intervals are computed from."""
        return len(self.pairs)

    @property
    def method(self) -> str:
        """What the blocks of the confidence intervals are."""
        if self.groups:
            return f"over blocks, merged to {self.blocks}"
        return "over rounds from one start" if self.starts == 1 else "over starts"

    def missing(self, opening: str, more: bool = False) -> str:
        """What the matches lack to be evidence, and the way out, in one line; empty if they lack nothing.

        `opening` is how one asks for an opening; `more` says that more rounds will come.
        """
        if self.finished > self.different:
            if self.starts == 1:
                starts, way = "there is one start", "a game with random starts"
            else:
                starts, way = f"there are {'at least ' * bool(self.groups)}{self.blocks} starts", "more starts"
            told = f"{self.finished} matches are {self.different} different one{'s' * (self.different != 1)}"
            who = "some agents are" if self.lucky else "the agents are"
            return f"{told}: {who} deterministic and {starts}; use {opening}, or {way}"
        if self.finished and self.blocks < 2 and not more:
            return f"the matches are one block, and an interval needs two; play more, or use {opening}"
        return ""

    def table(self) -> "Table":
        """The evidence as arrays."""
        return Table(self)


class Table:
    """A tally's evidence as arrays, and what follows from it."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        order = sorted(tally.kinds)
        # an order that does not depend on the order in which matches came
        place = {tally.kinds[kind]: at for at, kind in enumerate(order)}
        names = {name: at for at, name in enumerate(sorted(tally.pairs))}
        entries = sorted((names[block], place[kind], times) for (block, kind), times in tally.counts.items())
        rows = np.array(entries, int).reshape(-1, 3)
        self.block, self.kind, self.times = rows[:, 0], rows[:, 1], rows[:, 2].astype(float)
        self.seating = np.array([kind.seating for kind in order], int).reshape(-1, tally.seats)
        self.best = np.array([[seat in kind.best for seat in range(tally.seats)] for kind in order], bool).reshape(
            -1, tally.seats
        )
        sums = np.array([tally.pairs[name][:-1] for name in names], float)
        self.pairs = sums.reshape(len(names), len(tally.pair_list), 2)
        self.blocks = len(names)

    def over_blocks(self, of_kind: np.ndarray) -> np.ndarray:
        """A number that each kind of match has, summed over the matches of every block."""
        return np.bincount(self.block, of_kind[self.kind] * self.times, self.blocks)

    def ratings(self) -> Ratings | None:
        """Ratings from first places; None if there is no match."""
        if not self.blocks:
            return None
        first = self.best.astype(float)
        return plackett_luce(
            self.seating, first, agents=self.tally.agents, kinds=self.kind, counts=self.times, blocks=self.block
        )

    def rows(self, ratings: Ratings | None) -> list[Row]:
        """Every agent's result."""
        from scipy.special import stdtrit

        winners = self.best.sum(axis=1, keepdims=True)
        parts = {"share": self.best / np.maximum(1, winners), "win": self.best & (winners == 1), "ties": self.best}
        points = float(self.over_blocks(winners[:, 0]).sum()) if self.blocks else 0.0
        widened = float(stdtrit(self.blocks - 1, 0.975)) / 1.96 if self.blocks > 1 else math.nan
        rows = []
        for number in range(self.tally.agents):
            mine = self.seating == number
            sizes = self.over_blocks(mine.sum(axis=1))
            games, sums, ends = round(sizes.sum()), {}, {}
            for key, part in parts.items():
                scores = self.over_blocks(np.where(mine, part, 0.0).sum(axis=1))
                sums[key], ends[key] = float(scores.sum()), interval(scores, sizes)
            moves, nodes, depths = self.tally.spent[number][: DEPTHS + 1]
            bound = ratings.agent_bounds[number] if ratings else ""
            rows.append(
                Row(
                    games=games,
                    wins=round(sums["win"]),
                    shared=round(sums["ties"] - sums["win"]),
                    share=rate(sums["share"], games),
                    share_interval=ends["share"],
                    win_rate=rate(sums["win"], games),
                    win_interval=ends["win"],
                    ties_rate=rate(sums["ties"], games),
                    ties_interval=ends["ties"],
                    victory_points=rate(sums["ties"], points),
                    elo=known(ratings.elo[number]) if ratings else None,
                    elo_error=known(ratings.elo_errors[number] * widened) if ratings else None,
                    elo_bound=bound if bound in "<>" else "",
                    depth=rate(depths, moves),
                    nodes=rate(nodes, moves),
                    moves=round(moves),
                )
            )
        return rows

    def pair_rows(self) -> list[tuple[int, int, int, float, float, int | None]]:
        """For every two agents that met: matches, the part in which the first was ahead with a tie as half, the p-value
        of equal strength, and the blocks needed to detect a lead of 5 percentage points.
        """
        found = []
        for at, (first, second) in enumerate(self.tally.pair_list):
            met, signs = self.pairs[:, at, 0], self.pairs[:, at, 1]
            matches = round(met.sum())
            if matches:
                scores = signs[met > 0] / met[met > 0]
                deviation = float(scores.std(ddof=1)) / 2 if len(scores) > 1 else 0.0
                need = blocks_needed(0.05, deviation) if deviation else None
                found.append((first, second, matches, float((1 + signs.sum() / matches) / 2), paired(scores), need))
        return found

    def seat_row(self, ratings: Ratings | None) -> dict[str, Any]:
        """Sole wins, matches and Elo of every seat, and the p-value of equal seats."""
        sole = self.best & (self.best.sum(axis=1, keepdims=True) == 1)
        wins = np.array([self.over_blocks(sole[:, seat]) for seat in range(self.tally.seats)]).T.reshape(
            -1, self.tally.seats
        )
        seats = ratings.seats if ratings else np.zeros(0)
        return {
            "wins": [round(count) for count in wins.sum(axis=0)],
            "games": [self.tally.different] * self.tally.seats,
            "elo": [known(value * ELO) for value in seats],
            "elo_error": [known(value * ELO) for value in ratings.seat_errors] if ratings else [],
            "elo_bound": [bound if bound in "<>" else "" for bound in ratings.seat_bounds] if ratings else [],
            "chance": seat_balance(wins) if len(wins) else 1.0,
        }


def rate(amount: float, of: float) -> float:
    return amount / of if of else 0.0


def known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def number_of(text: str) -> int:
    """A hash of a text: a whole number of 63 bits, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
