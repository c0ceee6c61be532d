"""Lines from another program, of which no more is ever kept in memory than a line may be long."""

from collections.abc import Iterator
from typing import IO

LONGEST = 1 << 16  # bytes of a line; the longest match of chess that the rules allow fits


def lines_of(stream: IO[bytes]) -> Iterator[str | None]:
    """Every line until the other side closes; None stands for a line that is too long, the rest of which is left
    out.
    """
    begins = True
    while piece := stream.readline(LONGEST):
        ends = piece.endswith(b"\n")
        if begins:
            yield piece.decode(errors="replace").strip() if ends or len(piece) < LONGEST else None
        begins = ends
