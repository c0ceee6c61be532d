"""A series: the hand that is being played, and the totals under it."""

from typing import Any

from kingmaker.draw.drawing import board_of, draw_on
from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import score

LEFT = 250.0  # of the first total


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    draw_on(paper, game.game, state.hand[0], seat)
    top, across = paper.height, min(150.0, (paper.width - LEFT) / game.seats)
    done = int(state.hands)
    goal = f"{done} of {game.hands} hands" if game.hands else f"{done} hands played, to {game.points:g} points"
    paper.size(max(paper.width, LEFT + 70 * game.seats), top + 44, f"a series, {goal}; {paper.title}")
    paper.add("line", "rim", x1=16, y1=top + 2, x2=paper.width - 16, y2=top + 2, stroke_width=1)
    paper.write(goal, 20, top + 24, 13, "ink", "start", font_weight=600)
    for each in range(game.seats):
        score(paper, each, f"{state.totals[each]:g}", LEFT + max(across, 70) * each, top + 24)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    board = board_of(game.game)
    found: tuple[str, ...] = ()
    if board is not None and hasattr(board, "spots"):
        found = board.spots(game.game, state.hand[0], seat, move)
    return found
