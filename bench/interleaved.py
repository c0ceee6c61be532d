"""A fair race on a machine that others use too: everybody runs in turn, round after round, and the best run of each
counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """So many nodes in so many seconds."""

    nodes: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds


@dataclass(frozen=True)
class Runner:
    """Somebody in the race; `run` is one timed run."""

    name: str
    run: Callable[[], Run]


def race(runners: Sequence[Runner], rounds: int) -> dict[str, Run]:
    """The fastest run of each."""
    best: dict[str, Run] = {}
    for _ in range(rounds):
        for runner in runners:
            run = runner.run()
            if runner.name not in best or run.speed > best[runner.name].speed:
                best[runner.name] = run
    return best
