"""An experiment: a question with all that is needed to answer it again, declared in TOML.

Unknown keys are refused, and every fault is told with its place in the file. Whatever a match depends on follows from the experiment's
text and the match's number alone.
"""

import hashlib
import itertools
import json
import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from kingmaker.core.agent import Agent
from kingmaker.core.errors import KingmakerError, nearest
from kingmaker.core.files import text_of
from kingmaker.core.game import Game
from kingmaker.loading import load_agent, load_game

Count = Annotated[int, msgspec.Meta(ge=1)]
Setting = int | float | str
Seating = Literal["all", "rotations", "random", "fixed", "lineups", "compositions"]
Measure = Literal["share", "wins", "with_ties"]
Scale = Literal["share", "elo", "effect", "nelo"]
Chance = Annotated[float, msgspec.Meta(gt=0, lt=0.5)]
LIMITS = ("depth", "nodes", "seconds")


class BadExperiment(KingmakerError):
    """An experiment file that cannot be run as it stands."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A table of the file; what it does not know it refuses."""


class Given(Table, frozen=True):
    """The budget of every agent that names none of its own."""

    depth: Count | None = None
    nodes: Count | None = None
    seconds: Annotated[float, msgspec.Meta(gt=0)] | None = None


class Limits(Table, frozen=True):
    """When a match is given up."""

    turns: Count = 10_000  # a hand; then it counts as unfinished
    seconds: Annotated[float, msgspec.Meta(gt=0)] = 600.0  # a match; then it counts as failed
    attempts: Count = 3  # of a match that kills its worker


class Expectation(Table, frozen=True):
    """What is expected of one agent; the verdict is that of the interval, never of the number alone."""

    agent: str
    measure: Measure = "share"
    above: float | None = None
    below: float | None = None
    ahead_of: str | None = None
    printed: float | None = None  # a published figure to stand beside ours
    where: dict[str, Setting] = {}  # which settings of the sweep; all if empty


class Stop(Table, frozen=True):
    """When to stop before all starts are played: as soon as a sequential test has told two values of an agent's mean block score apart."""

    agent: str
    null: float
    alternative: float
    scale: Scale = "share"
    alpha: Chance = 0.05  # of taking the alternative where the null is true
    beta: Chance = 0.05  # of the reverse
    least: Count = 20  # blocks before it may stop; the test's normal form needs some


class Experiment(Table, frozen=True):
    """The file."""

    question: str
    game: str
    agents: Annotated[dict[str, str], msgspec.Meta(min_length=1)]
    seating: Seating = "all"
    lineup: list[str] | None = None  # the agents of one table by name, an agent perhaps several times
    starts: Count | list[str] = 1  # how many, or positions as text
    repeats: Count = 1  # of every start
    hands: Count | None = None  # a match; one, or with points as many as it takes
    points: Annotated[float, msgspec.Meta(gt=0)] | None = None  # a match ends when a seat's total has reached so much, or minus so much
    budget: Given = Given()
    limits: Limits = Limits()
    seed: int = 0
    sweep: dict[str, Annotated[list[Setting], msgspec.Meta(min_length=1)]] = {}
    expect: list[Expectation] = []
    stop: Stop | None = None
    values: bool = False  # keep what every agent thought of its moves

    @property
    def identity(self) -> str:
        """Equal for experiments whose matches of one number are the same match. More starts only add numbers."""
        kept = {key: value for key, value in self.as_data().items() if key not in ("question", "expect")}
        if isinstance(self.starts, int):
            kept.pop("starts", None)
        if len(self.positions) <= 1:
            kept.pop("repeats", None)
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:24]

    @property
    def positions(self) -> list[str]:
        return [] if isinstance(self.starts, int) else self.starts

    @property
    def blocks(self) -> int:
        return (self.starts if isinstance(self.starts, int) else len(self.starts)) * self.repeats

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def as_text(self) -> str:
        """One line from which the same experiment is read back, on any machine."""
        return json.dumps(self.as_data())  # knows infinity, which msgspec's JSON does not

    @property
    def variants(self) -> list[dict[str, Setting]]:
        """The settings of the sweep, every combination once."""
        return [dict(zip(self.sweep, values, strict=True)) for values in itertools.product(*self.sweep.values())]


class Variant:
    """One combination of settings with its game and agents made."""

    def __init__(self, experiment: Experiment, settings: dict[str, Setting]) -> None:
        self.settings = settings
        self.game_text = filled(experiment.game, settings, "game")
        self.game: Game = made("game", load_game, self.game_text)
        self.names = list(experiment.agents)
        self.agents = [
            budgeted(made(f"agents.{name}", load_agent, filled(text, settings, f"agents.{name}")), experiment.budget)
            for name, text in experiment.agents.items()
        ]
        for name, agent in zip(self.names, self.agents, strict=True):
            made(f"agents.{name}", lambda agent: agent.fit(self.game), agent)
        for position in experiment.positions:
            made("starts", self.game.position, position)

    @property
    def reproducible(self) -> bool:
        """Does no clock decide anything?"""
        return not any(map(timed, self.agents))


def read_experiment(path: Path) -> Experiment:
    """The experiment in a file; whatever is wrong with it is told in one sentence."""
    try:
        data = tomllib.loads(text_of(path, BadExperiment))
    except tomllib.TOMLDecodeError as fault:
        raise BadExperiment(f"{path} is not TOML: {fault}") from None
    try:
        experiment = msgspec.convert(data, Experiment)
        checked(experiment)
    except msgspec.ValidationError as fault:
        raise BadExperiment(f"{sentence(str(fault))} in {path}") from None
    except KingmakerError as fault:
        raise BadExperiment(f"{fault} in {path}") from fault
    return experiment


def experiment_from(text: str) -> Experiment:
    """The experiment behind the line that `as_text` gave."""
    return msgspec.convert(json.loads(text), Experiment)


def sentence(complaint: str) -> str:
    """What msgspec says, with the place in plain dots, and the nearest keys where one is unknown."""
    words, _, place = complaint.partition(" - at `$")
    place = place.rstrip("`").lstrip(".")
    found = re.fullmatch(r"Object contains unknown field `(.+)`", words)
    if found:
        table = {"budget": Given, "limits": Limits, "stop": Stop}.get(place, Expectation if place.startswith("expect") else Experiment)
        words = f"unknown key '{found[1]}'; did you mean {', '.join(nearest(found[1], table.__struct_fields__))}?"
    else:
        words = words[:1].lower() + words[1:].replace("`", "'")
    return f"{words} at {place}" if place else words


def checked(experiment: Experiment) -> None:
    """Refuse what cannot be played, before the first match."""
    text = " ".join([experiment.game, *experiment.agents.values()])
    for key in experiment.sweep:
        if f"{{{key}}}" not in text:
            raise BadExperiment(f"nothing uses the setting '{key}' at sweep; write {{{key}}} in the game or in an agent")
    for place, names in (("lineup", experiment.lineup or []), *mentioned(experiment)):
        for name in names:
            if name not in experiment.agents:
                raise BadExperiment(f"unknown agent '{name}' at {place}; did you mean {', '.join(nearest(name, experiment.agents))}?")
    for i, expectation in enumerate(experiment.expect):
        if not any(getattr(expectation, key) is not None for key in ("above", "below", "ahead_of", "printed")):
            raise BadExperiment(f"nothing is expected at expect[{i}]; name above, below, ahead_of or printed")
        for key in expectation.where:
            if key not in experiment.sweep:
                raise BadExperiment(f"unknown setting '{key}' at expect[{i}].where; the sweep has {', '.join(experiment.sweep) or 'none'}")
    if experiment.stop:
        check_stop(experiment.stop, experiment)
    if isinstance(experiment.starts, list) and not experiment.starts:
        raise BadExperiment("expected at least one position at starts, got none")
    for settings in experiment.variants:
        Variant(experiment, settings)


def check_stop(stop: Stop, experiment: Experiment) -> None:
    """Refuse a test that cannot tell anything apart."""
    if experiment.sweep:
        raise BadExperiment("a sweep cannot stop early at stop; give every setting an experiment of its own")
    if stop.null == stop.alternative:
        raise BadExperiment(f"null and alternative are both {stop.null:g} at stop; name two values to tell apart")
    if stop.scale == "share" and not (0 < stop.null < 1 and 0 < stop.alternative < 1):
        raise BadExperiment(f"expected shares between 0 and 1 at stop, got {stop.null:g} and {stop.alternative:g}; or name another scale")


def mentioned(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """Where agents are named."""
    expected = [(f"expect[{i}]", [each.agent, *([each.ahead_of] if each.ahead_of else [])]) for i, each in enumerate(experiment.expect)]
    return [*expected, *([("stop", [experiment.stop.agent])] if experiment.stop else [])]


def filled(text: str, settings: dict[str, Setting], place: str) -> str:
    """A text with the sweep's settings put in."""
    for key, value in settings.items():
        text = text.replace(f"{{{key}}}", str(value))
    missing = re.search(r"\{(\w+)\}", text)
    if missing:
        raise BadExperiment(f"there is no setting '{missing[1]}' in the sweep for {place}")
    return text


def made(place: str, make: Any, text: Any) -> Any:
    try:
        return make(text)
    except KingmakerError as fault:
        raise type(fault)(f"{fault} at {place}") from fault


def budgeted(agent: Agent, budget: Given) -> Agent:
    """The agent with the common budget, unless it has one of its own or looks at none."""
    names = {field.name for field in fields(agent)}
    given = {key: getattr(budget, key) for key in LIMITS if getattr(budget, key) is not None and key in names}
    if not given or any(getattr(agent, key, None) is not None for key in LIMITS):
        return agent
    return replace(agent, **given)


def timed(agent: Any) -> bool:
    """Does a clock decide when this agent stops, or one that it asks?"""
    budget = getattr(agent, "budget", None)
    if getattr(budget, "seconds", None) is not None:
        return True
    return is_dataclass(agent) and any(isinstance(getattr(agent, f.name), Agent) and timed(getattr(agent, f.name)) for f in fields(agent))
