"""Lines of text from another program; a line of any length needs only a fixed amount of memory."""

from collections.abc import Iterator
from typing import IO

LONGEST = 1 << 16  # bytes of a line; enough for the longest match of chess that the rules allow


def lines_of(stream: IO[bytes]) -> Iterator[str | None]:
    """Every line until the stream is closed; None stands for a line that is too long and was skipped."""
    begins = True
    while piece := stream.readline(LONGEST):
        ends = piece.endswith(b"\n")
        if begins:
            yield piece.decode(errors="replace").strip() if ends or len(piece) < LONGEST else None
        begins = ends
