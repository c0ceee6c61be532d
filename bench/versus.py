"""Kingmaker's compiled searches against C, against the same searches interpreted (the twin) and against OpenSpiel, run
in turn.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench import peer
from bench.c_reference import build
from bench.interleaved import Run, Runner, race
from bench.position import Position
from bench.row import Row, at_least
from kingmaker.core.ask import Ask
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS

OF_C = {"maxn": 0.8, "paranoid": 0.8, "best_reply": 0.7, "multi_minimax": 0.7}  # least speed as a part of C's
OF_TWIN = 500.0  # least speed as a multiple of the interpreted search's


@dataclass(frozen=True)
class Race:
    """A search and a position of 12 x 12 cells; `depth` takes a good part of a second, `twin_depth` is less deep for
    the interpreted search.
    """

    search: str
    place: str
    position: Position
    depth: int
    twin_depth: int


CORNERS, FIELD = Position("0,0;0,11;11,0"), Position("2,3;6,8;9,2")
RACES = (
    Race("maxn", "corners", CORNERS, 18, 7),
    Race("paranoid", "corners", CORNERS, 26, 8),
    Race("best_reply", "corners", CORNERS, 19, 8),
    Race("multi_minimax", "corners", CORNERS, 28, 10),
    Race("maxn", "field", FIELD, 15, 6),
    Race("paranoid", "field", FIELD, 20, 8),
    Race("best_reply", "field", FIELD, 15, 6),
    Race("multi_minimax", "field", FIELD, 25, 8),
)


def run(quick: bool) -> Iterator[Row]:
    """Every race in turn."""
    with tempfile.TemporaryDirectory() as folder:
        full, bare = build(Path(folder), seats=3), build(Path(folder), seats=3, bare=True)
        for entered in RACES[: len(OF_C)] if quick else RACES:
            yield from report(entered, held(entered, full, bare, 3 if quick else 9))


def held(entered: Race, full: Any, bare: Any, rounds: int) -> dict[str, Run]:
    """Run one race. Our search must visit as many nodes as C and find the same, else the speeds cannot be compared."""
    game = LightBike(seats=3, starts="distinct")
    state, search = entered.position.state(game), partial(ALGORITHMS[entered.search], order="given")
    search(depth=entered.depth).prepare(game)
    found, expected = (
        search(depth=entered.depth).decide(game, state),
        full.search(entered.search, entered.depth, entered.position),
    )
    if (found.nodes, found.move, found.values) != (expected.nodes, expected.move, expected.values):
        raise AssertionError(
            f"{entered.search} found {found.nodes} nodes, {found.move}, {found.values}, but C found {expected}"
        )

    def ours(compiled: bool, depth: int) -> Run:
        decision = search(depth=depth).decide(game, state, ask=Ask(compiled=compiled))
        return Run(decision.nodes, decision.seconds)

    def c(reference: Any) -> Run:
        found = reference.search(entered.search, entered.depth, entered.position)
        return Run(found.nodes, found.seconds)

    runners = [
        Runner("C", lambda: c(full)),
        Runner("kingmaker", lambda: ours(True, entered.depth)),
        Runner("bare C", lambda: c(bare)),
        Runner("twin", lambda: ours(False, entered.twin_depth)),
    ]
    if entered.search == "maxn" and peer.installed():
        runners.append(Runner("open_spiel", peer.search))
    return race(runners, rounds)


def report(entered: Race, best: dict[str, Run]) -> Iterator[Row]:
    what, ours = f"{entered.search}, {entered.place}", best["kingmaker"]
    yield Row(f"{what}: nodes, as many as C", ours.nodes, f"{ours.nodes:,}".replace(",", " "))
    for name, run in best.items():
        yield Row(f"{what}: {name}", run.speed, f"{run.speed / 1e6:.3g} M nodes/s")
    of_c, of_bare, of_twin = (ours.speed / best[name].speed for name in ("C", "bare C", "twin"))
    yield at_least(f"{what}: ratio to C", of_c, f"{of_c:.2f}", OF_C[entered.search], "")
    yield Row(f"{what}: ratio to bare C", of_bare, f"{of_bare:.2f}")
    yield at_least(f"{what}: ratio to the twin", of_twin, f"{of_twin:.0f}", OF_TWIN, "")
    if "open_spiel" in best:
        of_peer = ours.speed / best["open_spiel"].speed
        yield Row(f"{what}: ratio to open_spiel", of_peer, f"{of_peer:.0f}")
