"""numba's pages of complaint, read down to one sentence that points at the user's own line."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType

HOUSE = Path(__file__).resolve().parents[1]
REASONS = (  # the first pattern that fits, its last occurrence: numba tells the innermost cause last
    (r"Untyped global name '(\w+)'", "'{0}' is nothing that machine code can hold"),
    (r"Unknown attribute '(\w+)' of type Record", "the state has no field '{0}'"),
    (r"Unknown attribute '(\w+)' of type (\w+)@", "{1} has no '{0}'"),
    (r"Unknown attribute '(\w+)' of type (\w+)", "{1} has no '{0}'"),
    (r"NameError: name '(\w+)' is not defined", "the name '{0}' is not defined"),
    (r"Cannot unify (.+?) and (.+?) for '", "a value is once {0} and once {1}"),
    (r"[Vv]ariable '?(\w+)[.\d]*'? referenced before assignment", "'{0}' is used before it is set"),
    (r"Cannot cast (\w+) to (\w+)", "{0} does not fit where {1} is wanted"),
    (r">>> (?!stub)(\w+\(.*\))", "there is no machine code for {0}"),
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
    return f"cannot compile {place(text, why, classes)}: {why}; run it interpreted, or write the line more simply"


def place(text: str, why: str, classes: Sequence[type]) -> str:
    """The innermost line that numba names outside this package, else the one with the name it stumbled over."""
    found = re.findall(r'File "([^"]+)", line (\d+)', text) + re.findall(r"at (\S+\.py) \((\d+)\)", text)
    theirs = [(file, line) for file, line in found if HOUSE not in Path(file).resolve().parents]
    if theirs:
        return quoted(Path(theirs[-1][0]), int(theirs[-1][1]))
    named = re.search(r"'(\w+)'", why)
    return next(lines_with(named[1] if named else "", classes), "this game")


def quoted(file: Path, line: int) -> str:
    try:
        return f"{file}, line {line} `{file.read_text().splitlines()[line - 1].strip()}`"
    except (OSError, IndexError):
        return f"{file}, line {line}"


def lines_with(name: str, classes: Sequence[type]) -> Iterator[str]:
    """The lines of the classes' methods that use that name."""
    for cls in classes:
        for member in vars(cls).values():
            if isinstance(member, FunctionType) and name in member.__code__.co_names:
                file = Path(member.__code__.co_filename)
                for _, _, line in member.__code__.co_lines():
                    if line and re.search(rf"\b{name}\b", quoted(file, line)):
                        yield quoted(file, line)


def reason(text: str) -> str:
    """numba's own reason in a few words."""
    for pattern, words in REASONS:
        matches = list(re.finditer(pattern, text))
        if matches:
            return words.format(*matches[-1].groups())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("Failed in", "File"))]
    return lines[0] if lines else "numba gave no reason"
