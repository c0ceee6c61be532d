"""What compiling costs, in processor time of the command `kingmaker decide`: the first decision in a game on an empty
cache, further searches of the same game, and a new process with a full cache.

With an earlier state of the code named, it is measured too, in turn with the present one:

    python -m bench.compiling --before 66647ac
"""

import compileall
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bench.row import Row, at_most

FIRST, CHESS, FURTHER, FULL = 2.5, 6.0, 1.5, 0.6  # seconds at most
GAMES = {  # the first search, and further ones
    "light_bike": ("maxn(depth=1)", "paranoid(depth=1)", "soft_maxn(depth=1)", "mcts(playouts=10)"),
    "chinese_checkers(seats=3)": ("maxn(depth=1)", "paranoid(depth=1)", "max_prob(depth=1)", "mcts(playouts=10)"),
    "chess": ("alpha_beta(depth=1)", "maxn(depth=1)", "max_prob(depth=1)"),
    "abalone(seats=3)": ("maxn(depth=1)", "paranoid(depth=1)", "max_prob(depth=1)"),
    "hearts": ("pimc(maxn(depth=1), deals=2)", "pimc(paranoid(depth=1), deals=2)"),
    "spades": ("pimc(maxn(depth=1), deals=2)",),
    "go_fish": ("pimc(maxn(depth=1), deals=2)",),
    "backgammon": ("maxn(depth=1)", "alpha_beta(depth=1)"),
    "risk": ("plans(maxn(depth=1))", "plans(paranoid(depth=1))"),
    "bingo": ("maxn(depth=1)",),
    "random_tree": ("maxn(depth=1)",),
    "sticks": ("maxn(depth=1)",),
}
QUICK = ("light_bike", "sticks")
HERE = Path(__file__).parents[1]
app = App(name="bench.compiling", help_format="plaintext", result_action="return_value")


def run(quick: bool, sources: Path = HERE / "src", rounds: int = 2) -> Iterator[Row]:
    for game in QUICK if quick else GAMES:
        for row, most in zip(measured(game, sources, 1 if quick else rounds), limits(game), strict=True):
            assert not math.isnan(row.value), f"{row.what} failed"
            yield at_most(row.what, row.value, row.text, most, " s")


def limits(game: str) -> list[float]:
    return [CHESS if game == "chess" else FIRST, *[FURTHER] * (len(GAMES[game]) - 1), FULL]


def measured(game: str, sources: Path, rounds: int) -> list[Row]:
    """The least processor time, of several rounds, of each search in turn on an empty cache, and of the first again."""
    agents = GAMES[game]
    spent = [[] for _ in range(len(agents) + 1)]
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for times, agent in zip(spent, [*agents, agents[0]], strict=True):
                times.append(processor_time(game, agent, sources, cache))
    words = ["first decision", *["further search"] * (len(agents) - 1), "from a full cache"]
    return [
        Row(f"{game}, {agent}: {word}", min(times), f"{min(times):.2f} s")
        for agent, word, times in zip([*agents, agents[0]], words, spent, strict=True)
    ]


def processor_time(game: str, agent: str, sources: Path, cache: str) -> float:
    """What a new process spends until it has decided and ended; nan if it cannot, as with older sources.

    The sources are byte code already, as they are once pip has installed them, also where the environment asks Python
    to write none.
    """
    compileall.compile_dir(sources, quiet=2)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "kingmaker", "decide", game, agent],
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "KINGMAKER_CACHE": cache, "PYTHONPATH": str(sources)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return math.nan if done.returncode else spent


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The sources of an earlier state of the code, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", folder, commit], check=True)
        try:
            yield Path(folder) / "src"
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)


@app.default
def main(
    *,
    before: Annotated[str, Parameter(help="A commit, to be measured in turn with the present code.")],
    game: Annotated[str, Parameter(help="One of the games; all if none is named.")] = "",
    rounds: int = 3,
) -> int:
    """Compare what compiling costs with an earlier state of the code, in one run."""
    with checked_out(before) as sources:
        for each in [game] if game else GAMES:
            for old, row in zip(measured(each, sources, rounds), measured(each, HERE / "src", rounds), strict=True):
                was = "" if math.isnan(old.value) else f"{old.text} before, {old.value / row.value:.1f} times"
                print(f"{row.what:<66} {row.text:>7}  {was}".rstrip(), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(app())
