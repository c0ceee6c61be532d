"""The reference implementation in C: compile it, run it, read its results."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench.position import Position
from kingmaker.core.errors import KingmakerError

SOURCE = Path(__file__).with_name("reference.c")
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror")


class NoCompiler(KingmakerError):
    """There is no C compiler to build the reference with."""


@dataclass(frozen=True)
class Found:
    """What one search by the reference found."""

    nodes: int
    seconds: float
    move: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Reference:
    """The reference for one number of seats and one board."""

    binary: Path

    def search(self, name: str, depth: int, position: Position, repeats: int = 1) -> Found:
        """Search 1, 2, …, `depth` plies deep; the seconds are those of the fastest of `repeats` runs."""
        command = [
            str(self.binary),
            name,
            str(depth),
            str(repeats),
            position.heads,
            *([position.moves] if position.moves else []),
        ]
        nodes, seconds, move, *values = subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stdout.split()
        return Found(int(nodes), float(seconds), int(move), tuple(map(float, values)))


def build(folder: Path, seats: int, width: int = 12, height: int = 12, *, bare: bool = False) -> Reference:
    """Compile the reference into a folder; `bare` leaves out everything but the search itself."""
    compiler = shutil.which("gcc")
    if not compiler:
        raise NoCompiler("gcc is not there to build the C reference; install it, on Debian with apt install gcc")
    binary = folder / f"reference-{seats}-{width}x{height}{'-bare' if bare else ''}"
    board = (f"-DSEATS={seats}", f"-DWIDTH={width}", f"-DHEIGHT={height}", *(["-DBARE"] if bare else []))
    subprocess.run([compiler, *FLAGS, *board, str(SOURCE), "-o", str(binary)], check=True)
    return Reference(binary)
