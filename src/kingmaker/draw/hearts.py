"""Hearts as cards on a table."""

from typing import Any

from kingmaker.draw.cards import card_spot, draw_table
from kingmaker.draw.paper import Paper


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    draw_table(paper, game, state, seat)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The card to lay, or to pass on before the first trick."""
    return card_spot(game, state, seat, move)
