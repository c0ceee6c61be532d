"""Spades as cards on a table; bids are chosen by their number."""

from typing import Any

from kingmaker.core.door import OVER
from kingmaker.draw.cards import card_spot, draw_table
from kingmaker.draw.paper import Paper


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    draw_table(paper, game, state, seat)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The card to lay; bids have no place on the table."""
    return card_spot(game, state, seat, move) if game.before(state) == OVER else ()
