"""Backgammon as seat 0 sees it: points, checkers, the bar, those borne off, and the dice."""

from typing import Any

from kingmaker.draw.paper import Paper, points
from kingmaker.draw.parts import banner, disc, turn_of
from kingmaker.games.parts.backgammon.texts import name, paths_of
from kingmaker.games.parts.backgammon.turns import BAR

WIDE, TALL, LEFT, TOP, MIDDLE = 40.0, 190.0, 24.0, 76.0, 44.0  # of a point, of the board, of the bar
BOTTOM = TOP + 2 * TALL + 60
HIGH = 5  # checkers on top of each other before they are counted
RIGHT = LEFT + 12 * WIDE + MIDDLE
PIPS = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}


def column(point: int) -> float:
    """The middle of a point, as seat 0 counts, from the left."""
    place = 12 - point if point <= 12 else point - 13
    return LEFT + WIDE * (place + 0.5) + (MIDDLE if place >= 6 else 0)


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    paper.size(RIGHT + 74, BOTTOM + 40, f"backgammon: {turn_of(game, state)}")
    more = "the opening roll is to come" if state.seat < 0 else ""
    banner(paper, game, state, more)
    paper.add("rect", "board rim", x=LEFT - 8, y=TOP - 8, width=RIGHT - LEFT + 16, height=BOTTOM - TOP + 16, rx=8)
    bar = LEFT + 6 * WIDE
    paper.add("rect", "other", x=bar, y=TOP - 8, width=MIDDLE, height=BOTTOM - TOP + 16)
    for point in range(1, 25):
        draw_point(paper, state, point)
    for each in range(2):
        count, off = int(state.checkers[each, BAR]), int(state.checkers[each, 0])
        y = (TOP + BOTTOM) / 2 + (28 if each == 0 else -28)
        pile(paper, each, count, bar + MIDDLE / 2, y, 1 if each == 0 else -1)
        home = BOTTOM - 18 if each == 0 else TOP + 18
        paper.add("rect", "cell rim", x=RIGHT + 18, y=home - 22, width=42, height=44, rx=6)
        disc(paper, each, RIGHT + 39, home - 5, 9)
        paper.write(f"{off} off", RIGHT + 39, home + 13, 11, "dim")
    mine = int(state.seat)
    where = {"bar": (bar + 2, TOP - 6, MIDDLE - 4, BOTTOM - TOP + 12)}
    where["off"] = (RIGHT + 18, (BOTTOM - 40) if mine == 0 else TOP - 4, 42.0, 44.0)
    for spot, (x, y, width, height) in where.items():
        paper.spot(spot, "rect", spot, x=x, y=y, width=width, height=height, rx=6)
    dice(paper, state)


def draw_point(paper: Paper, state: Any, point: int) -> None:
    """A point with its number and its checkers, and the spot of the seat that is to move."""
    x, up = column(point), point > 12
    base, tip = (TOP, TOP + TALL) if up else (BOTTOM, BOTTOM - TALL)
    corners = [(x - WIDE / 2 + 1, base), (x + WIDE / 2 - 1, base), (x, tip)]
    paper.add("polygon", "dark" if point % 2 else "cell", points=points(corners))
    paper.write(point, x, base - 18 if up else base + 18, 12, "dim")
    seat = 0 if state.checkers[0, point] else 1
    count = int(state.checkers[seat, point if seat == 0 else BAR - point])
    pile(paper, seat, count, x, base + (18 if up else -18), 1 if up else -1)
    top = TOP if up else BOTTOM - TALL
    mine = point if state.seat != 1 else BAR - point
    paper.spot(str(mine), "rect", f"point {mine}", x=x - WIDE / 2 + 2, y=top, width=WIDE - 4, height=TALL, rx=6)


def pile(paper: Paper, seat: int, count: int, x: float, y: float, way: int) -> None:
    """Checkers on top of each other; of many the last one tells the number."""
    for at in range(min(count, HIGH)):
        height = y + way * 34 * at
        paper.add("circle", f"f{seat} outline", cx=x, cy=height, r=17, stroke_width=1)
        paper.add("circle", cx=x, cy=height, r=12, fill="none", stroke="#fff", stroke_opacity=0.35)
        if at == HIGH - 1 and count > HIGH:
            paper.write(count, x, height, 14, "on", font_weight=700)


def dice(paper: Paper, state: Any) -> None:
    """The two dice in the half of the seat that rolled."""
    large, small = state.dice.tolist()
    shown = [large, small] if large else []
    for at, die in enumerate(shown):
        x, y = LEFT + 9 * WIDE + MIDDLE - 44 + 52 * at, (TOP + BOTTOM) / 2 - 18
        paper.add("rect", f"f{int(state.seat)} outline", x=x, y=y, width=36, height=36, rx=7)
        for pip in PIPS[die]:
            paper.add("circle", "on", cx=x + 9 + 9 * (pip % 3), cy=y + 9 + 9 * (pip // 3), r=3.4)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """From where to where each checker goes, the farthest first, as the seat counts its points."""
    return tuple(name(point) for path in paths_of(state, move) for point in (path[0], path[-1]))
