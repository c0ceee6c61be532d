"""Faults and warnings as one sentence each: what was expected, what came, and a way out."""

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, get_args, get_origin

from cyclopts import CycloptsError
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from kingmaker.cli import COMMANDS
from kingmaker.cli.voice import FLAGS, say_aside, verbose
from kingmaker.core.compiling.compile_errors import is_theirs, quoted
from kingmaker.core.errors import unknown
from kingmaker.core.plain_text import safe

KINDS = {int: "a whole number", float: "a number", bool: "yes or no"}


def told(fault: CycloptsError) -> str:
    """What is wrong with a command line."""
    command = " ".join(["kingmaker", *(fault.command_chain or ())])
    if isinstance(fault, UnknownCommandError) and fault.unused_tokens:
        word = fault.unused_tokens[0]
        return str(
            unknown("option", word, ("--help", "--version", *FLAGS))
            if word.startswith("-")
            else unknown("command", word, COMMANDS)
        )
    if isinstance(fault, UnknownOptionError):
        options = {name for argument in fault.argument_collection for name in argument.names if name.startswith("--")}
        return str(unknown("option", fault.token.keyword or fault.token.value, sorted(options), command))
    if isinstance(fault, UnusedCliTokensError) and fault.unused_tokens:
        return f"{command} has no use for '{fault.unused_tokens[0]}'; see {command} --help"
    if isinstance(fault, MissingArgumentError) and fault.argument:
        return f"expected {shown_name(fault.argument, fault.keyword)} in {command}, got nothing; see {command} --help"
    if isinstance(fault, RepeatArgumentError):
        return f"expected {fault.token.keyword} once in {command}, got it again"
    if isinstance(fault, CoercionError) and fault.token is not None and fault.argument:
        name = shown_name(fault.argument, fault.token.keyword)
        return f"expected {kind_of(fault.target_type)} for {name}, got '{fault.token.value}'"
    text = str(fault).strip().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see {command} --help"


def shown_name(argument: Any, keyword: str | None) -> str:
    return keyword or (argument.name if argument.name.startswith("--") else argument.name.upper())


def kind_of(wanted: Any) -> str:
    if get_origin(wanted) is Literal:
        *others, last = get_args(wanted)
        return f"{', '.join(others)} or {last}"
    return KINDS.get(wanted, "something else")


def blamed(fault: BaseException) -> str:
    """The error with the line in the user's own file that it came from; empty if it did not come from there."""
    if isinstance(fault, MemoryError):
        return f"not enough memory: {fault}" if str(fault) else "not enough memory"
    place = ""
    trace = fault.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if is_theirs(file):
            place = quoted(file, trace.tb_lineno)
        trace = trace.tb_next
    return f"{type(fault).__name__} in {place}: {fault}" if place else ""


def behind(fault: BaseException) -> str:
    """The traceback of an error with --verbose, else an empty text."""
    return safe("".join(traceback.format_exception(fault))) if verbose() else ""


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Warnings as one plain line on stderr, without the place in the code."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        say_aside(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        # 64-bit words are meant to wrap around
        warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)
        yield
