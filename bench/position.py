"""Positions of Light Bike that C and Python both read: where the riders start, and the moves since."""

from dataclasses import dataclass
from typing import Any

from kingmaker.games.light_bike import WAYS, LightBike


@dataclass(frozen=True)
class Position:
    """Heads as `row,column;…` from the upper left corner, then moves as `NESW`, one seat after the other."""

    heads: str
    moves: str = ""

    @property
    def seats(self) -> int:
        return self.heads.count(";") + 1

    def state(self, game: LightBike) -> Any:
        """The same position as a state of the game."""
        cells = [tuple(map(int, head.split(","))) for head in self.heads.split(";")]
        rows = [
            "".join("#" if (row, column) in cells else "." for column in range(game.width))
            for row in range(game.height)
        ]
        state = game.position(f"{'/'.join(rows)} {self.heads} 0 0 {2**game.seats - 1}")
        return game.after(state, *(WAYS.index(way) for way in self.moves))
