"""Reading a file that a user named: whatever goes wrong is a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingmaker.core.errors import KingmakerError

MOST = 2**24  # the most characters in a file that a person wrote


@contextmanager
def reading(path: str | Path, fault: type[KingmakerError]) -> Iterator[None]:
    """Turn what goes wrong with the file into a `fault`."""
    try:
        yield
    except FileNotFoundError:
        raise fault(f"there is no file '{path}'") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise fault(f"cannot read '{path}': {problem}") from None


def text_of(path: str | Path, fault: type[KingmakerError], most: int = MOST) -> str:
    """The text of the file; a file that is too long, or has no end, is refused before it fills the memory."""
    with reading(path, fault), Path(path).open(encoding="utf-8") as file:
        text = file.read(most + 1)
    if len(text) > most:
        raise fault(f"cannot read '{path}': it is longer than {most} letters")
    return text
