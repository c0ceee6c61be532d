"""How the commands speak: how much they tell, and only ever in plain text.

`--quiet` leaves out remarks and progress, `--verbose` tells more; results and faults are told always.
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
        help="Tell more: nothing is left out of lists, and a fault comes with its place in the code.",
        group="Every command",
    ),
]


class Voice:
    """How much the command that runs now tells."""

    level = PLAIN


def quiet() -> bool:
    return Voice.level == QUIET


def verbose() -> bool:
    return Voice.level == VERBOSE


def explain_waiting(sentence: str) -> None:
    """Tell somebody at a terminal why nothing happens yet."""
    if not quiet():
        complain(sentence)
        sys.stderr.flush()


def complain(sentence: str) -> None:
    """A fault in one line on stderr."""
    sys.stderr.write(f"kingmaker: {one_line(sentence)}\n")


def say_aside(sentence: str) -> None:
    """A remark beside the result, on stderr."""
    if not quiet():
        complain(sentence)


def say_more(sentence: str) -> None:
    """A remark for those who want to know it all, on stderr."""
    if verbose():
        complain(sentence)


def write(text: str) -> None:
    """Text for people as it stands, unwrapped."""
    sys.stdout.write(safe(text))


def hand_over(text: str) -> None:
    """Text for another program, byte for byte; a terminal gets it safe."""
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
    """The command line with flags that come before the command put behind it, where they mean the same."""
    at = next((i for i, word in enumerate(argv) if word not in FLAGS), len(argv))
    return [*argv[at : at + 1], *argv[:at], *argv[at + 1 :]] if at < len(argv) else []
