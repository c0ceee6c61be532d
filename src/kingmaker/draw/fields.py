"""The plain drawing of any game: a table of the record's fields; of hidden games what `show` tells the seat."""

from typing import Any

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.wide_records import object_text
from kingmaker.draw.paper import Paper

MOST = 14  # numbers of a row that are drawn; more are left out
ROWS = 24  # rows of one field


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    """Fields by name with their numbers, or the lines that the game's own `show` writes."""
    if not game.has_records or (game.facts.hidden and seat is not None):
        told = shown(game, state, seat)
        lines(paper, game, told)
        return
    rows = [(name, row) for name in state.dtype.names for row in rows_of(state[name])]
    widest = max([len(row) for _, row in rows] + [4])
    paper.size(150 + 44 * widest + 16, 44 + 26 * len(rows) + 12, f"a state of {game}")
    paper.write(str(game).removesuffix("()"), 16, 22, 15, anchor="start", font_weight=600)
    before = ""
    for at, (name, row) in enumerate(rows):
        y = 44 + 26 * at
        if name != before:
            paper.add("line", "rim", x1=12, y1=y, x2=paper.width - 12, y2=y, stroke_width=1)
            paper.write(name, 16, y + 13, 13, "dim", "start")
        before = name
        for place, value in enumerate(row):
            paper.write(value, 150 + 44 * place + 36, y + 13, 13, "ink", "end")


def rows_of(value: Any) -> list[list[str]]:
    """The numbers of a field in rows, long ones cut."""
    if getattr(value, "dtype", None) is not None and value.dtype.names:
        value = [list(each) for each in np.atleast_1d(value).tolist()]
        return [[str(each)[:24]] for each in value][:ROWS]
    array = np.atleast_1d(np.asarray(value))
    table = array.reshape(-1, array.shape[-1])
    rows = [[text(each) for each in row[:MOST]] + ["…"] * (len(row) > MOST) for row in table[:ROWS]]
    return rows + [["…"]] * (len(table) > ROWS)


def text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


def shown(game: Any, state: Any, seat: int | None) -> str:
    """What the game itself writes for people; nothing that a seat may not see."""
    if provides(game, "show"):
        return str(game.show(state, seat) if game.facts.hidden else game.show(state))
    if game.facts.hidden and seat is not None:
        return "this game has no picture for a seat; give it the method show(state, seat) or drawing(state, seat)"
    return str(game.notation(state)) if provides(game, "notation") else object_text(state)


def lines(paper: Paper, game: Any, told: str) -> None:
    """Lines of text in letters of equal width."""
    found = [line.rstrip() for line in told.splitlines()] or [""]
    paper.size(max(240, 32 + 8.6 * max(map(len, found))), 52 + 20 * len(found), f"a state of {game}")
    paper.write(str(game).removesuffix("()"), 16, 22, 15, anchor="start", font_weight=600)
    for at, line in enumerate(found):
        paper.write(
            line, 16, 50 + 20 * at, 14, "ink", "start", style="font-family:ui-monospace,monospace;white-space:pre"
        )
