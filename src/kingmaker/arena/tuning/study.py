"""A study: which numbers in an agent's text win most against given others.

Every trial plays the same starts with the same dice, so trials are compared deal by deal; a trial that is clearly worse
than the best one (Wilcoxon's signed-rank test over deals) is given up early. The study is kept in a SQLite file, and
the same call goes on where it stopped. The best of many trials looks better than it is, so the winner is played again
on fresh deals, and only that result counts. Other agents, its baselines, may play these deals in its place, so that it
is known deal by deal what the numbers gain. The fresh deals are kept in the file too.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.declaration import Experiment, checked
from kingmaker.arena.experiment.schedule import Schedule
from kingmaker.arena.results.result import FAILED
from kingmaker.arena.running.worker import play_task
from kingmaker.arena.tuning.kept import Kept, Values, opened
from kingmaker.arena.tuning.ranges import Range, filled_in, ranges_in
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.loading import load_agent, load_game
from kingmaker.stats.blocks import difference, interval
from kingmaker.stats.places import best_seats

FRESH = 1_000_003  # added to the seed for the deals of the confirmation
SURE = 0.1  # p-value below which a trial is given up
FIRST = 8  # deals that every trial plays; with fewer the test says nothing


@dataclass(frozen=True)
class Setting:
    """What is tuned, and how."""

    agent: str  # with ranges
    game: str
    against: tuple[str, ...]
    blocks: int = 50  # deals of a trial
    seed: int = 0
    grid: int = 0  # so many values of every parameter in all combinations, none given up; 0: a sampler chooses
    interpreted: bool = False
    opening: int = 0  # random moves that are played first, for games with a single start
    baselines: tuple[str, ...] = ()  # agents that play the winner's fresh deals in its place

    def identity(self) -> str:
        """A text that is equal for studies whose trials can be compared."""
        kept = {key: value for key, value in vars(self).items() if key not in ("interpreted", "baselines")}
        return json.dumps({**kept, "against": list(self.against)}, sort_keys=True)

    def experiment(self, text: str, seed: int) -> Experiment:
        """The matches of an agent without ranges: it sits on every seat once for each deal."""
        seats = load_game(self.game).seats
        names = [f"other{i}" for i in range(len(self.against))]
        return Experiment(
            question=f"How often does {text} win?",
            game=self.game,
            agents={"tuned": text, **dict(zip(names, self.against, strict=True))},
            seating="rotations",
            lineup=["tuned", *islice(cycle(names), seats - 1)],
            starts=self.blocks,
            seed=seed,
            opening=self.opening,
            interpreted=self.interpreted,
        )


@dataclass(frozen=True)
class Tried:
    """One trial."""

    values: Values
    share: float  # of wins
    low: float
    high: float
    blocks: int  # deals; fewer than asked for if it was given up


@dataclass(frozen=True)
class Gain:
    """What the winner wins more often than another agent in its place, on the same fresh deals."""

    baseline: str
    share: float  # of wins of the baseline
    gain: float
    low: float
    high: float
    blocks: int


@dataclass(frozen=True)
class Tuned:
    """The outcome of a study."""

    setting: Setting
    ranges: list[Range]
    trials: list[Tried]
    winner: str  # the agent with its numbers
    best: Tried
    confirmed: Tried  # the winner on fresh deals
    even: float  # the share that equal players would have
    gains: list[Gain]  # over each baseline

    @property
    def rows(self) -> list[Tried]:
        """The best trials first, each setting once: with whole numbers the sampler may try one again."""
        ordered = sorted(self.trials, key=lambda each: (-each.share, -each.blocks))
        return list({tuple(each.values.values()): each for each in reversed(ordered)}.values())[::-1]


def scores(experiment: Experiment, first: int = 0) -> Iterator[float]:
    """The tuned agent's share of wins on each deal from the first one on, the mean over its seats."""
    schedule = Schedule(experiment)
    for block in range(first, experiment.blocks):
        total = 0.0
        for number in range(block * schedule.per_block, (block + 1) * schedule.per_block):
            result = play_task(schedule, schedule.task(number))
            if result.status == FAILED:
                raise KingmakerError(f"a match of the study failed: {result.fault}")
            best = best_seats(result.payoffs) if result.payoffs else ()
            total += sum(result.seating[seat] == 0 for seat in best) / max(1, len(best))
        yield total / schedule.per_block


def tried(values: Values, found: list[float]) -> Tried:
    low, high = interval(found)
    return Tried(values, math.fsum(found) / len(found), low, high, len(found))


def tune(
    setting: Setting,
    store: Path,
    trials: int,
    confirm: int,
    told: Callable[[str], Any] = lambda sentence: None,
) -> Tuned:
    """Look for the best numbers until the study has so many trials, and confirm the winner on so many fresh deals."""
    ranges = ranges_in(setting.agent)
    refuse(setting, ranges, trials, confirm)
    with opened(setting.identity(), ranges, setting.seed, store) as kept:
        for values in wanted(kept, setting, trials):
            play_trial(kept, setting, values, told)
        found = [tried(values, known) for values, known in kept.finished()]
        best = max(found, key=lambda each: (each.blocks == setting.blocks, each.share))
        winner = filled_in(setting.agent, best.values)
        again = fresh_scores(kept, setting, winner, confirm, told)
        gains = [
            gain_over(text, again, fresh_scores(kept, setting, text, confirm, told))
            for text in dict.fromkeys(setting.baselines)
        ]
    even = 1 / load_game(setting.game).seats
    return Tuned(setting, ranges, found, winner, best, tried(best.values, again), even, gains)


def refuse(setting: Setting, ranges: list[Range], trials: int, confirm: int) -> None:
    """Refuse what cannot be played, before the first trial."""
    for name, count, least in (("trial", trials, 1), ("deal", setting.blocks, 2), ("fresh deal", confirm, 2)):
        if count < least:
            raise BadParameter(f"expected at least {least} {name}{'s' * (least > 1)}, got {count}")
    for name, count in (("values of a grid", setting.grid), ("random moves of an opening", setting.opening)):
        if count < 0:
            raise BadParameter(f"expected at least 0 {name}, got {count}")
    game = load_game(setting.game)
    ends = [filled_in(setting.agent, {r.name: getattr(r, end) for r in ranges}) for end in ("low", "high")]
    for text in (*ends, *setting.against, *setting.baselines):
        load_agent(text).fit(game)
    checked(setting.experiment(ends[0], setting.seed))


def wanted(kept: Kept, setting: Setting, trials: int) -> Iterator[Values | None]:
    """The values of every trial that is still to be played; None where the sampler shall choose them."""
    left = kept.broken_off()
    if setting.grid:
        spaced = [each.spaced(setting.grid) for each in kept.ranges]
        grid = [
            {each.name: value for each, value in zip(kept.ranges, point, strict=True)} for point in product(*spaced)
        ]
        known = [values for values, _ in kept.finished()]
        yield from (values for values in grid if values not in known)
        return
    while len(kept.finished()) < trials:
        yield left.pop() if left else None


def play_trial(kept: Kept, setting: Setting, values: Values | None, told: Callable[[str], Any]) -> None:
    """Play a trial to its end, or until it is clearly worse than the best one. Every deal is stored, and none is played
    twice with the same values.
    """
    trial, values = kept.ask(values)
    text = filled_in(setting.agent, values)
    best = max((known for _, known in kept.finished() if len(known) == setting.blocks), key=math.fsum, default=[])
    known = kept.scores(values)
    rest = scores(setting.experiment(text, setting.seed), len(known))
    while len(known) < setting.blocks and (setting.grid or not worse(known, best)):
        known.append(next(rest))
        trial.set_user_attr("scores", known)
    trial.set_user_attr("scores", known)
    mean = math.fsum(known) / len(known)
    kept.study.tell(trial, mean)
    told(f"trial {trial.number + 1}: {text} {100 * mean:.1f} % on {len(known)} deals")


def fresh_scores(kept: Kept, setting: Setting, text: str, confirm: int, told: Callable[[str], Any]) -> list[float]:
    """The scores of an agent on the fresh deals; those that the store holds are not played again."""
    known = kept.fresh(text)
    experiment = msgspec.structs.replace(setting.experiment(text, setting.seed + FRESH), starts=confirm)
    for score in scores(experiment, len(known)):
        known.append(score)
        kept.keep_fresh(text, known)
        told(f"fresh deal {len(known)} of {confirm}: {text} {100 * math.fsum(known) / len(known):.1f} %")
    return known[:confirm]


def gain_over(baseline: str, mine: list[float], theirs: list[float]) -> Gain:
    """The gain over a baseline, deal by deal."""
    differences = [one - other for one, other in zip(mine, theirs, strict=True)]
    share, gain = (math.fsum(each) / len(each) for each in (theirs, differences))
    return Gain(baseline, share, gain, *difference(differences), len(differences))


def worse(known: list[float], best: list[float]) -> bool:
    """Is a trial clearly worse than the best one on the deals that it has played? Deals without a difference count for
    both sides.
    """
    from scipy.stats import wilcoxon

    differences = [mine - other for mine, other in zip(known, best)]
    if len(differences) < FIRST or math.fsum(differences) >= 0:
        return False
    return bool(wilcoxon(differences, alternative="less", zero_method="zsplit").pvalue < SURE)
