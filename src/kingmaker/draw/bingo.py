"""Bingo: a card for each seat, marked numbers filled, and all calls so far."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, disc, turn_of
from kingmaker.games.bingo import CELLS, COLUMN, FREE, LETTERS, NUMBERS, SIDE

WIDE, GAP, TOP = 36.0, 26.0, 104.0


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    across = min(game.seats, 3)
    rows = -(-game.seats // across)
    high = SIDE * WIDE + 64
    paper.size(GAP + across * (SIDE * WIDE + GAP), TOP + rows * high + 96, f"bingo: {turn_of(game, state)}")
    banner(paper, game, state)
    last = int(state.last)
    called = f"{LETTERS[(last - 1) // COLUMN]} {last}" if last else "nothing yet"
    paper.add("rect", "mark", x=paper.width / 2 - 62, y=44, width=124, height=40, rx=20)
    paper.write(called, paper.width / 2, 64, 20 if last else 15, "black", font_weight=700)
    for each in range(game.seats):
        draw_card(paper, game, state, each, GAP + (each % across) * (SIDE * WIDE + GAP), TOP + (each // across) * high)
    strip(paper, state, TOP + rows * high + 4)


def draw_card(paper: Paper, game: Any, state: Any, seat: int, left: float, top: float) -> None:
    """One seat's card."""
    disc(paper, seat, left + 11, top + 8, 10)
    missing = int(game.missing(state, seat))
    paper.write("bingo!" if missing == 0 else f"{missing} to go", left + SIDE * WIDE, top + 8, 13, "dim", "end")
    for column in range(SIDE):
        paper.write(LETTERS[column], left + WIDE * (column + 0.5), top + 30, 15, "ink", font_weight=700)
    for cell in range(CELLS):
        x, y = left + WIDE * (cell % SIDE), top + 40 + WIDE * (cell // SIDE)
        number = int(state.cards[seat, cell])
        paper.add("rect", "card edge", x=x, y=y, width=WIDE, height=WIDE, stroke_width=1)
        marked = bool(state.marked[seat, cell])
        if marked:
            paper.add("circle", f"f{seat}", cx=x + WIDE / 2, cy=y + WIDE / 2, r=WIDE / 2 - 3)
        waiting = not marked and number == state.last
        if waiting:
            paper.add("rect", "mark", x=x + 2, y=y + 2, width=WIDE - 4, height=WIDE - 4, rx=6)
        sign = "★" if cell == FREE else number
        paper.write(sign, x + WIDE / 2, y + WIDE / 2, 14, "on" if marked else "black", font_weight=600)
    paper.spot(
        f"card {seat}", "rect", f"mark the card of seat {seat}", x=left - 3, y=top + 37, width=SIDE * WIDE + 6,
        height=SIDE * WIDE + 6, rx=6,
    )  # fmt: skip


def strip(paper: Paper, state: Any, top: float) -> None:
    """All numbers, those that were called filled."""
    step = (paper.width - 2 * GAP) / COLUMN
    for number in range(1, NUMBERS + 1):
        x, y = GAP + step * ((number - 1) % COLUMN + 0.5), top + 16 * ((number - 1) // COLUMN) + 6
        if state.called[number]:
            paper.add("rect", "mark", x=x - step / 2 + 1, y=y - 7, width=step - 2, height=14, rx=4)
        paper.write(number, x, y, 10, "black" if state.called[number] else "dim")


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    return (f"card {seat}",)
