"""Classes in files of one's own: games, agents and estimates that a user names by a path, as `my_agent.py` or
`my_agent.py:Careful`.

A file is executed once a process, and again only after it was edited, so that two texts that name the same class get
the same class. It is compiled from the text that was just read: Python's own cache of byte code would not notice an
edit within the same second.
"""

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from kingmaker.core.errors import KingmakerError, unknown
from kingmaker.core.files import reading
from kingmaker.core.notation import build

FILES = re.compile(r"""[^"'(),=\[\]{}\\]+\.[A-Za-z]\w*""")  # what may be a file's name, however deep in a text


class Wanted(NamedTuple):
    """What is looked for in a file."""

    word: str  # game, agent or estimate
    described: str  # the class that it has to be
    fits: Callable[[type], bool]
    fault: type[KingmakerError]


class Named(NamedTuple):
    """A file, and a class in it where one was named."""

    path: Path
    name: str


def own_file(name: str) -> Named | None:
    """The file that the name of a game, agent or estimate stands for; None: it is the name of one of ours."""
    found = re.fullmatch(r"(.+\.py)(?::(\w*))?", name)
    return Named(Path(os.path.expanduser(found[1])), found[2] or "") if found else None


def editions(texts: Iterable[Any]) -> tuple[tuple[str, int, int], ...]:
    """A key that changes whenever a file that the texts name is edited, or when the working folder changes, so that a
    relative path names another file.

    Things made from such texts are cached under this key.
    """
    found = []
    for text in texts:
        for name in FILES.findall(text) if isinstance(text, str) else ():
            path = os.path.abspath(os.path.expanduser(name.strip()))
            if os.path.isfile(path):
                stands = os.stat(path)
                found.append((path, stands.st_mtime_ns, stands.st_size))
    return tuple(found)


def class_in(named: Named, wanted: Wanted) -> type:
    """The class in a user's file; its name is needed only where there are several."""
    path, name = named
    home, module = module_name(path), imported(path, wanted.fault)
    classes = {
        key: value for key, value in vars(module).items() if isinstance(value, type) and value.__module__ == home
    }
    found = {key: value for key, value in classes.items() if wanted.fits(value)}
    if name and name not in found:
        raise unknown(f"{wanted.word} class", name, found, str(path))
    if not found:
        raise wanted.fault(f"there is no class that {wanted.described} in {path}")
    if len(found) > 1 and not name:
        raise wanted.fault(
            f"expected one {wanted.word} in {path}, found {', '.join(found)}; name one as {path}:{min(found)}"
        )
    return found[name or next(iter(found))]


def build_own(
    maker: type, named: Named, wanted: Wanted, text: str, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    """Make a thing from a class in a user's file; what goes wrong in its constructor is told with the line."""
    with blaming(named.path, f"cannot make {text}", wanted.fault):
        return build(maker, text, arguments, keywords)


@contextmanager
def blaming(path: Path, what: str, fault: type[KingmakerError]) -> Iterator[None]:
    """Raise an error in a user's code again as a `fault` with its line; an error of Kingmaker's own that was raised
    elsewhere passes unchanged.
    """
    try:
        yield
    except MemoryError:
        raise
    except (Exception, SystemExit) as problem:
        cause = (isinstance(problem, KingmakerError) and problem.__cause__) or problem
        line = line_of(cause, path)
        if isinstance(problem, KingmakerError) and not line:
            raise
        words = str(cause) if isinstance(cause, KingmakerError) else f"{type(cause).__name__}: {cause}"
        raise fault(f"{what}: {words}{line} of {path}" if line else f"{what}: {words} in {path}") from problem


def module_name(path: Path) -> str:
    """A name of its own for a user's module, the same in every process: compiled code is kept under it."""
    return f"{path.stem}@{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"


def imported(path: Path, fault: type[KingmakerError]) -> Any:
    """The module in a file; what goes wrong in it is told in one sentence with the line."""
    with reading(path, fault):
        source = path.read_bytes()
    name, edition = module_name(path), hashlib.sha256(source).hexdigest()
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__edition__", "") == edition:
        return known
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = os.path.abspath(path)
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        exec(compile(source, module.__file__, "exec", dont_inherit=True), vars(module))
    except BaseException as problem:
        del sys.modules[name]
        if not isinstance(problem, (Exception, SystemExit)) or isinstance(problem, MemoryError):
            raise
        raise fault(f"cannot import '{path}': {type(problem).__name__}: {problem}{line_of(problem, path)}") from problem
    finally:
        sys.path.remove(folder)
    vars(module)["__edition__"] = edition
    return module


def line_of(fault: BaseException, path: Path) -> str:
    """The line of the user's own file in which the error was raised."""
    if isinstance(fault, SyntaxError):
        return f" in line {fault.lineno}" if f"line {fault.lineno}" not in str(fault) else ""
    lines = []
    trace = fault.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" in line {lines[-1]}" if lines else ""
