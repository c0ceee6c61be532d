"""Which values a parameter takes, by its annotation or, where it has none, by the type of its default.

Every game, agent and estimate that is made from a text passes through here, so no constructor needs to ask whether a
whole number is one: `true` is no number, 2.5 is no whole number, and nan is refused everywhere.
A parameter without annotation whose default is None, or anything but a number, a text or a truth value, takes whatever
comes.
"""

import inspect
import math
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from kingmaker.core.errors import BadParameter

WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", NoneType: "none"}
LARGEST = 2**63 - 1  # the largest whole number in machine code
LONGEST = 200  # the most characters of a value in a sentence


def shown(value: Any) -> str:
    """A value in a sentence, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # Python refuses to write whole numbers of more than 4300 digits
        text = f"{type(value).__name__} that is too long to be written"
    return cut(text)


def cut(text: str) -> str:
    """A text that fits into a sentence."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


@lru_cache(maxsize=256)
def kinds_of(maker: Any) -> dict[str, Any]:
    """The kind of every parameter that a constructor takes; `Any` where it does not say."""
    try:
        hints = get_type_hints(getattr(maker, "__init__", maker))
    except (NameError, TypeError, AttributeError):
        hints = {}
    found = {}
    for name, parameter in inspect.signature(maker).parameters.items():
        usual = type(parameter.default)
        found[name] = hints.get(name, usual if usual in WORDS and usual is not NoneType else Any)
    return found


def check_parameters(maker: Any, where: Any, given: Mapping[str, Any]) -> None:
    """Refuse values of the wrong kind; `where` is the text that they came from, or the thing that was made from
    them.
    """
    kinds = kinds_of(maker)
    for name, value in given.items():
        kind = kinds.get(name, Any)
        if fits(value, kind):
            continue
        if isinstance(value, int) and fits(0, kind) and not isinstance(value, bool):
            raise BadParameter(f"expected a whole number of at most 64 bits for {name}, got {shown(value)} in {where}")
        hint = "; put it in quotes" if fits("", kind) else ""
        raise BadParameter(f"expected {described(kind)} for {name}, got {shown(value)} in {where}{hint}")


def fits(value: Any, kind: Any) -> bool:
    """Is the value of this kind? A whole number is a number too, and a list does where a tuple is wanted, as does its
    only item.
    """
    if get_origin(kind) in (Union, UnionType):
        return any(fits(value, each) for each in get_args(kind))
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if get_origin(kind) is tuple:
        return all(fits(item, get_args(kind)[0]) for item in (value if isinstance(value, list | tuple) else [value]))
    if kind is int or (kind is float and isinstance(value, int)):
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST
    if kind is float:
        return isinstance(value, float) and not math.isnan(value)
    return isinstance(value, kind) if kind in WORDS else True


def described(kind: Any) -> str:
    """The kind in words."""
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(described(each) for each in get_args(kind))
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    if get_origin(kind) is tuple:
        return f"{described(get_args(kind)[0])} or a list of them"
    return WORDS.get(kind, "something else")
