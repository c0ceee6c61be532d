"""Light Bike on its grid: walls, riders in their colours, those who are out crossed out."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, score, turn_of
from kingmaker.games.light_bike import DOWN, RIGHT


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    side = min(40.0, 560.0 / max(game.width, game.height))
    wide, tall = side * game.width, side * game.height
    paper.size(max(wide + 40, 340), tall + 96, f"light bike: {turn_of(game, state)}")
    left, top = (paper.width - wide) / 2, 46.0
    banner(paper, game, state, f"{state.left} of {game.seats} ride")
    paper.add("rect", "wall", x=left - 6, y=top - 6, width=wide + 12, height=tall + 12, rx=8)
    for row in range(game.height):
        for column in range(game.width):
            x, y = left + side * column, top + side * row
            free = bool(game.free(state, row + 1, column + 1))
            paper.add("rect", "cell" if free else "wall", x=x + 0.5, y=y + 0.5, width=side - 1, height=side - 1, rx=3)
            trail = trail_of(game, state, row + 1, column + 1)
            if trail >= 0:
                paper.add("rect", f"f{trail}", x=x + 2, y=y + 2, width=side - 4, height=side - 4, rx=3, opacity=0.55)
            paper.spot(
                f"{row + 1},{column + 1}",
                "rect",
                f"row {row + 1}, column {column + 1}",
                x=x + 1.5,
                y=y + 1.5,
                width=side - 3,
                height=side - 3,
                rx=3,
            )
    for each in reversed(range(game.seats)):
        head(paper, game, state, each, left, top, side)
    across = (paper.width - 24) / game.seats
    for each in range(game.seats):
        lives = game.lives(state, each)
        score(paper, each, "rides" if lives else "out", 26 + across * each, paper.height - 22, lives)


def trail_of(game: Any, state: Any, row: int, column: int) -> int:
    """The seat whose wall this is; -1 if the state does not tell, or there is none."""
    if game.walls != "vanish":
        return -1
    mine = (s for s in range(game.seats) if int(state.trails[s, row]) >> column & 1 and game.lives(state, s))
    return next(mine, -1)


def head(paper: Paper, game: Any, state: Any, seat: int, left: float, top: float, side: float) -> None:
    """The rider of a seat; several on one cell stand side by side."""
    here = [
        each
        for each in range(game.seats)
        if (state.rows[each], state.columns[each]) == (state.rows[seat], state.columns[seat])
    ]
    shift = side * 0.5 * (here.index(seat) - (len(here) - 1) / 2) / max(1, len(here) - 1)
    x = left + side * (state.columns[seat] - 0.5) + shift
    y, size = top + side * (state.rows[seat] - 0.5), side * (0.42 if len(here) == 1 else 0.3)
    lives = game.lives(state, seat)
    paper.open(pointer_events="none", opacity=1 if lives else 0.65)
    paper.add("circle", f"f{seat} outline", cx=x, cy=y, r=size, stroke_width=1)
    paper.write(seat, x, y, 1.1 * size, "on", font_weight=700)
    if not lives:
        arm = 0.9 * size
        cross = (
            f"M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}"
        )
        paper.add("path", "outline", d=cross, stroke_width=2.4, fill="none")
    paper.close()


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The cell that the rider enters; a rider with no free cell has none to click."""
    row, column = int(state.rows[seat] + DOWN[move]), int(state.columns[seat] + RIGHT[move])
    return (f"{row},{column}",) if game.free(state, row, column) else ()
