"""numba's pages of complaint, read down to one sentence that points at the user's own line."""

import re
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]


def complaint(fault: Exception) -> str:
    """Say what numba could not understand, and in which line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    where = place(text)
    return f"cannot compile {where}: {reason(text)}; run it interpreted, or write the line more simply"


def place(text: str) -> str:
    """The innermost line that numba names outside this package, else the innermost of all, with its source."""
    found = re.findall(r'File "([^"]+)", line (\d+)', text)
    theirs = [(file, line) for file, line in found if HOUSE not in Path(file).resolve().parents]
    if not (theirs or found):
        return "this game"
    file, line = (theirs or found)[-1]
    return f"{file}, line {line}{quoted(file, int(line))}"


def quoted(file: str, line: int) -> str:
    try:
        return f" `{Path(file).read_text().splitlines()[line - 1].strip()}`"
    except (OSError, IndexError):
        return ""


def reason(text: str) -> str:
    """numba's own reason in a few words."""
    for pattern, words in (
        (r"Untyped global name '(\w+)'.*", "'{0}' is nothing that machine code can hold"),
        (r"Unknown attribute '(\w+)' of type Record", "the state has no field '{0}'"),
        (r"Field '(\w+)' was not found", "the state has no field '{0}'"),
        (r"Unknown attribute '(\w+)' of type (\w+)@?", "{1} has no '{0}'"),
        (r"NameError: name '(\w+)' is not defined", "the name '{0}' is not defined"),
        (r"Cannot unify (.+?) and (.+?) for '([\w.]+)'", "'{2}' is once {0} and once {1}"),
        (r"Variable '?([\w.]+)'? referenced before assignment", "'{0}' is used before it is set"),
        (r"No implementation of function Function\((.+?)\) found for signature:\s+>>> (.+)", "no machine code for {1}"),
        (r"Use of unsupported (.+)", "unsupported {0}"),
        (r"(\w+) \(\w+\) not supported|unsupported (\w+)", "{0} is not supported"),
    ):
        match = re.search(pattern, text)
        if match:
            return words.format(*(group or "" for group in match.groups())).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("Failed in", "File"))]
    return lines[0] if lines else type(text).__name__
