"""The answer of an experiment: every agent's share with its interval, ratings, pairs, seats, and what became of the expectations.

Everything is computed from the stored rows in the order of their numbers, so it is the same after any number of interruptions.
"""

import math
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

from kingmaker.arena.experiment import Expectation, Experiment
from kingmaker.arena.play import FAILED, FINISHED
from kingmaker.arena.running import Running
from kingmaker.arena.schedule import Schedule, schedule_of
from kingmaker.arena.store import Store
from kingmaker.stats.blocks import bootstrap, holm, paired, seat_balance
from kingmaker.stats.intervals import wilson
from kingmaker.stats.power import blocks_needed
from kingmaker.stats.ratings import plackett_luce

COLUMNS = "variant, block, status, seating, payoffs, efforts, culprit"
PAGE = 50_000
Interval = tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """One agent under one setting."""

    settings: dict[str, Any]
    agent: str
    form: str  # the agent as it was played
    games: int  # seats it sat on in finished matches
    wins: int  # sole best
    shared: int  # best with others
    share: float  # a shared win counts as its part
    share_interval: Interval
    win_rate: float
    win_interval: Interval
    ties_rate: float  # sole and shared
    ties_interval: Interval
    victory_points: float  # part of all points, where every one of the best gets a point
    elo: float
    elo_error: float
    depth: float  # mean a move
    nodes: float
    moves: int
    faults: int  # failed matches through this agent


@dataclass(frozen=True)
class Pair:
    """Two agents in the matches that both played."""

    settings: dict[str, Any]
    first: str
    second: str
    matches: int
    ahead: float  # part of the matches in which the first came out ahead, ties as half
    chance: float  # of so clear a result if they were equal, corrected for all pairs
    blocks_for_five: int | None  # blocks after which a lead of five points in a hundred is seen with chance 0.8


@dataclass(frozen=True)
class Judgement:
    """What became of an expectation."""

    settings: dict[str, Any]
    sentence: str
    verdict: str  # yes, no, open


@dataclass(frozen=True)
class Standings:
    """All of it."""

    question: str
    matches: int
    total: int
    finished: int
    unfinished: int
    failed: int
    blocks: int
    method: str  # of the intervals
    reproducible: bool
    table: list[Standing]
    pairs: list[Pair]
    seats: list[dict[str, Any]]  # by setting: wins, games and Elo of each seat, and the chance of so uneven wins
    judgements: list[Judgement]
    test: str = ""  # where the sequential test stands, if there is one
    decided: bool = False  # it has ended the experiment

    def best_first(self) -> list[Standing]:
        """The table for people: setting by setting, the best agent on top."""
        settings = [row.settings for row in self.table]
        return sorted(self.table, key=lambda row: (settings.index(row.settings), -row.share))

    def rows(self) -> list[dict[str, Any]]:
        """The table with plain columns."""
        rows = []
        for standing in self.table:
            row = asdict(standing)
            settings = row.pop("settings")
            for key in ("share_interval", "win_interval", "ties_interval"):
                row[f"{key[:-9]}_low"], row[f"{key[:-9]}_high"] = row.pop(key)
            rows.append(settings | row)
        return rows


class Numbered(dict[Any, int]):
    """Gives everything that it has not seen the next number."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


class Gathered:
    """The finished matches of one setting as arrays; matches of one seating and payoff are of one kind and kept once."""

    def __init__(self, agents: int, seats: int) -> None:
        self.seats = seats
        self.numbers = Numbered()
        self.blocks: list[np.ndarray] = []
        self.kinds: list[np.ndarray] = []
        self.efforts = np.zeros((agents, 3))  # moves, nodes, depths
        self.faults = np.zeros(agents, int)
        self.matches = self.unfinished = self.failed = 0

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Count rows of this setting."""
        self.matches += len(rows)
        finished = []
        for row in rows:
            if row[2] == FINISHED:
                finished.append(row)
            elif row[2] == FAILED:
                self.failed += 1
                if row[6] is not None:
                    self.faults[msgspec.json.decode(row[3])[row[6]]] += 1
            else:
                self.unfinished += 1
        if not finished:
            return
        _, blocks, _, seatings, payoffs, efforts, _ = zip(*finished, strict=True)
        self.blocks.append(np.array(blocks, np.int64))
        self.kinds.append(np.fromiter(map(self.numbers.__getitem__, zip(seatings, payoffs, strict=True)), np.int64, len(finished)))
        spent = np.frombuffer(b"".join(efforts), "<i8").reshape(len(finished), self.seats, 3).astype(float)
        agents = numbers_in([seating for seating, _ in self.numbers], self.seats)[self.kinds[-1]].astype(int)
        for at in range(3):
            self.efforts[:, at] += np.bincount(agents.ravel(), spent[:, :, at].ravel(), len(self.efforts))

    def pack(self) -> None:
        self.block = np.concatenate([*self.blocks, np.zeros(0, np.int64)])
        self.kind = np.concatenate([*self.kinds, np.zeros(0, np.int64)])
        self.seating = numbers_in([seating for seating, _ in self.numbers], self.seats).astype(int)
        self.payoffs = numbers_in([payoffs for _, payoffs in self.numbers], self.seats)
        self.counts = np.bincount(self.kind, minlength=len(self.seating))


def numbers_in(texts: list[str], seats: int) -> np.ndarray:
    """Lists of numbers, read all at once."""
    values = msgspec.json.decode("[" + ",".join(texts) + "]", type=list[list[float]])
    return np.array(values, float).reshape(len(texts), seats)


def gathered(store: Store, schedule: Schedule) -> list[Gathered]:
    """The store's rows by setting."""
    found = [Gathered(len(variant.agents), variant.game.seats) for variant in schedule.variants]
    cursor = store.connection.execute(f"SELECT {COLUMNS} FROM matches ORDER BY match")
    while page := cursor.fetchmany(PAGE):
        if len(found) == 1:
            found[0].add(page)
        else:
            for variant, each in enumerate(found):
                each.add([row for row in page if row[0] == variant])
    for each in found:
        each.pack()
    return found


def standings(store: Store) -> Standings:
    """The standings of all that is stored."""
    experiment = store.experiment
    schedule = schedule_of(experiment.as_text())
    data = gathered(store, schedule)
    table: list[Standing] = []
    pairs: list[Pair] = []
    seats: list[dict[str, Any]] = []
    for index, each in enumerate(data):
        settings = schedule.variants[index].settings
        best = each.payoffs == each.payoffs.max(axis=1, keepdims=True, initial=-np.inf)
        rows, ratings = agent_rows(schedule, index, each, best)
        table += rows
        pairs += pair_rows(schedule, index, each)
        sole = (best & (best.sum(axis=1, keepdims=True) == 1)) * each.counts[:, None]
        games = [len(each.block)] * schedule.variants[index].game.seats
        seats.append(
            {
                "settings": settings,
                "wins": [int(count) for count in sole.sum(axis=0)],
                "games": games,
                "elo": [float(value) * 400 / math.log(10) for value in ratings.seats] if ratings else [],
                "elo_error": [float(value) * 400 / math.log(10) for value in ratings.seat_errors] if ratings else [],
                "chance": seat_balance(sole.sum(axis=0), games),
            }
        )
    return Standings(
        question=experiment.question,
        matches=sum(each.matches for each in data),
        total=len(schedule),
        finished=sum(len(each.block) for each in data),
        unfinished=sum(each.unfinished for each in data),
        failed=sum(each.failed for each in data),
        blocks=max((len(np.unique(each.block)) for each in data), default=0),
        method="Wilson, games independent" if independent(schedule) else "bootstrap over blocks",
        reproducible=all(variant.reproducible for variant in schedule.variants),
        table=table,
        pairs=pairs,
        seats=seats,
        judgements=judged(experiment, table, pairs),
        **tested(store, schedule),
    )


def tested(store: Store, schedule: Schedule) -> dict[str, Any]:
    """Where the experiment's sequential test stands, if it has one."""
    running = Running(schedule)
    if running.stopping is None:
        return {}
    running.stopping.scores = []
    running.add_stored(store)
    return {"test": running.stopping.told(), "decided": running.decided}


def independent(schedule: Schedule) -> bool:
    return all(schedule.independent(index) for index in range(len(schedule.variants)))


def agent_rows(schedule: Schedule, index: int, data: Gathered, best: np.ndarray) -> tuple[list[Standing], Any]:
    """The standings under one setting."""
    variant = schedule.variants[index]
    count = len(variant.agents)
    _, block = np.unique(data.block, return_inverse=True)
    blocks = int(block.max(initial=-1)) + 1
    apart = schedule.independent(index)
    winners = best.sum(axis=1, keepdims=True)
    parts = {"share": best / np.maximum(1, winners), "wins": best & (winners == 1), "ties": best}
    ratings = None
    if blocks:
        ratings = plackett_luce(data.seating, data.payoffs, agents=count, kinds=data.kind, blocks=None if apart or blocks < 2 else block)
    rows = []
    for number in range(count):
        mine = data.seating == number
        seated = mine.sum(axis=1)
        games, sizes = int(seated @ data.counts), np.bincount(block, seated[data.kind], blocks)
        found: dict[str, tuple[float, Interval]] = {}
        for key, part in parts.items():
            reached = np.where(mine, part, 0.0).sum(axis=1)
            total = float(reached @ data.counts)
            if apart:
                interval = wilson(total, games)
            else:
                interval = bootstrap(np.bincount(block, reached[data.kind], blocks), sizes)
            found[key] = (total, interval)
        moves, nodes, depths = map(float, data.efforts[number])
        rows.append(
            Standing(
                settings=variant.settings,
                agent=variant.names[number],
                form=str(variant.agents[number]),
                games=games,
                wins=round(found["wins"][0]),
                shared=round(found["ties"][0] - found["wins"][0]),
                share=rate(found["share"][0], games),
                share_interval=found["share"][1],
                win_rate=rate(found["wins"][0], games),
                win_interval=found["wins"][1],
                ties_rate=rate(found["ties"][0], games),
                ties_interval=found["ties"][1],
                victory_points=rate(found["ties"][0], int(best.sum(axis=1) @ data.counts)),
                elo=float(ratings.elo[number]) if ratings else 0.0,
                elo_error=float(ratings.elo_errors[number]) if ratings else 0.0,
                depth=rate(depths, moves),
                nodes=rate(nodes, moves),
                moves=round(moves),
                faults=int(data.faults[number]),
            )
        )
    return rows, ratings


def rate(amount: float, of: float) -> float:
    return amount / of if of else 0.0


def pair_rows(schedule: Schedule, index: int, data: Gathered) -> list[Pair]:
    """Every two agents that met, their chances corrected for how many pairs there are."""
    variant = schedule.variants[index]
    means = np.full((len(data.seating), len(variant.agents)), np.nan)
    for number in range(len(variant.agents)):
        mine = data.seating == number
        times = mine.sum(axis=1)
        means[:, number] = np.where(times, np.where(mine, data.payoffs, 0.0).sum(axis=1) / np.maximum(1, times), np.nan)
    names, block = np.unique(data.block, return_inverse=True)
    found = []
    for first, second in combinations(range(len(variant.agents)), 2):
        signs = np.sign(means[:, first] - means[:, second])
        met = ~np.isnan(signs)
        matches = int(met @ data.counts)
        if not matches:
            continue
        signs = np.where(met, signs, 0.0)
        sizes = np.bincount(block, met[data.kind], len(names))
        scores = np.bincount(block, signs[data.kind], len(names))[sizes > 0] / sizes[sizes > 0]
        deviation = float(scores.std(ddof=1)) / 2 if len(scores) > 1 else 0.0
        need = blocks_needed(0.05, deviation) if deviation else None
        found.append((first, second, matches, float((1 + signs @ data.counts / matches) / 2), paired(scores), need))
    chances = holm([each[4] for each in found])
    return [
        Pair(variant.settings, variant.names[first], variant.names[second], matches, ahead, chance, need)
        for (first, second, matches, ahead, _, need), chance in zip(found, chances, strict=True)
    ]


def judged(experiment: Experiment, table: list[Standing], pairs: list[Pair]) -> list[Judgement]:
    """Each expectation under each setting that it speaks of, judged by the interval."""
    answers = []
    for expected in experiment.expect:
        for row in table:
            if row.agent == expected.agent and all(row.settings.get(key) == value for key, value in expected.where.items()):
                answers += judge(expected, row, pairs)
    return answers


def judge(expected: Expectation, row: Standing, pairs: list[Pair]) -> list[Judgement]:
    value, (low, high) = {
        "share": (row.share, row.share_interval),
        "wins": (row.win_rate, row.win_interval),
        "with_ties": (row.ties_rate, row.ties_interval),
    }[expected.measure]
    what = f"{expected.measure} of {row.agent}"
    answers = []

    def say(sentence: str, yes: bool, no: bool) -> None:
        answers.append(Judgement(row.settings, sentence, "yes" if yes else "no" if no else "open"))

    ours = f"{value:.3f} ({low:.3f} to {high:.3f})"
    if expected.above is not None:
        say(f"{what} above {expected.above:g}: {ours}", low > expected.above, high <= expected.above)
    if expected.below is not None:
        say(f"{what} below {expected.below:g}: {ours}", high < expected.below, low >= expected.below)
    if expected.printed is not None:
        inside = low <= expected.printed <= high
        say(f"{what} as printed, {expected.printed:g}: {ours}", inside and row.games > 0 and (low, high) != (0.0, 1.0), not inside)
    if expected.ahead_of is not None:
        for pair in pairs:
            if pair.settings == row.settings and {pair.first, pair.second} == {row.agent, expected.ahead_of}:
                ahead = pair.ahead if pair.first == row.agent else 1 - pair.ahead
                clear = pair.chance < 0.05
                sentence = f"{row.agent} ahead of {expected.ahead_of}: in {ahead:.3f} of {pair.matches} matches, p = {pair.chance:.2g}"
                say(sentence, clear and ahead > 0.5, clear and ahead < 0.5)
    return answers
