"""Which code played a match: one short hash for each part, so that a change can be named."""

import hashlib
import importlib
import pkgutil
import platform
from dataclasses import is_dataclass
from functools import lru_cache
from importlib.metadata import version
from types import CodeType, FunctionType, ModuleType
from typing import Any

import kingmaker
from kingmaker.arena.schedule import Schedule, schedule_of
from kingmaker.core.fingerprint import fingerprint
from kingmaker.core.kernel import Kernel
from kingmaker.loading import load_game

PACKAGES = {"core": ("compiler", "cache", "complaint", "errors"), "search.parts": ()}  # and what of them no result depends on
ARENA = ("match", "rules", "play", "schedule", "seating")


def code_parts(schedule: Schedule) -> dict[str, str]:
    """The hash of every part that a match of the experiment runs."""
    parts = {"kingmaker": written(own_modules())}
    for variant in schedule.variants:
        parts[f"game {variant.game}"] = fingerprint(load_game(variant.game_text))  # a fresh one: use leaves traces in an object
        for name, agent in zip(variant.names, variant.agents, strict=True):
            modules = [importlib.import_module(cls.__module__) for cls in type(agent).__mro__ if cls is not object]
            parts[f"agent {name}"] = written(modules) + fingerprint(getattr(agent, "kernel", None))[:8]
    return parts


def written(modules: list[ModuleType]) -> str:
    """The hash of what modules say, whatever has run in them since."""
    digest = hashlib.sha256()
    for module in modules:
        plain = {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, (int, float, str, tuple))}
        digest.update(repr(sorted((name, repr(value)) for name, value in plain.items() if " at 0x" not in repr(value))).encode())
        for thing in things_in(module):
            for function in functions_of(thing):
                digest.update(repr(said(function.__code__)).encode())
    return digest.hexdigest()[:16]


def functions_of(thing: Any) -> list[FunctionType]:
    """The Python functions behind a kernel, property or method."""
    behind = [getattr(thing, name, None) for name in ("function", "fget", "__func__", "__wrapped__")]
    return [each for each in (thing, *behind) if isinstance(each, FunctionType)]


def said(code: CodeType) -> tuple[Any, ...]:
    """What a piece of code says, without where it stands."""
    constants = [said(each) if isinstance(each, CodeType) else steady(each) for each in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def steady(constant: Any) -> str:
    return repr(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant)


@lru_cache(maxsize=4)
def code_hash(text: str) -> str:
    """One hash for all of it, by which a worker shows that it runs what the coordinator runs."""
    told = {"parts": code_parts(schedule_of(text)), "versions": versions()}
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def versions() -> dict[str, str]:
    """What the hashes do not cover."""
    return {"kingmaker": kingmaker.__version__, "python": platform.python_version()} | {name: version(name) for name in ("numpy", "numba")}


def own_modules() -> list[ModuleType]:
    names = [f"kingmaker.arena.{name}" for name in ARENA]
    for package, without in PACKAGES.items():
        found = importlib.import_module(f"kingmaker.{package}")
        names += [f"kingmaker.{package}.{each.name}" for each in pkgutil.iter_modules(found.__path__) if each.name not in without]
    return [importlib.import_module(name) for name in sorted(names)]


def things_in(module: ModuleType) -> list[Any]:
    """The functions and methods that a module defines, in the order of their names."""
    things: list[Any] = []
    for _, value in sorted(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            things += [member for name, member in sorted(vars(value).items()) if is_code(member) and own(value, name)]
        elif is_code(value) and value.__module__ == module.__name__:
            things.append(value)
    return things


def is_code(value: Any) -> bool:
    return isinstance(value, (FunctionType, Kernel, property, staticmethod, classmethod)) or hasattr(value, "__wrapped__")


def own(cls: type, name: str) -> bool:
    """Was the method written, not generated?"""
    return not name.startswith("__") or name == "__post_init__" or (name == "__init__" and not is_dataclass(cls))
