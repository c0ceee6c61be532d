"""What drawings share: who is to move, the line above a board, marbles, letters of seats, and shapes."""

import math
from typing import Any

from kingmaker.core.door import CHANCE, OVER
from kingmaker.draw.paper import Paper


def turn_of(game: Any, state: Any) -> str:
    """Who is to move, in words."""
    seat = int(game.mover(state))
    if seat >= 0 and game.facts.simultaneous:
        return "all move at once"
    return {CHANCE: "the dice are next", OVER: "the match is over"}.get(seat, f"seat {seat} is to move")


def banner(paper: Paper, game: Any, state: Any, more: str = "", y: float = 24) -> None:
    """A line with the seat to move, in its colour, and what else there is to tell."""
    seat, x, size = int(game.mover(state)), 20.0, max(14.0, paper.width / 38)
    if seat >= 0 and not game.facts.simultaneous:
        disc(paper, seat, x + 4, y, 0.7 * size)
        x += 10 + size
    said = turn_of(game, state)
    paper.write(said, x, y, size, "ink", "start", font_weight=600)
    if more:
        paper.write(more, paper.width - 18, y, size, "dim", "end")


def disc(paper: Paper, seat: int, x: float, y: float, radius: float, sign: str = "") -> None:
    """A disc in the seat's colour with its number."""
    paper.add("circle", f"f{seat}", cx=x, cy=y, r=radius)
    paper.write(sign or seat, x, y, 1.15 * radius, "on", font_weight=700)


def marble(paper: Paper, seat: int, x: float, y: float, radius: float) -> None:
    """A marble: the seat's colour, a rim, a gleam and the seat's number, so that colour is not needed."""
    paper.add("circle", f"f{seat} outline", cx=x, cy=y, r=radius, stroke_width=0.8, stroke_opacity=0.5)
    paper.add(
        "ellipse",
        "white",
        cx=x - 0.32 * radius,
        cy=y - 0.42 * radius,
        rx=0.34 * radius,
        ry=0.2 * radius,
        opacity=0.55,
        transform=f"rotate(-35 {x - 0.32 * radius:.1f} {y - 0.42 * radius:.1f})",
    )
    paper.write(seat, x, y + 0.08 * radius, 0.95 * radius, "on", font_weight=700)


def hexagon(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a hexagon that stands on a corner."""
    return [
        (x + radius * math.sin(math.radians(60 * turn)), y - radius * math.cos(math.radians(60 * turn)))
        for turn in range(6)
    ]


def score(paper: Paper, seat: int, text: str, x: float, y: float, bold: bool = False) -> None:
    """A seat's disc and a word behind it."""
    disc(paper, seat, x, y, 9)
    paper.write(text, x + 15, y, 13, "ink", "start", font_weight=700 if bold else 400)
