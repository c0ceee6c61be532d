"""Reading a file that a user named: whatever goes wrong is a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingmaker.core.errors import KingmakerError


@contextmanager
def reading(path: str | Path, fault: type[KingmakerError]) -> Iterator[None]:
    """Turn what goes wrong with the file into a `fault`."""
    try:
        yield
    except FileNotFoundError:
        raise fault(f"there is no file '{path}'") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise fault(f"cannot read '{path}': {problem}") from None


def text_of(path: str | Path, fault: type[KingmakerError]) -> str:
    """What is in the file."""
    with reading(path, fault):
        return Path(path).read_text(encoding="utf-8")
