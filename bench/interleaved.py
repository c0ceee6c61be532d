"""A fair comparison of speeds on a machine that others use too: all programs run in turn, round after round, and the
fastest run of each counts.
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
    """A program to be compared; `run` is one timed run."""

    name: str
    run: Callable[[], Run]


def race(runners: Sequence[Runner], rounds: int) -> dict[str, Run]:
    """The fastest run of each program."""
    best: dict[str, Run] = {}
    for _ in range(rounds):
        for runner in runners:
            run = runner.run()
            if runner.name not in best or run.speed > best[runner.name].speed:
                best[runner.name] = run
    return best
