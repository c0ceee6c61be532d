"""The results of an experiment: every agent's share of wins with its confidence interval, ratings, pairs of agents,
seats, and the verdicts on the expectations.

Everything is computed from the stored rows in the order of their numbers, so it is the same after any number of
interruptions.
"""

from dataclasses import asdict, dataclass
from typing import Any

from kingmaker.arena.experiment.declaration import Expectation, Experiment
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.store import Store
from kingmaker.arena.results.tally import Row
from kingmaker.stats.blocks import holm


@dataclass(frozen=True, kw_only=True)
class Standing(Row):
    """One agent under one setting."""

    settings: dict[str, Any]
    agent: str
    form: str  # the agent as it was played
    faults: int  # matches that failed because of this agent


@dataclass(frozen=True)
class Pair:
    """Two agents in the matches that both played."""

    settings: dict[str, Any]
    first: str
    second: str
    matches: int
    ahead: float  # part of the matches in which the first came out ahead; a tie counts as half
    chance: float  # p-value of equal strength, after Holm's correction for all pairs
    blocks_for_five: int | None  # blocks needed to detect a lead of five percentage points with power 0.8


@dataclass(frozen=True)
class Judgement:
    """The verdict on an expectation."""

    settings: dict[str, Any]
    sentence: str
    verdict: str  # yes, no, open


@dataclass(frozen=True)
class Standings:
    """All results of an experiment."""

    question: str
    matches: int
    total: int
    finished: int
    different: int  # finished matches without copies; these are the games of the table
    unfinished: int
    failed: int
    blocks: int  # blocks that the confidence intervals are computed from, under the setting that has the most
    method: str  # what these blocks are
    missing: str  # what the matches lack to be evidence, and the way out; empty if nothing
    reproducible: bool
    table: list[Standing]
    pairs: list[Pair]
    # by setting: wins, games and Elo (with error and bound) of each seat, and the p-value of equal seats
    seats: list[dict[str, Any]]
    judgements: list[Judgement]
    test: str = ""  # the state of the sequential test, if there is one
    decided: bool = False  # the sequential test has ended the experiment

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
            row = {"agent": row.pop("agent"), "form": row.pop("form"), **row}
            for key in ("share_interval", "win_interval", "ties_interval"):
                row[f"{key[:-9]}_low"], row[f"{key[:-9]}_high"] = row.pop(key)
            rows.append(beside(settings, row))
        return rows


def beside(settings: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """A row with its settings before it; a setting with the name of a column is renamed to `setting_…`."""
    return {f"setting_{key}" if key in row else key: value for key, value in settings.items()} | row


def standings(store: Store) -> Standings:
    """The standings of all that is stored."""
    outline = store.outline
    running = Running(outline)
    if running.stopping:
        running.stopping.scores = []
    running.add_stored(store)
    table: list[Standing] = []
    pairs: list[Pair] = []
    seats: list[dict[str, Any]] = []
    for variant, tally in zip(outline.variants, running.tallies, strict=True):
        evidence = tally.table()
        ratings = evidence.ratings()
        named = zip(variant.names, variant.forms, tally.faults, evidence.rows(ratings), strict=True)
        table += [
            Standing(settings=variant.settings, agent=agent, form=form, faults=faults, **vars(row))
            for agent, form, faults, row in named
        ]
        found = evidence.pair_rows()
        chances = holm([chance for *_, chance, _ in found])
        pairs += [
            Pair(variant.settings, variant.names[first], variant.names[second], matches, ahead, chance, need)
            for (first, second, matches, ahead, _, need), chance in zip(found, chances, strict=True)
        ]
        seats.append({"settings": variant.settings} | evidence.seat_row(ratings))
    tallies = running.tallies
    return Standings(
        question=outline.experiment.question,
        matches=sum(tally.matches for tally in tallies),
        total=len(outline),
        finished=sum(tally.finished for tally in tallies),
        different=sum(tally.different for tally in tallies),
        unfinished=running.unfinished,
        failed=running.failed,
        blocks=max(tally.blocks for tally in tallies),
        method=max(tallies, key=lambda tally: tally.blocks).method,
        missing=running.missing,
        reproducible=all(variant.reproducible for variant in outline.variants),
        table=table,
        pairs=pairs,
        seats=seats,
        judgements=judged(outline.experiment, table, pairs),
        test=running.stopping.told() if running.stopping else "",
        decided=running.decided,
    )


def judged(experiment: Experiment, table: list[Standing], pairs: list[Pair]) -> list[Judgement]:
    """Each expectation under each setting that it applies to, judged by the confidence interval."""
    answers = []
    for expected in experiment.expect:
        for row in table:
            if row.agent == expected.agent and all(
                row.settings.get(key) == value for key, value in expected.where.items()
            ):
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
        say(
            f"{what} as printed, {expected.printed:g}: {ours}",
            inside and row.games > 0 and (low, high) != (0.0, 1.0),
            not inside,
        )
    if expected.ahead_of is not None:
        for pair in pairs:
            if pair.settings == row.settings and {pair.first, pair.second} == {row.agent, expected.ahead_of}:
                ahead = pair.ahead if pair.first == row.agent else 1 - pair.ahead
                clear = pair.chance < 0.05
                sentence = (
                    f"{row.agent} ahead of {expected.ahead_of}: in {ahead:.3f} "
                    f"of {pair.matches} matches, p = {pair.chance:.2g}"
                )
                say(sentence, clear and ahead > 0.5, clear and ahead < 0.5)
    return answers
