"""Faults found in the code of a game without running it: random numbers and clocks of its own, and changes to things
that outlive a call.

A match must follow from its seed. A method that draws from `random`, asks the clock, or changes its game or its module
may do so once in a thousand calls, so running it is not enough: the byte code shows which names it uses, the source
code which of them it changes.
"""

import ast
import datetime
import dis
import inspect
import random
import secrets
import textwrap
import time
import uuid
from collections import deque
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from kingmaker.core.compiling.compile_errors import is_theirs, quoted
from kingmaker.core.compiling.fingerprint import names_in
from kingmaker.core.contract import provides
from kingmaker.core.guard import is_own
from kingmaker.soundness.fault import Fault, fault, placed

CHANCY = (random, secrets, time, datetime, uuid, np.random)
MAKERS = (np.random.Generator, np.random.RandomState, random.Random)  # objects that draw random numbers
CHANGING = {
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "add",
    "discard",
    "update",
    "setdefault",
    "popitem",
}
CHANGING |= {"appendleft", "extendleft", "popleft", "rotate", "fill", "put", "itemset", "partition"}
CHANGEABLE = (list, dict, set, bytearray, deque, np.ndarray)
SPOKEN = {"show", "say", "parse", "notation", "position"}  # methods that are never called inside a search
DICE = "draw from rng in start, or let the dice move: mover says CHANCE and outcomes lists what they may show"
STATE = "keep what must last in the state"


def faults_in(game: Any, estimates: tuple[Any, ...]) -> Iterator[Fault]:
    """Faults that make matches depend on more than their seed, and methods that no search or match will call."""
    yield from unasked(game)
    for owner in (game, *estimates):
        if not is_own(owner):
            continue
        for name, value in vars(owner).items():
            if isinstance(value, MAKERS):
                yield Fault(
                    f"{type(owner).__name__}.{name} draws random numbers of its "
                    f"own, so a seed does not settle a match; {DICE}"
                )
        for method, function in own_functions(owner):
            for line, sentence in (*chancy(function), *changes(function, method)):
                where = quoted(function.__code__.co_filename, line)
                yield Fault(f"{placed(owner, method).partition(' (')[0]} ({where}): {sentence}")


def unasked(game: Any) -> Iterator[Fault]:
    """Methods and facts that contradict each other; facts that depend on a game's parameters are not checked for
    needless methods.
    """
    for method in ("step", "turn_to"):
        given = provides(game, method)
        if given and not game.facts.simultaneous and "facts" not in vars(game) and is_own(game):
            told = "nobody asks for it, for the facts do not say simultaneous=True"
            yield fault(game, None, method, f"{told}; write facts = Facts(simultaneous=True), or leave {method} out")
        if not given and game.facts.simultaneous:
            told = (
                f"the facts say simultaneous=True, but {type(game).__name__} has "
                f"no method {method}; write it, or change the facts"
            )
            yield fault(game, None, method, told)


def own_functions(owner: Any) -> Iterator[tuple[str, FunctionType]]:
    """The functions that the user wrote and that a search runs: methods by name, and the plain functions that they
    call.
    """
    seen: set[int] = set()
    for cls in type(owner).__mro__:
        for name, member in vars(cls).items():
            if (
                isinstance(member, FunctionType)
                and name not in SPOKEN
                and not name.startswith("__")
                and is_theirs(member.__code__.co_filename)
            ):
                for function in (member, *called_by(member, seen)):
                    yield name, function


def called_by(function: FunctionType, seen: set[int]) -> Iterator[FunctionType]:
    for name in names_in(function.__code__):
        value = function.__globals__.get(name)
        value = getattr(value, "function", getattr(value, "py_func", value))
        if isinstance(value, FunctionType) and id(value) not in seen and is_theirs(value.__code__.co_filename):
            seen.add(id(value))
            yield value
            yield from called_by(value, seen)


def chancy(function: FunctionType) -> Iterator[tuple[int, str]]:
    """The lines that use a clock or random numbers other than those of `rng`."""
    steps, line = list(dis.get_instructions(function)), function.__code__.co_firstlineno
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        line = (
            step.starts_line if isinstance(step.starts_line, int) and not isinstance(step.starts_line, bool) else line
        )
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            yield line, f"expected it to change the state only, but it changes the global {step.argval}; {STATE}"
        if step.opname not in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            continue
        value = function.__globals__.get(step.argval)
        name = step.argval
        if value is np and following is not None and following.argval == "random":
            value, name = np.random, f"{name}.random"
        waits = value is time and following is not None and following.argval == "sleep"
        if draws(value) and not waits:
            yield line, f"it uses {name}, so the same seed gives other matches; {DICE}"


def draws(value: Any) -> bool:
    """Is this a module, an object or a function whose answers do not follow from the seed of a match?"""
    if isinstance(value, ModuleType):
        return value in CHANCY
    if value is time.sleep:
        return False  # it takes time, but no result depends on it
    if isinstance(value, type):
        return value in (datetime.datetime, datetime.date)
    if isinstance(value, MAKERS) or isinstance(getattr(value, "__self__", None), MAKERS):
        return True
    return isinstance(value, (FunctionType, BuiltinFunctionType)) and value.__module__ in {
        module.__name__ for module in CHANCY
    }


def changes(function: FunctionType, method: str) -> Iterator[tuple[int, str]]:
    """The lines that change the object itself or what the module holds; nothing where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return
    first, code = function.__code__.co_firstlineno, function.__code__
    for node in ast.walk(tree):
        for target in targets(node):
            root, path = rooted(target)
            if path and is_lasting(root, function):
                told = f"expected it to change the state only, but it changes {ast.unparse(target)}"
                yield first + getattr(node, "lineno", 1) - 1, f"{told}; {STATE}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            root, path = rooted(node.func.value)
            held = function.__globals__.get(root)
            own = root == "self" and len(path) == 1 and root in code.co_varnames
            if own or (root not in code.co_varnames and isinstance(held, CHANGEABLE)):
                told = f"expected it to change the state only, but it changes {ast.unparse(node.func.value)}"
                yield first + node.lineno - 1, f"{told}; {STATE}"


def targets(node: ast.AST) -> list[ast.expr]:
    """What a statement changes."""
    if isinstance(node, ast.Assign):
        return [
            part
            for target in node.targets
            for part in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
        ]
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return [node.target]
    return list(node.targets) if isinstance(node, ast.Delete) else []


def rooted(node: ast.expr) -> tuple[str, list[str]]:
    """The name at the beginning of `a.b[c].d`, and the steps from there."""
    path = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        path.append(node.attr if isinstance(node, ast.Attribute) else "[]")
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), path


def is_lasting(root: str, function: FunctionType) -> bool:
    """Does the name stand for something that outlives the call: the object itself, or something of the module?"""
    local = function.__code__.co_varnames
    return root == "self" or (root == "game" and root in local) or (root not in local and root in function.__globals__)
