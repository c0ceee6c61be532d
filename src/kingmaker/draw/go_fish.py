"""Go Fish: a row of cards for each seat, its books, and the pool."""

from typing import Any

from kingmaker.draw.cards import TALL, WIDE, back, face
from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, disc, turn_of
from kingmaker.games.parts.go_fish.hidden import RANKS
from kingmaker.games.parts.go_fish.texts import NAMES

ROW, TOP = 92.0, 48.0


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    paper.size(560, TOP + ROW * (game.seats + 1) + 14, f"go fish: {turn_of(game, state)}")
    doing = f"seat {state.seat} draws" if state.draws else ""
    asked = f" after asking for {NAMES[state.asked - 1].replace('T', '10')}" if state.draws and state.asked else ""
    banner(paper, game, state, doing + asked)
    paper.add("rect", "felt rim", x=14, y=TOP - 6, width=532, height=paper.height - TOP - 8, rx=24, stroke_width=2)
    for each in range(game.seats):
        draw_seat(paper, game, state, each, TOP + ROW * each + 4, seat in (None, each))
    draw_pool(paper, game, state, TOP + ROW * game.seats + 6, seat is None)


def draw_seat(paper: Paper, game: Any, state: Any, seat: int, y: float, is_open: bool) -> None:
    """A seat's hand and its books."""
    disc(paper, seat, 46, y + 24, 14)
    books = int(state.books[seat])
    paper.write(f"{books} book{'' if books == 1 else 's'}", 46, y + 52, 12, "ink")
    if is_open:
        cards = [rank for rank in range(game.ranks) for _ in range(state.hands[seat, rank])]
    else:
        cards = [-1] * int(game.size(state, seat))
    step = min(WIDE + 6, 400 / max(1, len(cards)))
    for place, rank in enumerate(cards):
        x = 92 + step * place
        if not is_open:
            back(paper, x, y + 8)
            continue
        face(paper, rank - 13, x, y + 8)
        if seat == state.seat and rank not in cards[place + 1 :]:
            count = int(state.hands[seat, rank])
            wide = step * (count - 1) + min(step, WIDE)
            first = 92 + step * (place + 1 - count)
            paper.spot(
                NAMES[rank],
                "rect",
                f"ask for {NAMES[rank]}",
                x=first + 1,
                y=y + 9,
                width=wide - 2,
                height=TALL - 2,
                rx=4,
            )
    if seat != state.seat:
        paper.spot(f"seat {seat}", "rect", f"ask seat {seat}", x=20, y=y - 2, width=520, height=ROW - 10, rx=14)


def draw_pool(paper: Paper, game: Any, state: Any, y: float, is_open: bool) -> None:
    """What is left to draw; its cards are seen by the referee alone."""
    size = int(game.pool_size(state))
    for place in range(min(size, 3)):
        back(paper, 92 + 3 * place, y + 4 - 2 * place, 0.95)
    said = f"{size} card{'' if size == 1 else 's'} in the pool"
    paper.write(said, 164, y + 26, 14, "ink", "start", font_weight=600)
    if is_open and size:
        cards = [
            NAMES[rank].replace("T", "10") + (f"×{state.pool[rank]}" if state.pool[rank] > 1 else "")
            for rank in range(game.ranks)
            if state.pool[rank]
        ]
        for line in range(0, len(cards), 7):
            paper.write("  ".join(cards[line : line + 7]), 164, y + 48 + 18 * line / 7, 12, "dim", "start")


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The rank in one's own hand, then the seat to ask for it."""
    return NAMES[move % RANKS], f"seat {move // RANKS}"
