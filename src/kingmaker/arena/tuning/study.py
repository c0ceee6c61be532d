"""A study: which numbers in an agent's text win most against given others.

Every trial plays the same starts with the same dice, so trials are compared deal by deal; a trial that is clearly worse
than the best one (Wilcoxon's signed-rank test over deals) is given up early. The study is kept in a SQLite file, and
the same call goes on where it stopped. The best of many trials looks better than it is, so the winner is played again
on fresh deals, and only that result counts. Other agents, its baselines, may play these deals in its place, so that it
is known deal by deal what the numbers gain. The fresh deals are kept in the file too.
"""

import json
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.declaration import Experiment, checked
from kingmaker.arena.experiment.schedule import Schedule
from kingmaker.arena.results.result import FAILED
from kingmaker.arena.running.worker import play_task
from kingmaker.arena.tuning.ranges import Range, filled_in, ranges_in
from kingmaker.core.errors import BadParameter, KingmakerError
from kingmaker.loading import load_game
from kingmaker.stats.blocks import difference, interval
from kingmaker.stats.places import best_seats

STUDY = "kingmaker"
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

    values: dict[str, float]
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


def tried(values: dict[str, float], found: list[float]) -> Tried:
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
    try:
        optuna: Any = import_module("optuna")
    except ImportError:
        raise BadParameter("tuning needs optuna; install it with: pip install kingmaker[tune]") from None
    for name, count, least in (("trial", trials, 1), ("deal", setting.blocks, 2), ("fresh deal", confirm, 2)):
        if count < least:
            raise BadParameter(f"expected at least {least} {name}{'s' * (least > 1)}, got {count}")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    ranges = ranges_in(setting.agent)
    for ends in ("low", "high"):  # refuse what cannot be played before the first trial
        checked(setting.experiment(filled_in(setting.agent, {r.name: getattr(r, ends) for r in ranges}), setting.seed))
    for text in setting.baselines:
        checked(setting.experiment(text, setting.seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        study = opened(optuna, setting, ranges, store)
    wanted = math.prod(len(each.spaced(setting.grid)) for each in ranges) if setting.grid else trials

    def objective(trial: Any) -> float:
        values = {each.name: suggested(trial, each) for each in ranges}
        full = [scores_of(each) for each in finished(study) if len(scores_of(each)) == setting.blocks]
        best = max(full, key=math.fsum, default=[])
        known: list[float] = []
        for score in scores(setting.experiment(filled_in(setting.agent, values), setting.seed)):
            known.append(score)
            if not setting.grid and worse(known, best):
                break
        trial.set_user_attr("scores", known)
        mean = math.fsum(known) / len(known)
        told(f"trial {trial.number + 1} of {wanted}: {filled_in(setting.agent, values)} {100 * mean:.1f} %")
        return mean

    study.optimize(objective, n_trials=max(0, wanted - len(finished(study))))
    found = [
        tried({r.name: float(trial.params[r.name]) for r in ranges}, scores_of(trial)) for trial in finished(study)
    ]
    best = max(found, key=lambda each: (each.blocks == setting.blocks, each.share))
    winner = filled_in(setting.agent, best.values)
    again = fresh_scores(study, setting, winner, confirm, told)
    gains = [
        gain_over(text, again, fresh_scores(study, setting, text, confirm, told))
        for text in dict.fromkeys(setting.baselines)
    ]
    even = 1 / load_game(setting.game).seats
    return Tuned(setting, ranges, found, winner, best, tried(best.values, again), even, gains)


def fresh_scores(study: Any, setting: Setting, text: str, confirm: int, told: Callable[[str], Any]) -> list[float]:
    """The scores of an agent on the fresh deals; those that the store holds are not played again."""
    key = f"fresh deals of {text}"
    known = [float(score) for score in study.user_attrs.get(key, [])]
    experiment = msgspec.structs.replace(setting.experiment(text, setting.seed + FRESH), starts=confirm)
    for score in scores(experiment, len(known)):
        known.append(score)
        study.set_user_attr(key, known)
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


def opened(optuna: Any, setting: Setting, ranges: list[Range], store: Path) -> Any:
    """The study in the store, or a new one; a store of another study is refused."""
    if setting.grid:
        grid = {each.name: each.spaced(setting.grid) for each in ranges}
        sampler = optuna.samplers.GridSampler(grid, seed=setting.seed)
    study = optuna.create_study(
        storage=f"sqlite:///{store}", study_name=STUDY, direction="maximize", load_if_exists=True
    )
    known = study.user_attrs.get("setting")
    if known is not None and known != setting.identity():
        raise BadParameter(f"{store} holds a study of something else; name another file with --store")
    study.set_user_attr("setting", setting.identity())
    seed = setting.seed + len(study.trials)  # going on must not suggest the same again
    study.sampler = sampler if setting.grid else optuna.samplers.TPESampler(seed=seed, multivariate=len(ranges) > 1)
    return study


def suggested(trial: Any, each: Range) -> float:
    if each.whole:
        return float(trial.suggest_int(each.name, round(each.low), round(each.high)))
    return float(trial.suggest_float(each.name, each.low, each.high))


def finished(study: Any) -> list[Any]:
    return [trial for trial in study.trials if trial.state.name == "COMPLETE"]


def scores_of(trial: Any) -> list[float]:
    return [float(score) for score in trial.user_attrs["scores"]]
