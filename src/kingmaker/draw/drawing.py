"""A state as an SVG drawing, by the game's own file in this room or by its own method.

A file of a game has a function `draw(paper, game, state, seat)`, which draws what the seat may see, or all of it if
`seat` is None, and may have `spots(game, state, seat, move)`, the places to click for a move, in this order. BOARDS is
the one list of them. A game of one's own brings a method `drawing(state, seat)` that returns an SVG text; without it,
its fields are drawn as a table.
"""

from collections.abc import Collection
from importlib import import_module
from types import ModuleType
from typing import Any

from kingmaker.core.door import own_seat, own_state
from kingmaker.core.errors import BadGame, BadParameter
from kingmaker.draw.paper import THEMES, Paper

BOARDS = (
    "abalone",
    "backgammon",
    "bingo",
    "chess",
    "chinese_checkers",
    "explicit_tree",
    "go_fish",
    "hearts",
    "light_bike",
    "random_tree",
    "risk",
    "series",
    "spades",
    "sticks",
)


class Drawing(str):
    """An SVG text, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board_of(game: Any) -> ModuleType | None:
    """The file that draws a game of ours; None for a game of one's own."""
    ours = game.name in BOARDS and type(game).__module__ == f"kingmaker.games.{game.name}"
    return import_module(f"kingmaker.draw.{game.name}") if ours else None


def drawing(
    game: Any,
    state: Any,
    seat: int | None = None,
    *,
    theme: str = "auto",
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Drawing:
    """Draw a state as SVG: all of it, or, in a game with hidden information, what a seat may see.

    `theme` is auto (as the reader's surroundings are), light or dark. `lit` and `chosen` are names of spots that can be
    clicked and that were clicked, for pages.
    """
    own_state(game, state)
    if theme not in THEMES:
        raise BadParameter(f"expected the theme {', '.join(THEMES)}, got '{theme}'")
    eyes = None if seat is None or not game.facts.hidden else own_seat(game, seat)
    if seat is not None:
        own_seat(game, seat)
    own = getattr(type(game), "drawing", None)
    if own is not None:
        made = own(game, state, eyes)
        if not isinstance(made, str) or not made.lstrip().startswith("<svg"):
            raise BadGame(f"expected {type(game).__name__}.drawing to return an SVG text, got {type(made).__name__}")
        return Drawing(made)
    paper = Paper(theme, lit, chosen)
    draw_on(paper, game, state, eyes)
    return Drawing(paper.text)


def draw_on(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    """Draw a state on paper by the game's own file, or as a table of its fields."""
    board = board_of(game)
    if board is None:
        from kingmaker.draw.fields import draw

        draw(paper, game, state, seat)
    else:
        board.draw(paper, game, state, seat)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The spots of the drawing to click, one after the other, for a move; none where the drawing has no spots."""
    board = board_of(game)
    found: tuple[str, ...] = board.spots(game, state, seat, move) if hasattr(board, "spots") else ()  # type: ignore[union-attr]
    return found
