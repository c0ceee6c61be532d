"""Decisions and matches as small pieces of HTML for notebooks and pages: a table of root moves, a strip of boards."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from kingmaker.core.door import OVER
from kingmaker.core.plain_text import safe
from kingmaker.core.turn import take
from kingmaker.draw.drawing import drawing

MOST = 40  # rows of a table


class Html(str):
    """A piece of HTML, which notebooks show."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def root_table(game: Any, state: Any, decision: Any, most: int = MOST) -> Html:
    """The root moves of a decision as people write them, with the value of each for every seat, the best first."""
    seat = int(game.mover(state))
    heads = "".join(f"<th>seat {each}</th>" for each in range(game.seats))
    rows = [row_of(game, state, seat, decision, entry) for entry in best_first(decision, seat)[:most]]
    left = len(decision.moves) - len(rows)
    more = f'<tr><td colspan="{game.seats + 1}">and {left} more</td></tr>' if left > 0 else ""
    return Html(f"<table><thead><tr><th>move</th>{heads}</tr></thead><tbody>{''.join(rows)}{more}</tbody></table>")


def best_first(decision: Any, seat: int) -> list[Any]:
    """The move that is played, then the others by their value for the seat."""
    return sorted(
        decision.moves,
        key=lambda entry: (
            entry.move != decision.move,
            entry.values is None,
            -entry.values[seat] if entry.values is not None else 0.0,
        ),
    )


def row_of(game: Any, state: Any, seat: int, decision: Any, entry: Any) -> str:
    """One root move as a row; an upper bound has its sign, what was not searched a dash."""
    values = entry.values or (None,) * game.seats
    cells = [number(value) for value in values]
    if entry.values is not None and not entry.exact:
        cells[seat] = f"≤ {cells[seat]}"
    bold = ' style="font-weight:bold"' if entry.move == decision.move else ""
    word = escape(safe(game.say(state, seat, entry.move)))
    return f"<tr{bold}><td>{word}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def number(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "–"
    return f"{value:g}" if value == round(value, 3) else f"{value:.3f}"


def strip(game: Any, turns: Sequence[Any], start: Any, boards: int = 6, seat: int | None = None) -> Html:
    """A match as a strip of so many boards, evenly spread over its turns, the first and the last among them."""
    count = max(2, boards)
    wanted = {round(place * len(turns) / (count - 1)) for place in range(count)}
    state, pieces = game.copy(start), []
    for at in range(len(turns) + 1):
        if at in wanted:
            word = "the end" if at == len(turns) and game.mover(state) == OVER else f"after {at} turns"
            pieces.append(
                f'<figure style="display:inline-block;margin:4px;width:220px">{small(drawing(game, state, seat))}'
                f'<figcaption style="text-align:center">{word if at else "the start"}</figcaption></figure>'
            )
        if at < len(turns):
            take(game, state, turns[at])
    return Html(f'<div style="overflow-x:auto;white-space:nowrap">{"".join(pieces)}</div>')


def small(svg: str) -> str:
    """A drawing as wide as the place that it stands in."""
    return svg.replace("<svg ", '<svg style="width:100%;height:auto" ', 1)
