"""Chinese Checkers on its star: the camps in the colours of the seats that want to go there, pawns as marbles."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, marble, score, turn_of
from kingmaker.games.chinese_checkers import PASS
from kingmaker.games.parts.grid import BIT

STEP = 34.0


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    star, radius = game.star, game.radius
    wide = STEP * (3 * radius + 2)
    tall = STEP * 0.866 * 4 * radius
    paper.size(max(wide, 420), tall + 132, f"chinese checkers: {turn_of(game, state)}")
    banner(paper, game, state, f"move {state.age} of {game.longest}")
    middle, top = paper.width / 2, 62 + tall / 2
    for cell, (x, y) in enumerate(star.cells):
        left, height = middle + STEP * (x - y / 2), top - STEP * 0.866 * y
        goal = int(game.owner[cell])
        paper.add("circle", "cell rim", cx=left, cy=height, r=14, stroke_width=1)
        if goal >= 0:
            paper.add("circle", f"f{goal} o{goal}", cx=left, cy=height, r=14, fill_opacity=0.22, stroke_width=1.6)
        owner = next((s for s in range(game.seats) if state.pawns[s, cell >> 6] & BIT[cell & 63]), -1)
        if owner >= 0:
            marble(paper, owner, left, height, 13)
        paper.spot(star.names[cell], "circle", star.names[cell], cx=left, cy=height, r=15)
    across = (paper.width - 24) / game.seats
    for each in range(game.seats):
        score(paper, each, f"{state.far[each]} to go", 26 + across * each, paper.height - 24)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    return () if move == PASS else (game.star.names[move >> 7], game.star.names[move & 127])
