"""Sticks as a row of matches: those that are left, and pale ones for those that are gone."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, turn_of

ROW = 20  # matches side by side
MOST = 100  # matches that are drawn; of a longer row the rest is a number


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    total, left = min(game.sticks, MOST), int(state.left)
    hidden = max(0, left - MOST)  # matches that stand for more of them
    shown = left - hidden
    rows = -(-total // ROW)
    wide = max(min(total, ROW), 12)
    paper.size(48 + 26 * wide, 62 + 104 * rows, f"sticks: {left} left, {turn_of(game, state)}")
    for at in range(total):
        x, y = 34 + 26 * (at % ROW), 54 + 104 * (at // ROW)
        here = at < shown
        paper.add(
            "rect", "wood" if here else "gone", x=x, y=y + 8, width=7, height=74, rx=2, opacity=1 if here else 0.6
        )
        paper.add("ellipse", "head" if here else "gone", cx=x + 3.5, cy=y + 8, rx=6.5, ry=9, opacity=1 if here else 0.6)
        taken = shown - at
        if 1 <= taken <= 3:
            paper.spot(str(taken), "rect", f"take {taken}", x=x - 8, y=y - 6, width=23, height=94, rx=6)
    banner(paper, game, state, f"{left} left" + (f", {hidden} of them not drawn" if hidden else ""))


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    return (str(move),)
