"""An experiment: a question with all that is needed to answer it again, declared in TOML.

Unknown keys are refused, and every error names its place in the file. Everything that a match depends on follows from
the experiment's text and the match's number alone.
"""

import hashlib
import itertools
import json
import math
import re
import tomllib
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from kingmaker.core.agent import Agent
from kingmaker.core.errors import KingmakerError, nearest
from kingmaker.core.files import text_of
from kingmaker.core.game import Game
from kingmaker.core.guard import interpret
from kingmaker.loading import load_agent, load_game

Count = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=366 * 86_400)]  # at most a year, which every clock can count
Setting = int | float | str
Seating = Literal["all", "rotations", "random", "fixed", "lineups", "compositions"]
Measure = Literal["share", "wins", "with_ties"]
Scale = Literal["share", "elo", "effect", "nelo"]
Chance = Annotated[float, msgspec.Meta(gt=0, lt=0.5)]
MOST_SETTINGS = 10_000  # each has its own game and agents
SQUARED = ("all", "compositions")  # kinds of seatings that can be split into squares
LIMITS = ("depth", "nodes", "seconds")


class BadExperiment(KingmakerError):
    """An experiment file that cannot be run as it stands."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A table of the TOML file; unknown keys are refused."""


class Given(Table, frozen=True):
    """The budget of every agent that has no budget of its own."""

    depth: Count | None = None
    nodes: Count | None = None
    seconds: Seconds | None = None


class Limits(Table, frozen=True):
    """When a match is given up."""

    turns: Count = 10_000  # most turns of a match; after them it counts as unfinished
    seconds: Seconds = 600.0  # most time for a match; after it the match counts as failed
    attempts: Count = 3  # how often a match that kills its worker is played before it counts as failed


class Expectation(Table, frozen=True):
    """What is expected of one agent; the verdict depends on the confidence interval, never on the mean alone."""

    agent: str
    measure: Measure = "share"
    above: float | None = None
    below: float | None = None
    ahead_of: str | None = None
    printed: float | None = None  # a published figure to compare with ours
    where: dict[str, Setting] = {}  # the settings of the sweep for which this is expected; all if empty


class Stop(Table, frozen=True):
    """When to stop before all starts are played: as soon as a sequential test has told two values of an agent's mean
    block score apart.
    """

    agent: str
    null: float
    alternative: float
    scale: Scale = "share"
    alpha: Chance = 0.05  # probability of accepting the alternative although the null is true
    beta: Chance = 0.05  # probability of accepting the null although the alternative is true
    least: Count = 40  # blocks before the test may stop; with fewer the variance is not known well enough


class Experiment(Table, frozen=True):
    """The content of an experiment file."""

    question: str
    game: str
    agents: Annotated[dict[str, str], msgspec.Meta(min_length=1)]
    seating: Seating = "all"
    lineup: list[str] | None = None  # the names of the agents at one table; a name may occur several times
    # play one square of seatings from every start, the squares in turn, and not all seatings
    squares: bool = False
    starts: Count | list[str] = 1  # how many, or positions as text
    repeats: Count = 1  # rounds from every start, each with other random numbers for agents and dice
    # random moves that are played first, the same for all seatings of a start
    opening: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    hands: Count | None = None  # only in older stores; today a match of several hands is a `series`
    points: Annotated[float, msgspec.Meta(gt=0, le=1e300)] | None = None  # only in older stores
    budget: Given = Given()
    limits: Limits = Limits()
    seed: int = 0
    sweep: dict[str, Annotated[list[Setting], msgspec.Meta(min_length=1)]] = {}
    expect: list[Expectation] = []
    stop: Stop | None = None
    values: bool = False  # store the value vector of every decision
    interpreted: bool = False  # run everything as plain Python, not compiled: slower, but the same matches

    @property
    def identity(self) -> str:
        """A hash that is equal for two experiments if every match number stands for the same match in both; more starts
        only add numbers.
        """
        kept = {key: value for key, value in self.as_data().items() if key not in ("question", "expect", "interpreted")}
        if isinstance(self.starts, int):
            kept.pop("starts", None)
        if len(self.positions) == 1:
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
        return json.dumps(self.as_data())  # unlike msgspec's JSON, it can write infinity

    @property
    def variants(self) -> list[dict[str, Setting]]:
        """The settings of the sweep, every combination once."""
        if math.prod(map(len, self.sweep.values())) > MOST_SETTINGS:
            raise BadExperiment(f"expected at most {MOST_SETTINGS} combinations of settings at sweep; leave some out")
        return [dict(zip(self.sweep, values, strict=True)) for values in itertools.product(*self.sweep.values())]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """One combination of settings, described without making its game and agents."""

    settings: dict[str, Setting]
    game_text: str
    seats: Count
    names: list[str]  # of the agents
    forms: list[str]  # the agents as they were played
    reproducible: bool  # no agent has a budget of seconds


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant(Setup):
    """One combination of settings with its game and agents made."""

    game: Game
    agents: list[Agent]

    @property
    def setup(self) -> Setup:
        """What a store keeps of it."""
        return Setup(**{field.name: getattr(self, field.name) for field in fields(Setup)})


def variant_of(experiment: Experiment, settings: dict[str, Setting]) -> Variant:
    """Make the game and the agents of one combination of settings."""
    game_text = filled(experiment.game, settings, "game")
    game: Game = made("game", load_game, game_text)
    if experiment.interpreted:
        interpret(game)
    agents = [agent_of(experiment, name, settings) for name in experiment.agents]
    for name, agent in zip(experiment.agents, agents, strict=True):
        made(f"agents.{name}", lambda agent: agent.fit(game), agent)
    for position in experiment.positions:
        made("starts", game.position, position)
    return Variant(
        settings=settings,
        game_text=game_text,
        seats=game.seats,
        names=list(experiment.agents),
        forms=[str(agent) for agent in agents],
        reproducible=not any(map(timed, agents)),
        game=game,
        agents=agents,
    )


def agent_of(experiment: Experiment, name: str, settings: dict[str, Setting]) -> Agent:
    """The agent of that name, with the common budget."""
    text = filled(experiment.agents[name], settings, f"agents.{name}")
    return budgeted(made(f"agents.{name}", load_agent, text), experiment.budget)


def read_experiment(path: Path) -> Experiment:
    """The experiment in a file; an error in it is raised as one sentence."""
    text = text_of(path, BadExperiment)
    try:
        data = tomllib.loads(text)
    except ValueError as fault:  # also for a number of thousands of digits
        raise BadExperiment(f"{path} is not TOML: {fault}") from None
    except RecursionError:
        raise BadExperiment(f"{path} is not TOML that can be read: its lists are nested too deeply") from None
    try:
        experiment = msgspec.convert(data, Experiment)
        checked(experiment)
    except msgspec.ValidationError as fault:
        raise BadExperiment(f"{sentence(str(fault))} in {path}") from None
    except KingmakerError as fault:
        raise BadExperiment(f"{fault} in {path}") from fault
    return experiment


def expect_one_hand(experiment: Experiment) -> None:
    """Refuse keys that only older stores have: today a match of several hands is a `series`."""
    if experiment.hands is not None or experiment.points is not None:
        wanted = f"points={experiment.points:g}" if experiment.points else f"hands={experiment.hands}"
        raise BadExperiment(
            "a match of several hands is a game of its own; leave out hands and points and write "
            f'game = "series({experiment.game}, {wanted})"'
        )


def experiment_from(text: str) -> Experiment:
    """The experiment behind the line that `as_text` gave."""
    return msgspec.convert(json.loads(text), Experiment)


def sentence(complaint: str) -> str:
    """msgspec's message with the place as a dotted path, and with the nearest known keys if a key is unknown."""
    words, _, place = complaint.partition(" - at `$")
    place = place.rstrip("`").lstrip(".")
    found = re.fullmatch(r"Object contains unknown field `(.+)`", words)
    if found:
        table = {"budget": Given, "limits": Limits, "stop": Stop}.get(
            place, Expectation if place.startswith("expect") else Experiment
        )
        words = f"unknown key '{found[1]}'; did you mean {', '.join(nearest(found[1], table.__struct_fields__))}?"
    else:
        words = words[:1].lower() + words[1:].replace("`", "'")
    return f"{words} at {place}" if place else words


def checked(experiment: Experiment) -> None:
    """Refuse what cannot be played, before the first match."""
    expect_one_hand(experiment)
    if experiment.squares and (experiment.seating not in SQUARED or experiment.lineup is not None):
        raise BadExperiment(
            f"expected the seating {' or '.join(SQUARED)} without a line-up at squares, got "
            f"'{experiment.seating}'{' with one' * (experiment.lineup is not None)}; leave squares out"
        )
    text = " ".join([experiment.game, *experiment.agents.values()])
    for key, values in experiment.sweep.items():
        if not re.fullmatch(r"[\w-]+", key):
            raise BadExperiment(
                "expected a name of letters, digits, _ and - at sweep, got "
                f"'{key}'; files of the report are called after it"
            )
        if any(isinstance(value, float) and math.isnan(value) for value in values):
            raise BadExperiment(f"expected numbers or texts at sweep.{key}, got nan")
        if f"{{{key}}}" not in text:
            raise BadExperiment(
                f"nothing uses the setting '{key}' at sweep; write {{{key}}} in the game or in an agent"
            )
    for place, names in (("lineup", experiment.lineup or []), *mentioned(experiment)):
        for name in names:
            if name not in experiment.agents:
                raise BadExperiment(
                    f"unknown agent '{name}' at {place}; did you mean {', '.join(nearest(name, experiment.agents))}?"
                )
    for i, expectation in enumerate(experiment.expect):
        if not any(getattr(expectation, key) is not None for key in ("above", "below", "ahead_of", "printed")):
            raise BadExperiment(f"nothing is expected at expect[{i}]; name above, below, ahead_of or printed")
        for key in ("above", "below", "printed"):
            if math.isnan(getattr(expectation, key) or 0.0):
                raise BadExperiment(f"expected a number at expect[{i}].{key}, got nan")
        for key in expectation.where:
            if key not in experiment.sweep:
                raise BadExperiment(
                    f"unknown setting '{key}' at expect[{i}].where; the sweep "
                    f"has {', '.join(experiment.sweep) or 'none'}"
                )
    if experiment.stop:
        check_stop(experiment.stop, experiment)
    if isinstance(experiment.starts, list) and not experiment.starts:
        raise BadExperiment("expected at least one position at starts, got none")
    for settings in experiment.variants:
        variant_of(experiment, settings)


def check_stop(stop: Stop, experiment: Experiment) -> None:
    """Refuse a sequential test that cannot decide anything."""
    if experiment.sweep:
        raise BadExperiment("a sweep cannot stop early at stop; give every setting an experiment of its own")
    for key in ("null", "alternative"):
        if not math.isfinite(getattr(stop, key)):
            raise BadExperiment(f"expected a finite number at stop.{key}, got {getattr(stop, key)}")
    if stop.null == stop.alternative:
        raise BadExperiment(f"null and alternative are both {stop.null:g} at stop; name two values to tell apart")
    if stop.scale == "share" and not (0 < stop.null < 1 and 0 < stop.alternative < 1):
        raise BadExperiment(
            f"expected shares between 0 and 1 at stop, got {stop.null:g} "
            f"and {stop.alternative:g}; or name another scale"
        )


def mentioned(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """The places in the experiment that name agents, each with these names."""
    expected = [
        (f"expect[{i}]", [each.agent, *([each.ahead_of] if each.ahead_of else [])])
        for i, each in enumerate(experiment.expect)
    ]
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
    """The agent with the common budget, unless it has a budget of its own or has no parameter for one."""
    settings = agent.settings
    given = {key: getattr(budget, key) for key in LIMITS if getattr(budget, key) is not None and key in settings}
    if not given or any(settings.get(key) is not None for key in LIMITS):
        return agent
    return agent.changed(**given)


def timed(agent: Any) -> bool:
    """Has this agent, or an agent that it consults, a budget of seconds?"""
    budget = getattr(agent, "budget", None)
    if getattr(budget, "seconds", None) is not None:
        return True
    return is_dataclass(agent) and any(
        isinstance(getattr(agent, f.name), Agent) and timed(getattr(agent, f.name)) for f in fields(agent)
    )
