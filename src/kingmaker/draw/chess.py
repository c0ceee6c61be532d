"""Chess on its board, with pieces of our own; the king in check is marked."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, turn_of
from kingmaker.games.chess import ENDS
from kingmaker.games.parts.chess.board import KING, kind_at
from kingmaker.games.parts.grid import BIT

SIDE, LEFT, TOP = 56.0, 36.0, 46.0
BASE = "M11 39h23v-4q-2-2-4-2h-15q-2 0-4 2z"
PIECES = (  # pawn, knight, bishop, rook, queen, king, each in a square of 45
    "M22.5 9a6 6 0 0 0-4 10.4q-3.5 1-3.5 3.1h4.2q-.6 6.5-5.2 10.5h17q-4.6-4-5.2-10.5h4.2"
    "q0-2.1-3.5-3.1a6 6 0 0 0-4-10.4z" + BASE,
    "M14 33h18q2-13-3-19.5q-3-3.8-8-4.5l-2-3-2 4q-4 3-5.5 8l-3.5 5q-.5 3 2 4l3-1q3 0 5-2.5l3-.5"
    "q-1 3.5-4.5 5.5q-2.5 2-2.5 4.5z" + BASE,
    "M22.5 5a3 3 0 0 0-1.6 5.5q-7.9 5-7.9 11.5 0 4 4 6l-1.5 5h14l-1.5-5q4-2 4-6 0-6.5-7.9-11.5"
    "a3 3 0 0 0-1.6-5.5zM21 16h3v3h3v3h-3v4h-3v-4h-3v-3h3z" + BASE,
    "M12 8v7l4 3-1 15h15l-1-15 4-3v-7h-5v3h-3.500v-3h-4v3h-3.500v-3z" + BASE,
    "M22.5 6a2.5 2.5 0 0 0-1.4 4.6l-3.6 9-5.3-6.6a2.4 2.4 0 1 0-2.2 1.2l4.5 18.8h16l4.5-18.8"
    "a2.4 2.4 0 1 0-2.2-1.2l-5.3 6.6-3.6-9a2.5 2.5 0 0 0-1.4-4.6z" + BASE,
    "M21 4v3h-3v3h3v4.2q-2 .8-2.6 3-3.4-3.2-7.4-1.2-4 2.5-2 7.5l4 9.5h19l4-9.5"
    "q2-5-2-7.5-4-2-7.4 1.2-.6-2.2-2.6-3v-4.2h3v-3h-3v-3z" + BASE,
)
NAMES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    paper.size(8 * SIDE + 2 * LEFT, 8 * SIDE + TOP + 36, f"chess: {turn_of(game, state)}")
    banner(paper, game, state, ENDS[state.over] or ("check" if state.check else f"move {state.ply // 2 + 1}"))
    last = int(state.line[state.length - 1]) if state.length > 0 else -1
    for square in range(64):
        x, y = LEFT + SIDE * (square % 8), TOP + SIDE * (7 - square // 8)
        paper.add("rect", "dark" if (square // 8 + square) % 2 == 0 else "light", x=x, y=y, width=SIDE, height=SIDE)
        if last >= 0 and square in (last & 63, last >> 6 & 63):
            paper.add("rect", "mark", x=x, y=y, width=SIDE, height=SIDE, opacity=0.4)
        owner = next((each for each in range(2) if state.sides[each] & BIT[square]), -1)
        if owner >= 0:
            kind = int(kind_at(state, square))
            if kind == KING and state.check and owner == state.seat:
                paper.add("circle", "head", cx=x + SIDE / 2, cy=y + SIDE / 2, r=SIDE / 2 - 2, opacity=0.6)
            piece(paper, owner, kind, x, y)
        paper.spot(NAMES[square], "rect", NAMES[square], x=x + 2, y=y + 2, width=SIDE - 4, height=SIDE - 4)
    for each in range(8):
        paper.write("abcdefgh"[each], LEFT + SIDE * (each + 0.5), TOP + 8 * SIDE + 16, 13, "dim")
        paper.write(8 - each, LEFT - 16, TOP + SIDE * (each + 0.5), 13, "dim")


def piece(paper: Paper, seat: int, kind: int, x: float, y: float) -> None:
    """A piece on its square: white with a dark rim, or dark with a light one."""
    scale = SIDE / 45
    paper.add(
        "path",
        "white outline" if seat == 0 else "black",
        d=PIECES[kind],
        transform=f"translate({x:g} {y:g}) scale({scale:.3f})",
        stroke_width=1.6,
        stroke_linejoin="round",
        fill_rule="evenodd",
        **({} if seat == 0 else {"stroke": "#e9e4da", "stroke_opacity": 0.75}),
    )


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """From where to where; which piece a pawn becomes is asked afterwards."""
    return NAMES[move & 63], NAMES[move >> 6 & 63]
