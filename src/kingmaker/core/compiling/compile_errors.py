"""numba's long error messages, reduced to one sentence that points at the user's own line."""

import linecache
import re
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType

HOUSE = Path(__file__).resolve().parents[2]
LIBRARIES = [Path(sysconfig.get_path(kind)).resolve() for kind in ("stdlib", "purelib", "platlib")]
REASONS = (  # the first pattern that fits counts, in its last occurrence: numba names the innermost cause last
    (
        r"machine code cannot hold '(\w+)', a (\w+)",
        "'{0}' is a {1}, which machine code cannot hold; make it a tuple or a NumPy array",
    ),
    (
        r"(?:No definition for lowering \S+|Cannot resolve setattr: \(.*?\))\.(\w+)",
        "it changes '{0}' of an object that must not change; keep it in the state",
    ),
    (
        r"Unknown attribute '(?:add|append)' of type \w*iter",
        "there is no machine code for a set written with braces; fill an array in a loop",
    ),
    (r"Untyped global name '(\w+)'", "'{0}' is nothing that machine code can hold"),
    (r"Unknown attribute '(\w+)' of type Record", "the state has no field '{0}'"),
    (r"Unknown attribute '(\w+)' of type (\w+)@", "{1} has no '{0}'"),
    (r"Unknown attribute '(\w+)' of type (\w+)", "{1} has no '{0}'"),
    (r"NameError: name '(\w+)' is not defined", "the name '{0}' is not defined"),
    (r"Cannot unify (.+?) and (.+?) for '", "a value is once {0} and once {1}"),
    (r"[Vv]ariable '?(\w+)[.\d]*'? referenced before assignment", "'{0}' is used before it is set"),
    (r"Cannot cast (\w+) to (\w+)", "{0} does not fit where {1} is wanted"),
    (r">>> (?!stub)(\w+)(\(.*\))", "there is no machine code for {0}{1}"),
    (r"Use of unsupported (.+)", "unsupported {0}"),
)


def complaint(fault: Exception, classes: Sequence[type] = ()) -> str:
    """Say what numba could not understand, and in which line; `classes` are the ones that were compiled."""
    if isinstance(fault, LookupError):
        name = str(fault.args[0]) if fault.args else ""
        found = next(lines_with(name, classes), "this game")
        return f"cannot compile {found}: the state has no field '{name}'"
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    why = reason(text)
    way_out = "" if ";" in why else "; run it interpreted, or write the line more simply"
    return f"cannot compile {place(text, why, classes)}: {why}{way_out}"


def place(text: str, why: str, classes: Sequence[type]) -> str:
    """The innermost line that numba names in one of the classes, else outside this package, else the one with the name
    it stumbled over.
    """
    found = re.findall(r'File "([^"]+)", line (\d+)', text) + re.findall(r"at (\S+\.py) \((\d+)\)", text)
    theirs = [(method_at(file, int(line), classes), file, int(line)) for file, line in found if is_theirs(file)]
    named = re.search(r"'(\w+)'", why)
    by_name = next(lines_with(named[1] if named else "", classes), "")
    method, file, line = next(
        (each for each in reversed(theirs) if each[0]), theirs[-1] if theirs and not by_name else ("", "", 0)
    )
    return f"{method}{quoted(Path(file).resolve(), line)}" if file else by_name or "this game"


def method_at(file: str, line: int, classes: Sequence[type]) -> str:
    """The method in which a line stands."""
    for cls in classes:
        for name, member in ((name, member) for parent in cls.__mro__ for name, member in vars(parent).items()):
            code = getattr(member, "__code__", None)
            if (
                code
                and Path(code.co_filename).resolve() == Path(file).resolve()
                and line in {each for _, _, each in code.co_lines()}
            ):
                return f"{name}, "
    return ""


def quoted(file: str | Path, line: int) -> str:
    """A place in a file, and what stands there; linecache knows the cells of a notebook too."""
    source = linecache.getline(str(file), line).strip()
    return f"{file}, line {line} `{source}`" if source else f"{file}, line {line}"


def is_theirs(file: str) -> bool:
    """Is this file neither ours nor a library's?"""
    if file.startswith("<") and not linecache.getlines(file):
        return False  # code that some library generated
    return not any(home in Path(file).resolve().parents for home in (HOUSE, *LIBRARIES))


def lines_with(name: str, classes: Sequence[type]) -> Iterator[str]:
    """The lines of the classes' methods that use that name."""
    for cls in classes:
        for member in vars(cls).values():
            if isinstance(member, FunctionType) and name in member.__code__.co_names:
                file = member.__code__.co_filename
                for _, _, line in member.__code__.co_lines():
                    if line and re.search(rf"\b{name}\b", quoted(file, line)):
                        yield f"{member.__name__}, {quoted(file, line)}"


def reason(text: str) -> str:
    """numba's own reason in a few words."""
    for pattern, words in REASONS:
        matches = list(re.finditer(pattern, text))
        if matches:
            return words.format(*(shortened(group) for group in matches[-1].groups()))
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("Failed in", "File"))]
    return lines[0] if lines else "numba gave no reason"


def shortened(words: str, most: int = 80) -> str:
    """The words cut to `most` characters, for the names of numba's types can fill a page."""
    return words if len(words) <= most else f"{words[:most]}…"
