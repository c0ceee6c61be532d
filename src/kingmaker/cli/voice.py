"""How much the commands print; they always print plain text.

`--quiet` leaves out remarks and progress, `--verbose` tells more; results and errors are always printed.
"""

import functools
import inspect
import platform
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter

from kingmaker import __version__
from kingmaker.core.errors import BadParameter
from kingmaker.core.plain_text import one_line, safe

QUIET, PLAIN, VERBOSE = range(3)
FLAGS = ("--quiet", "-q", "--verbose", "-v")
Quiet = Annotated[
    bool,
    Parameter(
        name=("--quiet", "-q"),
        negative=(),
        show_default=False,
        help="Leave out remarks and progress.",
        group="Every command",
    ),
]
Verbose = Annotated[
    bool,
    Parameter(
        name=("--verbose", "-v"),
        negative=(),
        show_default=False,
        help="Tell more: lists are complete, and an error comes with its traceback.",
        group="Every command",
    ),
]


class Voice:
    """How much the running command prints."""

    level = PLAIN


def quiet() -> bool:
    return Voice.level == QUIET


def verbose() -> bool:
    return Voice.level == VERBOSE


def explain_waiting(sentence: str) -> None:
    """Tell the user at a terminal why nothing happens yet."""
    if not quiet():
        complain(sentence)
        sys.stderr.flush()


def complain(sentence: str) -> None:
    """Print an error in one line on stderr."""
    sys.stderr.write(f"kingmaker: {one_line(sentence)}\n")


def say_aside(sentence: str) -> None:
    """Print a remark on stderr, unless --quiet is given."""
    if not quiet():
        complain(sentence)


def say_more(sentence: str) -> None:
    """Print a remark on stderr if --verbose is given."""
    if verbose():
        complain(sentence)


def write(text: str) -> None:
    """Print text for people without wrapping it."""
    sys.stdout.write(safe(text))


def hand_over(text: str) -> None:
    """Print text for another program, byte for byte; in a terminal, control characters are written out."""
    sys.stdout.write(safe(text) if sys.stdout.isatty() else text)


def with_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options that every command has."""
    signature = inspect.signature(command)
    kinds = [("quiet", Quiet), ("verbose", Verbose)]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind) for name, kind in kinds
    ]

    @functools.wraps(command)
    def spoken(*arguments: Any, quiet: bool = False, verbose: bool = False, **options: Any) -> Any:
        if quiet and verbose:
            raise BadParameter("expected --quiet or --verbose, got both")
        Voice.level = QUIET if quiet else VERBOSE if verbose else PLAIN
        say_more(f"version {__version__}, Python {platform.python_version()} on {platform.platform()}")
        began = time.perf_counter()
        try:
            return command(*arguments, **options)
        finally:
            say_more(f"{command.__name__} took {time.perf_counter() - began:.2f} seconds")

    spoken.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *added])  # type: ignore[attr-defined]
    spoken.__annotations__ = command.__annotations__ | dict(kinds)
    return spoken


def flags_behind(argv: list[str]) -> list[str]:
    """The command line with flags that stand before the command moved behind it, where they mean the same."""
    at = next((i for i, word in enumerate(argv) if word not in FLAGS), len(argv))
    return [*argv[at : at + 1], *argv[:at], *argv[at + 1 :]] if at < len(argv) else []
