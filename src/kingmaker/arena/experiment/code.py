"""Which code played a match: one short hash for each part, so that a change can be named."""

import hashlib
import importlib
import pkgutil
import platform
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import lru_cache
from importlib.metadata import version
from types import CodeType, FunctionType, ModuleType
from typing import Any

import kingmaker
from kingmaker.arena.experiment.closure import closure_hash
from kingmaker.arena.experiment.schedule import Schedule, schedule_of
from kingmaker.core.agent import Agent
from kingmaker.core.game import Game
from kingmaker.core.kernel import Kernel
from kingmaker.core.own_files import editions
from kingmaker.loading import load_game

PACKAGES = {  # the packages that are hashed, each with its modules on which no result depends
    "core": ("errors", "plain_text"),
    "core.compiling": (
        "bundle",
        "cache",
        "compile_errors",
        "compiler",
        "entries",
        "entry",
        "linking",
        "lowering",
        "making",
        "numba_methods",
        "quick",
        "two_speeds",
        "waiting",
    ),
    "search.parts.machinery": (),
    "search.parts.switches": (),
    "search.parts.opponents": (),
    "adapters": (),
}
ARENA = (
    "table.match",
    "table.opening",
    "table.referee",
    "table.seating",
    "table.table",
    "experiment.schedule",
    "running.worker",
)


def code_parts(schedule: Schedule) -> dict[str, str]:
    """The hash of every part that a match of the experiment runs."""
    parts = {"kingmaker": written(own_modules())}
    for variant in schedule.variants:
        # a newly made game, because using a game caches attributes that would change its hash
        parts[f"game {variant.game}"] = closure_hash(load_game(variant.game_text))
        for name, agent in zip(variant.names, variant.agents, strict=True):
            parts[f"agent {name}"] = closure_hash(*run_by(agent, variant.game))
    return parts


def run_by(agent: Any, game: Game) -> Iterator[Any]:
    """An agent and everything that it runs in the game, including the agents that it consults."""
    yield agent
    for thing in agent.runs(game):
        if isinstance(thing, Agent):
            yield from run_by(thing, game)
        else:
            yield thing


def written(modules: list[ModuleType]) -> str:
    """The hash of the constants, classes and functions that modules define; running their code does not change it."""
    digest = hashlib.sha256()
    for module in modules:
        digest.update(repr(sorted(plain_in(module, str.isupper))).encode())
        for cls in [
            value
            for _, value in sorted(vars(module).items())
            if isinstance(value, type) and value.__module__ == module.__name__
        ]:
            digest.update(
                repr((cls.__qualname__, sorted(plain_in(cls, lambda name: not name.startswith("__"))))).encode()
            )
        for thing in things_in(module):
            for function in functions_of(thing):
                digest.update(
                    repr(
                        (said(function.__code__), steady(function.__defaults__), steady(function.__kwdefaults__))
                    ).encode()
                )
    return digest.hexdigest()[:16]


def plain_in(space: Any, counts: Callable[[str], bool]) -> list[tuple[str, str]]:
    """The constants of a module or a class that are numbers, texts or tuples, each with its name."""
    plain = [
        (name, steady(value))
        for name, value in vars(space).items()
        if counts(name) and isinstance(value, (int, float, str, tuple))
    ]
    return [(name, value) for name, value in plain if value]


def functions_of(thing: Any) -> list[FunctionType]:
    """The Python functions behind a kernel, property or method."""
    behind = [getattr(thing, name, None) for name in ("function", "fget", "__func__", "__wrapped__")]
    return [each for each in (thing, *behind) if isinstance(each, FunctionType)]


def said(code: CodeType) -> tuple[Any, ...]:
    """The content of a code object, without its file name and line numbers."""
    constants = [said(each) if isinstance(each, CodeType) else steady(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def steady(constant: Any) -> str:
    """A constant as a text that is the same in every process; empty if that text would contain a memory address."""
    found = repr(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant)
    return "" if " at 0x" in found else found


def code_hash(text: str) -> str:
    """One hash of all parts and versions; the coordinator compares a worker's hash with its own."""
    return kept(text, editions([text]))


@lru_cache(maxsize=4)
def kept(text: str, editions: Any) -> str:
    told = {"parts": code_parts(schedule_of(text)), "versions": versions()}
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def versions() -> dict[str, str]:
    """The versions of the software that the hashes do not cover."""
    return {"kingmaker": kingmaker.__version__, "python": platform.python_version()} | {
        name: version(name) for name in ("numpy", "numba")
    }


def own_modules() -> list[ModuleType]:
    names = [f"kingmaker.arena.{name}" for name in ARENA]
    for package, without in PACKAGES.items():
        found = importlib.import_module(f"kingmaker.{package}")
        names += [
            f"kingmaker.{package}.{each.name}"
            for each in pkgutil.iter_modules(found.__path__)
            if each.name not in without
        ]
    return [importlib.import_module(name) for name in sorted(names)]


def things_in(module: ModuleType) -> list[Any]:
    """The functions and methods that a module defines, in the order of their names."""
    things: list[Any] = []
    for _, value in sorted(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            members = [member for name, member in sorted(vars(value).items()) if is_code(member) and own(value, name)]
            things += [
                member for member in members if getattr(member, "__module__", module.__name__) == module.__name__
            ]
        elif is_code(value) and value.__module__ == module.__name__:
            things.append(value)
    return things


def is_code(value: Any) -> bool:
    return isinstance(value, (FunctionType, Kernel, property, staticmethod, classmethod)) or hasattr(
        value, "__wrapped__"
    )


def own(cls: type, name: str) -> bool:
    """Was the method written, not generated?"""
    return not name.startswith("__") or name == "__post_init__" or (name == "__init__" and not is_dataclass(cls))
