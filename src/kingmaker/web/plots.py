"""The plots of an experiment, drawn as SVG like the boards: intervals of shares and ratings, and shares over a setting.

`kingmaker report` writes more of them as a file; these are redrawn while an experiment runs.
"""

from collections.abc import Sequence
from typing import Any

from kingmaker.arena.results.answer import setting_text
from kingmaker.arena.results.plots import is_number
from kingmaker.arena.results.standings import Standing, Standings
from kingmaker.core.plain_text import safe
from kingmaker.draw.paper import SEATS, Paper, points

WIDE, LEFT, RIGHT, LINE = 560.0, 190.0, 24.0, 26.0
MOST = 40  # rows of a plot
Dot = tuple[str, float, float, float]  # a name, a number and the ends of its interval


def intervals(title: str, rows: Sequence[Dot], mark: float | None = None, unit: str = "") -> str:
    """A point with its interval for every row, and a dashed line where all would be equal."""
    paper = Paper()
    shown = rows[:MOST]
    paper.size(WIDE, 62 + LINE * len(shown), title)
    ends = [end for row in shown for end in row[1:]] + ([] if mark is None else [mark])
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    wide = (high - low) or 1.0

    def across(value: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (value - low) / wide

    paper.write(title, 14, 20, 14, "ink", "start", font_weight=600)
    bottom = 36 + LINE * len(shown)
    if mark is not None:
        x = across(mark)
        paper.add("line", "line", x1=x, y1=32, x2=x, y2=bottom, stroke_width=1.5, stroke_dasharray="5 4")
    for place, (name, value, start, end) in enumerate(shown):
        y, seat = 48 + LINE * place, place % len(SEATS)
        paper.write(cut(name, 24), LEFT - 14, y, 12.5, "ink", "end")
        paper.add(
            "line", f"o{seat}", x1=across(start), y1=y, x2=max(across(end), across(start) + 1), y2=y, stroke_width=3
        )
        paper.add("circle", f"f{seat}", cx=across(value), cy=y, r=6)
    for end in (low, high):
        anchor = "start" if end == low else "end"
        paper.write(f"{end:.3g}{unit}", across(end), bottom + 12, 12, "dim", anchor)
    return paper.text


def curves(title: str, lines: dict[str, list[tuple[float, float]]]) -> str:
    """Numbers over a setting, one line for each name."""
    paper = Paper()
    paper.size(WIDE, 280, title)
    paper.write(title, 14, 20, 14, "ink", "start", font_weight=600)
    every = [point for line in lines.values() for point in line]
    left, right = min(x for x, _ in every), max(x for x, _ in every)
    low, high = min(y for _, y in every), max(y for _, y in every)
    for place, (name, line) in enumerate(lines.items()):
        seat = place % len(SEATS)
        dots = [
            (60 + 340 * (x - left) / ((right - left) or 1.0), 240 - 190 * (y - low) / ((high - low) or 1.0))
            for x, y in sorted(line)
        ]
        paper.add("polyline", f"o{seat}", points=points(dots), fill="none", stroke_width=2.5)
        for x, y in dots:
            paper.add("circle", f"f{seat}", cx=x, cy=y, r=4)
        paper.add("circle", f"f{seat}", cx=430, cy=50 + 20 * place, r=5)
        paper.write(cut(name, 14), 442, 50 + 20 * place, 12, "ink", "start")
    for value, y in ((low, 240), (high, 50)):
        paper.write(f"{value:.3g}", 50, y, 12, "dim", "end")
    for value, x in ((left, 60), (right, 400)):
        paper.write(f"{value:.4g}", x, 262, 12, "dim")
    return paper.text


def cut(text: str, most: int) -> str:
    said = safe(text)
    return said if len(said) <= most else said[: most - 1] + "…"


def label(row: Standing) -> str:
    return f"{row.agent} {setting_text(row.settings)}".strip()


def plots(found: Standings) -> list[str]:
    """Shares and ratings, and shares over every setting that is a number; nothing before the first match."""
    rows = [row for row in found.best_first() if row.games]
    if not rows:
        return []
    seats = {len(each["wins"]) for each in found.seats}
    equal = 100 / seats.pop() if len(seats) == 1 else None
    shares = [(label(row), 100 * row.share, *(100 * end for end in row.share_interval)) for row in rows]
    drawn = [intervals("share of wins with 95 % interval", shares, equal, " %")]  # type: ignore[arg-type]
    rated = [
        (label(row), row.elo, row.elo - 1.96 * (row.elo_error or 0.0), row.elo + 1.96 * (row.elo_error or 0.0))
        for row in sorted(rows, key=lambda row: -(row.elo or 0.0))
        if row.elo is not None
    ]
    if rated:
        drawn.append(intervals("rating (Plackett-Luce, on the scale of Elo)", rated, 0.0))
    for name in rows[0].settings:
        if all(is_number(row.settings[name]) for row in rows):
            drawn.append(curves(f"share of wins over {name}", swept(rows, name)))
    return drawn


def swept(rows: Sequence[Standing], name: str) -> dict[str, list[tuple[float, float]]]:
    """Shares over one setting; each combination of the others has a line of its own."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        rest: dict[str, Any] = {key: value for key, value in row.settings.items() if key != name}
        lines.setdefault(f"{row.agent} {setting_text(rest)}".strip(), []).append((row.settings[name], 100 * row.share))
    return lines
