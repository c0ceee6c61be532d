"""How long a new process takes until its first decision, with nothing compiled yet and with the cache on disk; and
until it has printed its help.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from bench.row import Row, at_most

DECIDE = """
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS
game = LightBike(seats=3, starts="distinct")
ALGORITHMS["{search}"](depth=3).decide(game, game.new(1))
"""
HELP = 'import sys; from kingmaker.cli import main; sys.exit(main(["--help"]))'
COLD, WARM, HELPED = 3.0, 1.0, 0.6  # seconds at most


def run(quick: bool) -> Iterator[Row]:
    rounds = 1 if quick else 4
    for search in ("maxn", "paranoid"):
        cold, warm = [], []
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                cold.append(seconds(DECIDE.format(search=search), folder))
                warm += [seconds(DECIDE.format(search=search), folder) for _ in range(2)]
        yield at_most(f"{search}: first decision, nothing cached", min(cold), f"{min(cold):.2f} s", COLD, " s")
        yield at_most(f"{search}: first decision, from the cache", min(warm), f"{min(warm):.2f} s", WARM, " s")
    helped = min(seconds(HELP, tempfile.gettempdir()) for _ in range(2 * rounds))
    yield at_most("kingmaker --help", helped, f"{helped:.2f} s", HELPED, " s")


def seconds(code: str, cache: str) -> float:
    """How long a new Python process takes to run a piece of code and end."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "KINGMAKER_CACHE": cache},
    )
    return time.perf_counter() - started
