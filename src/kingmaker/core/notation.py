"""Texts for things, both ways: `name(param=value, …)` for games, agents and estimates, one line for any record state."""

import ast
import inspect
import math
import re
from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter, BadPosition, UnknownName, unknown

WORDS = {"inf": math.inf, "nan": math.nan, "true": True, "false": False, "none": None}


def snake(name: str) -> str:
    """The command-line word for a class: LightBike is light_bike."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def call_text(name: str, parameters: dict[str, Any]) -> str:
    """The text form of a thing and its parameters."""
    return f"{name}({', '.join(f'{key}={value_text(value)}' for key, value in parameters.items())})"


def value_text(value: Any) -> str:
    return repr(value) if isinstance(value, (str, bool, list, tuple)) else str(value)


def parameters_of(thing: Any) -> dict[str, Any]:
    """The constructor's parameters that differ from their defaults."""
    found = {}
    for name, parameter in inspect.signature(type(thing).__init__).parameters.items():
        if name in vars(thing) and vars(thing)[name] != parameter.default:
            found[name] = vars(thing)[name]
    return found


def parse_call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Take `paranoid(depth=6)` apart into name, arguments and keyword arguments; nested forms stay text."""
    match = re.fullmatch(r"\s*([\w./:\\~-]+?)\s*(\(.*\))?\s*", text, re.DOTALL)
    if not match:
        raise BadParameter(f"expected a form like name(param=value), got '{text}'")
    name, rest = match.groups()
    source = "call" + re.sub(r"=\s*([\w.~-]*/[\w./~-]*)(?=\s*[,)])", r"='\1'", rest or "()")  # a path needs no quotes
    try:
        call = ast.parse(source, mode="eval").body
    except SyntaxError:
        raise BadParameter(f"expected a form like {name}(param=value), got '{text}'") from None
    if not isinstance(call, ast.Call) or isinstance(call.func, ast.Call):
        raise BadParameter(f"expected a form like {name}(param=value), got '{text}'")
    keywords = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise BadParameter(f"expected parameters by name, got '{text}'")
        keywords[keyword.arg] = literal(keyword.value, source, text)
    return name, [literal(argument, source, text) for argument in call.args], keywords


def literal(node: ast.expr, source: str, text: str) -> Any:
    """A number, text, list, bare word or path; a nested form comes back as its text."""
    if isinstance(node, ast.Name):
        return WORDS.get(node.id.lower(), node.id)
    if isinstance(node, ast.Call):
        return ast.unparse(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = literal(node.operand, source, text)
        if isinstance(value, (int, float)):
            return -value
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [literal(item, source, text) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    try:
        return ast.literal_eval(node)
    except ValueError:
        words = ast.get_source_segment(source, node) or ""
        if re.fullmatch(r"[\w-]+\.[\w.-]+|[a-z_]+(\+[a-z_]+)+", words):
            return words  # a file name, or several words joined by +
        raise BadParameter(f"cannot read '{words}' in '{text}'; put texts in quotes") from None


def build(maker: Any, text: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Make a thing from its class and parsed parameters; wrong names and types become sentences."""
    known = [name for name in inspect.signature(maker).parameters if not name.startswith("_")]
    for name in keywords:
        if name not in known:
            raise unknown("parameter", name, known, text)
    if len(arguments) > len(known):
        raise BadParameter(f"expected at most {len(known)} parameters, got {len(arguments)} in {text}")
    try:
        return maker(*arguments, **keywords)
    except TypeError as fault:
        raise BadParameter(f"cannot make {text}: {fault}") from fault


def find_estimate(game: Any, text: str) -> Any:
    """The estimate of a game that a text names, with its parameters changed where the text says so."""
    name, arguments, keywords = parse_call(text)
    if not game.estimates:
        raise UnknownName(f"{game} has no estimates, so none called '{name}'; leave it out")
    for estimate in game.estimates:
        if estimate.name == name:
            if not (arguments or keywords):
                return estimate
            return build(type(estimate), text, arguments, parameters_of(estimate) | keywords)
    raise unknown("estimate", name, [estimate.name for estimate in game.estimates], str(game))


def record_text(game: Any, state: Any) -> str:
    """Every field of a record by name: `left=15 seat=0`."""
    if not game.has_records:
        raise UnknownName(f"{game} has no text for its positions; give it the methods notation and position")
    return " ".join(f"{name}={field_text(state[name])}" for name in state.dtype.names)


def field_text(value: Any) -> str:
    return ",".join(str(item) for item in np.asarray(value).ravel())


def record_from(game: Any, text: str) -> Any:
    """The record behind such a line."""
    if not game.has_records:
        raise UnknownName(f"{game} has no text for its positions; give it the methods notation and position")
    state = game.blank()
    given = dict(part.partition("=")[::2] for part in text.split())
    names = state.dtype.names
    for name in given:
        if name not in names:
            raise BadPosition(f"expected the fields {', '.join(names)} in a position of {game}, got '{name}'")
    for name in names:
        if name not in given:
            raise BadPosition(f"the field '{name}' is missing in the position '{text}' of {game}")
        fill(game, state, name, given[name])
    return state


def fill(game: Any, state: Any, name: str, text: str) -> None:
    kind = state.dtype[name]
    shape, base = kind.shape, kind.base
    items = text.split(",")
    if len(items) != math.prod(shape):
        raise BadPosition(f"expected {math.prod(shape)} numbers for '{name}' in a position of {game}, got {len(items)}")
    try:
        numbers = [float(item) if base.kind == "f" else int(item) for item in items]
        state[name] = np.array(numbers, base).reshape(shape) if shape else base.type(numbers[0])
    except (ValueError, OverflowError):
        raise BadPosition(f"'{text}' does not fit the field '{name}' in a position of {game}") from None
