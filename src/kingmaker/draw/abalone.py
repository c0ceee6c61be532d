"""Abalone on its hexagon: dents for the cells, marbles in the seats' colours, and those pushed off in a tray."""

from typing import Any

from kingmaker.draw.paper import Paper, points
from kingmaker.draw.parts import banner, hexagon, marble, score, turn_of
from kingmaker.games.abalone import PASS, step
from kingmaker.games.parts.grid import BIT
from kingmaker.games.parts.hexes import NAMES, RADIUS, number
from kingmaker.games.parts.hexes import hexagon as cells_within

STEP, MIDDLE, TOP = 46.0, 250.0, 256.0


def place(x: int, y: int) -> tuple[float, float]:
    """Where a cell lies on the paper."""
    return MIDDLE + STEP * (x - y / 2), TOP - STEP * 0.866 * y


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    paper.size(500, 540, f"abalone: {turn_of(game, state)}")
    banner(paper, game, state, f"move {state.age} of {game.longest}")
    corners = [(MIDDLE + dx, TOP + dy) for dy, dx in hexagon(0, 0, 236)]
    paper.add("polygon", "board rim", points=points(corners), stroke_width=2, stroke_linejoin="round")
    for x, y in cells_within(RADIUS):
        cell, (left, top) = number(x, y), place(x, y)
        paper.add("circle", "cell rim", cx=left, cy=top, r=18.5, stroke_width=1)
        owner = next((each for each in range(game.seats) if state.marbles[each] & BIT[cell]), -1)
        if owner >= 0:
            marble(paper, owner, left, top, 18)
        else:
            paper.write(NAMES[cell].lower(), left, top, 10, "dim", opacity=0.75)
        paper.spot(NAMES[cell], "circle", NAMES[cell], cx=left, cy=top, r=19.5)
    for each in range(game.seats):
        score(paper, each, f"pushed off {state.pushed[each]} of 6", 40 + 160 * each, 516)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """Along the line: the last marble, then the first cell ahead that is not the seat's own. Sideways: both ends, then
    where the first of them goes.
    """
    if move == PASS:
        return ()
    cell, way, kind = move & 63, move >> 6 & 7, move >> 9
    if kind:
        axis = (kind - 1) % 3
        last = step(step(cell, axis), axis) if kind >= 4 else step(cell, axis)
        return NAMES[cell], NAMES[last], NAMES[step(cell, way)]
    ahead = step(cell, way)
    while state.marbles[seat] & BIT[ahead]:
        ahead = step(ahead, way)
    return NAMES[cell], NAMES[ahead]
