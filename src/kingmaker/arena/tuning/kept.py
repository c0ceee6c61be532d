"""The store of a study: a SQLite file that optuna's tools can read, with the score of every deal.

A session that is ended, however it is ended, loses at most the deal that was being played: the next one goes on with
the trial that was broken off.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.results.store import locked
from kingmaker.arena.tuning.ranges import Range
from kingmaker.core.errors import BadParameter

STUDY = "kingmaker"
Values = dict[str, float]


class Kept:
    """An open study."""

    def __init__(self, study: Any, ranges: list[Range]) -> None:
        self.study, self.ranges = study, ranges

    def trials(self, *states: str) -> list[Any]:
        return [trial for trial in self.study.get_trials(deepcopy=False) if not states or trial.state.name in states]

    def finished(self) -> list[tuple[Values, list[float]]]:
        """The values of all finished trials, with their scores deal by deal."""
        return [(self.values_of(trial), scores_of(trial)) for trial in self.trials("COMPLETE")]

    def values_of(self, trial: Any) -> Values:
        return {each.name: float(trial.params[each.name]) for each in self.ranges if each.name in trial.params}

    def broken_off(self) -> list[Values]:
        """The values of trials that an earlier session left unfinished; these are put aside."""
        found = []
        for trial in self.trials("RUNNING"):
            self.study.tell(trial.number, state=import_module("optuna").trial.TrialState.FAIL)
            if len(self.values_of(trial)) == len(self.ranges):
                found.append(self.values_of(trial))
        return found

    def ask(self, values: Values | None) -> tuple[Any, Values]:
        """A new trial of these values, or of values that the sampler chooses."""
        if values is not None:
            self.study.enqueue_trial({each.name: each.kind(values[each.name]) for each in self.ranges})
        trial = self.study.ask()
        return trial, {each.name: suggested(trial, each) for each in self.ranges}

    def scores(self, values: Values) -> list[float]:
        """What is known of these values: the scores of the deals that some trial has played with them."""
        return max((scores_of(trial) for trial in self.trials() if self.values_of(trial) == values), key=len)

    def fresh(self, text: str) -> list[float]:
        """The scores of an agent on the fresh deals so far."""
        return [float(score) for score in self.study.user_attrs.get(f"fresh deals of {text}", [])]

    def keep_fresh(self, text: str, scores: list[float]) -> None:
        self.study.set_user_attr(f"fresh deals of {text}", scores)


def suggested(trial: Any, each: Range) -> float:
    if each.whole:
        return float(trial.suggest_int(each.name, round(each.low), round(each.high)))
    return float(trial.suggest_float(each.name, each.low, each.high))


def scores_of(trial: Any) -> list[float]:
    return [float(score) for score in trial.user_attrs.get("scores", [])]


@contextmanager
def opened(identity: str, ranges: list[Range], seed: int, store: Path) -> Iterator[Kept]:
    """The study in the store, or a new one; refused are a store of another study, a file that is something else, and
    a store that another process writes to.
    """
    try:
        optuna: Any = import_module("optuna")
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError:
        raise BadParameter("tuning needs optuna; install it with: pip install kingmaker[tune]") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    lock = locked(store)
    try:
        study = optuna.create_study(
            storage=f"sqlite:///{store}", study_name=STUDY, direction="maximize", load_if_exists=True
        )
        known = study.user_attrs.get("setting")
        if known is not None and known != identity:
            raise BadParameter(f"{store} holds a study of something else; name another file with --store")
        study.set_user_attr("setting", identity)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            study.sampler = optuna.samplers.TPESampler(
                seed=seed + len(study.trials),  # going on must not suggest the same again
                multivariate=len(ranges) > 1,
            )
        yield Kept(study, ranges)
    except (SQLAlchemyError, optuna.exceptions.StorageInternalError) as fault:
        reason = str(getattr(fault, "orig", None) or fault.__cause__ or fault).splitlines()[0]
        raise BadParameter(f"cannot keep a study in {store}: {reason}; name another file with --store") from None
    finally:
        lock.close()
