"""How fast the rules of the board games run, in leaves of the game tree per second on one core, and how small their
states are.

Every leaf is copied and played on a record of its own, including the test whether the match is over; no leaf is only
counted. The counts must be those on record, else the speed would mean nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.interleaved import Run, Runner, race
from bench.row import Row, at_least, at_most
from kingmaker import load_game
from kingmaker.core.game import Game
from kingmaker.probe.perft import count

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
MOST, QUICK = 20_000_000, 2_000_000  # leaves of one tree


@dataclass(frozen=True)
class Board:
    """A game, its perft counts on record and its targets."""

    name: str
    million: float  # least million leaves per second
    bytes: int  # most bytes of a state
    counts: dict[str, list[int]]  # of a position, or of a game with settings from its start

    def trees(self) -> Iterator[tuple[str, Game, Any, list[int]]]:
        """Every tree on record."""
        for text, counts in self.counts.items():
            setting = text.startswith(self.name)
            game = load_game(text if setting else self.name)
            yield text, game, game.new() if setting else game.position(text), counts


def on_record(name: str) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = json.loads((GOLDEN / f"{name}_perft.json").read_text())
    return counts


BOARDS = (
    Board("chess", 10, 1024, on_record("chess")),
    Board("abalone", 10, 256, on_record("abalone")),
    Board(
        "chinese_checkers",
        5,
        256,
        {text: counts for text, counts in on_record("chinese_checkers").items() if "radius=4" in text},
    ),
)


def run(quick: bool) -> Iterator[Row]:
    for board in BOARDS:
        yield from measured(board, QUICK if quick else MOST, 3 if quick else 9)
        size = max(game.State.itemsize for _, game, _, _ in board.trees())
        yield at_most(f"{board.name}: a state", size, f"{size} bytes", board.bytes, " bytes")


def measured(board: Board, most: int, rounds: int) -> Iterator[Row]:
    """The fastest run through each tree, at the largest depth with at most `most` leaves."""

    def through(game: Game, state: Any, counts: list[int]) -> Run:
        found = count(game, state, len(counts))
        if found.leaves[1:] != counts:
            raise AssertionError(f"{game} has {found.leaves[1:]} positions, but on record are {counts}")
        return Run(counts[-1], found.seconds)

    for text, game, state, counts in board.trees():
        known = [leaves for leaves in counts if leaves <= most]
        best = race([Runner(text, lambda game=game, state=state, known=known: through(game, state, known))], rounds)[
            text
        ]  # type: ignore[misc]
        what = text if text.startswith(board.name) else f"{board.name} {text}"
        yield at_least(
            f"{what}, {len(known)} deep",
            best.speed / 1e6,
            f"{best.speed / 1e6:.1f} M leaves/s",
            board.million,
            " M leaves/s",
        )
