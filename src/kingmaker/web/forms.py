"""Forms made from parameters: fields for the settings of a game or an agent, and the text that they make."""

import inspect
import math
from dataclasses import fields
from typing import Any

from nicegui import ui

from kingmaker.core.agent import Agent
from kingmaker.core.notation import call_text
from kingmaker.games import PLAYERS
from kingmaker.search import ALGORITHMS
from kingmaker.search.mp_mix import TUNED
from kingmaker.web.caps import CAPS

PERSON = "a person"
LEFT_OUT = ("one_world", "threads")  # settings that the page decides


CHOICES: dict[str, tuple[str, ...]] = {  # settings that are one of several words; those of agents first
    "order": ("given", "shuffled", "promising", "history", "killer"),
    "ties": ("first", "random", "least_others", "average"),
    "ties of max_prob": ("shared", "split"),
    "ties of offensive": ("random", "first", "any"),
    "ties of mp_mix": ("random", "first", "any"),
    "prune": ("none", "immediate", "shallow", "last_branch", "speculative"),
    "rule": ("first", "last", "published"),
    "by": ("vote", "mean"),
    "policy": ("maxn", "paranoid", "best_reply"),
    "reward": ("score", "share", "rank"),
    "playout": ("auto", "random", "greedy"),
    "observer": ("multiple", "single"),
    "layout of backgammon": ("standard", "hyper"),
    "goal": ("line", "card"),
    "camp": ("most", "one", "all"),
    "rules": ("source", "parlour"),
    "starts": ("shared", "distinct"),
    "walls": ("stay", "vanish"),
    "kind": ("uniform", "constant_sum", "binary"),
    "map": ("classic", "duel", "line", "ring", "two_continents", "three_islands"),
    "placing": ("even", "random", "players"),
    "fortify": ("lux", "one", "none"),
}


def choices(owner: str, name: str) -> tuple[str, ...]:
    """The words that a setting may be; empty where it is a text."""
    return CHOICES.get(f"{name} of {owner}", CHOICES.get(name, ()))


def settings_of(cls: Any) -> dict[str, Any]:
    """The settings of a class that a form can hold, with their defaults."""
    if isinstance(cls, type) and issubclass(cls, Agent):
        found = {each.name: each.default for each in fields(cls)}
    else:
        found = {name: each.default for name, each in inspect.signature(cls).parameters.items()}
    return {
        name: default
        for name, default in found.items()
        if name not in LEFT_OUT and (default is None or isinstance(default, (bool, int, float, str)))
    }


def field_for(owner: str, name: str, default: Any) -> Any:
    """A field for one setting: a switch, a number, one of several words, or a text."""
    label = name.replace("_", " ")
    if isinstance(default, bool):
        return ui.switch(label, value=default).props("dense")
    if default is None or isinstance(default, (int, float)):
        shown = None if default is None or not math.isfinite(default) else default
        return ui.number(label, value=shown, max=CAPS.get(name)).props("dense clearable").classes("w-28")
    if isinstance(default, str) and default in choices(owner, name):
        return ui.select(list(choices(owner, name)), value=default, label=label).props("dense").classes("w-32")
    return ui.input(label, value=default).props("dense").classes("w-32")


def number_in(text: Any) -> Any:
    """The number that was typed where a word stands for one by default; anything else as it is."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


class Settings:
    """Fields for the settings of one class."""

    def __init__(self, name: str, cls: Any, given: dict[str, Any] | None = None) -> None:
        self.name, self.defaults = name, settings_of(cls)
        self.fields: dict[str, Any] = {}
        with ui.row().classes("gap-3 items-end"):
            for key, default in self.defaults.items():
                self.fields[key] = field_for(name, key, default)
                if given and key in given:
                    self.fields[key].value = given[key]

    def text(self) -> str:
        """The text form, with the settings that differ from the defaults."""
        changed = {}
        for key, field in self.fields.items():
            value, default = field.value, self.defaults[key]
            if default == TUNED:
                value = number_in(value)
            if isinstance(value, float) and value.is_integer() and not isinstance(default, float):
                value = int(value)
            if value not in (None, "") and value != default:
                changed[key] = value
        return call_text(self.name, changed)


def agent_class(name: str) -> Any:
    return ALGORITHMS[name] if name in ALGORITHMS else PLAYERS[name]


class SeatForm:
    """Who sits on a seat: a person, or an agent with its settings."""

    def __init__(self, seat: int, names: list[str], chosen: str) -> None:
        self.settings: Settings | None = None  # made when the visitor first looks at them
        with ui.row().classes("items-center gap-2 w-full"):
            self.choice = ui.select([PERSON, *names], value=chosen, label=f"seat {seat}").classes("w-44")
            self.more = ui.expansion("settings", on_value_change=self.show).classes("grow").props("dense")
        self.choice.on_value_change(self.changed)
        self.changed()

    @property
    def usual(self) -> dict[str, Any]:
        """The settings of the chosen agent before anybody changes them."""
        return {"seconds": 1} if "seconds" in settings_of(agent_class(self.choice.value)) else {}

    def changed(self) -> None:
        """Another agent is chosen: the fields of the one before are dropped."""
        self.more.clear()
        self.settings = None
        self.more.set_visibility(self.choice.value != PERSON)
        self.show()

    def show(self) -> None:
        """Fields for the agent that is chosen, once they are looked at: many are slow to appear."""
        name = self.choice.value
        if self.more.value and self.settings is None and name != PERSON:
            with self.more:
                self.settings = Settings(name, agent_class(name), self.usual)

    def text(self) -> str:
        if self.choice.value == PERSON:
            return "person"
        return call_text(self.choice.value, self.usual) if self.settings is None else self.settings.text()
