"""Texts for things, both ways: `name(param=value, …)` for games, agents and estimates."""

import ast
import inspect
import math
import re
import warnings
from typing import Any

from kingmaker.core.errors import BadParameter, IllegalMove, unknown
from kingmaker.core.parameters import LARGEST, check_parameters, shown

WORDS = {"inf": math.inf, "nan": math.nan, "true": True, "false": False, "none": None}


def snake(name: str) -> str:
    """The command-line word for a class: LightBike is light_bike."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def call_text(name: str, parameters: dict[str, Any]) -> str:
    """The text form of a thing and its parameters."""
    return f"{name}({', '.join(f'{key}={value_text(value)}' for key, value in parameters.items())})"


def value_text(value: Any) -> str:
    try:
        return repr(value) if isinstance(value, (str, bool, list, tuple)) else str(value)
    except ValueError:  # Python refuses to write whole numbers of more than 4300 digits
        return hex(value) if isinstance(value, int) else shown(value)


def parameters_of(thing: Any) -> dict[str, Any]:
    """The constructor's parameters that differ from their defaults."""
    found = {}
    for name, parameter in inspect.signature(type(thing).__init__).parameters.items():
        if name in vars(thing) and vars(thing)[name] != parameter.default:
            found[name] = vars(thing)[name]
    return found


def parse_call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Take `paranoid(depth=6)` apart into name, arguments and keyword arguments; nested forms stay text."""
    begun = re.match(r"\s*([\w./:\\~-]+)", text)
    rest = text[begun.end() :].strip() if begun else ""
    if not begun or (rest and not (rest.startswith("(") and rest.endswith(")"))):
        raise BadParameter(f"expected a form like name(param=value), got '{text}'")
    name = begun[1]
    path = r"(?<=[=(,])\s*([\w.~-]*/[\w./~-]*)(?=\s*[,)])"  # a path, which needs no quotes
    source = "call" + re.sub(path, r"'\1'", rest or "()")
    call = parsed(source)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise BadParameter(f"expected a form like {name}(param=value), got '{text}'")
    try:
        return name, *arguments_of(call, source, text)
    except RecursionError:
        raise BadParameter(
            f"expected a few brackets or signs inside each other in {name}(…), got more than Python can follow"
        ) from None


def arguments_of(call: ast.Call, source: str, text: str) -> tuple[list[Any], dict[str, Any]]:
    """What stands between the brackets: values, and values by name."""
    keywords: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise BadParameter(f"expected parameters by name, got '{text}'")
        if keyword.arg in keywords:
            raise BadParameter(f"expected {keyword.arg} once in '{text}', got it again; leave one of them out")
        keywords[keyword.arg] = literal(keyword.value, source, text)
    return [literal(argument, source, text) for argument in call.args], keywords


def parsed(source: str) -> ast.expr | None:
    """The expression that a source consists of, or None; Python's syntax warnings are ignored."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode="eval").body
    except (
        SyntaxError,
        ValueError,
        RecursionError,
        MemoryError,
    ):  # brackets nested too deep are a MemoryError to Python's parser
        return None


def literal(node: ast.expr, source: str, text: str) -> Any:
    """A number, text, list, bare word or path; a nested form comes back as its text."""
    if isinstance(node, ast.Name):
        return WORDS.get(node.id.lower(), node.id)
    if isinstance(node, ast.Call):
        try:
            return ast.unparse(node)
        except ValueError:  # Python refuses to write whole numbers of more than 4300 digits
            raise BadParameter(f"cannot read a number inside '{text}'; a whole number has at most 64 bits") from None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = literal(node.operand, source, text)
        if isinstance(value, (int, float)):
            return -value
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [literal(item, source, text) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    words = ast.get_source_segment(source, node) or ""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        if re.fullmatch(r"[\w-]+\.[\w.-]+|[a-z_]+(\+[a-z_]+)+", words):
            return words  # a file name, or several words joined by +
        raise BadParameter(f"cannot read '{words}' in '{text}'; put texts in quotes") from None
    if isinstance(value, int) and abs(value) > LARGEST:
        raise BadParameter(f"cannot read '{words}' in '{text}'; a whole number has at most 64 bits")
    return value


def meant(said: dict[str, int], text: str) -> int:
    """The move that a text names among those `said`: in the same letters, or in other cases where only one can be
    meant.
    """
    word = text.strip()
    alike = [word] if word in said else [each for each in said if each.lower() == word.lower()]
    if len(alike) > 1:
        raise IllegalMove(f"'{text}' may be {' or '.join(alike)}; write the move in the same letters")
    if not alike:
        raise IllegalMove(f"'{text}' is no legal move here; the moves are {', '.join(said)}")
    return said[alike[0]]


def build(maker: Any, text: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Make a thing from its class and parsed parameters; wrong names and types become sentences."""
    known = [name for name in inspect.signature(maker).parameters if not name.startswith("_")]
    for name in keywords:
        if name not in known:
            raise unknown("parameter", name, known, text)
    if len(arguments) > len(known):
        raise BadParameter(f"expected at most {len(known)} parameters, got {len(arguments)} in {text}")
    check_parameters(maker, text, dict(zip(known, arguments, strict=False)) | keywords)
    try:
        return maker(*arguments, **keywords)
    except TypeError as fault:
        raise BadParameter(f"cannot make {text}: {fault}") from fault
