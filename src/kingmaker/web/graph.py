"""Values as pictures: a bar for each seat, and a line for each seat over the turns."""

import math
from collections.abc import Sequence
from typing import Any

from kingmaker.draw.paper import Paper, points

LINE = 11.0  # the height of a line of numbers


def ends(game: Any, rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The lowest and the highest value to draw: those of the game's facts, or those that occur."""
    flat = [value for row in rows for value in row] or [0.0]
    low = game.facts.low if math.isfinite(game.facts.low) else min(flat)
    high = game.facts.high if math.isfinite(game.facts.high) else max(flat)
    low, high = min(low, *flat, 0.0), max(high, *flat)
    return low, high if high > low else low + 1.0


def bars(game: Any, values: Sequence[float] | None, names: Sequence[str]) -> str:
    """A bar for each seat with its name and value."""
    paper = Paper()
    paper.size(360, 12 + 30 * game.seats, "what the seats may expect")
    low, high = ends(game, [values] if values else [])
    for seat in range(game.seats):
        y = 8 + 30 * seat
        paper.add("rect", "board", x=8, y=y, width=344, height=24, rx=6)
        share = (values[seat] - low) / (high - low) if values else 0.0
        paper.add("rect", f"f{seat}", x=8, y=y, width=max(4, 344 * share), height=24, rx=6, opacity=0.45)
        paper.write(f"{seat}  {names[seat]}"[:44], 16, y + 12, 12.5, "ink", "start", font_weight=600)
        if values:
            paper.write(f"{values[seat]:.4g}", 344, y + 12, 12.5, "ink", "end", font_weight=600)
    return paper.text


def lines(game: Any, rows: Sequence[Sequence[float] | None]) -> str:
    """The values over the turns, a line for each seat."""
    known = [(at, row) for at, row in enumerate(rows) if row is not None]
    paper = Paper()
    paper.size(360, 140, f"the values over {len(rows)} turns")
    if len(known) < 2:
        paper.write("the values over the turns", 180, 70, 13, "dim")
        return paper.text
    low, high = ends(game, [row for _, row in known])
    wide = max(1, len(rows) - 1)
    for seat in range(game.seats):
        dots = [(12 + 322 * at / wide, 126 - 112 * (row[seat] - low) / (high - low)) for at, row in known]
        paper.add("polyline", f"o{seat}", points=points(dots), fill="none", stroke_width=2, stroke_linejoin="round")
    last = known[-1][1]
    heights = {seat: 126 - 112 * (last[seat] - low) / (high - low) for seat in range(game.seats)}
    for seat, y in apart(heights).items():
        paper.write(seat, 346, y, 11, "ink", font_weight=700)
    return paper.text


def apart(heights: dict[int, float]) -> dict[int, float]:
    """Heights for numbers so that none lies on another: each at least a line below the one above it."""
    found: dict[int, float] = {}
    lowest = -math.inf
    for seat, y in sorted(heights.items(), key=lambda entry: entry[1]):
        lowest = found[seat] = max(y, lowest + LINE)
    shift = max(0.0, lowest - 132)
    return {seat: y - shift for seat, y in found.items()}
