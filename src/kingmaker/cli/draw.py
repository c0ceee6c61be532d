"""`kingmaker draw`: a position as an SVG picture."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kingmaker.cli.parts import (
    GameText,
    MoveTexts,
    PositionText,
    Seed,
    find_game,
    opened,
    plain,
    ready,
    write_whole,
)
from kingmaker.cli.voice import hand_over, write
from kingmaker.core.errors import BadParameter


def draw(
    game: GameText,
    /,
    *,
    seat: Annotated[
        int | None, Parameter(help="Draw only what this seat may see; without it everything.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(name=("--output", "-o"), help="Write to this file, else to stdout.", show_default=False),
    ] = None,
    theme: Annotated[
        Literal["auto", "light", "dark"], Parameter(help="Colours: as the reader's screen is set, or fixed.")
    ] = "auto",
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
) -> None:
    """Draw a position as an SVG picture.

    The picture stands alone: a browser, a document or a notebook shows it
    without anything else.

    Example: kingmaker draw hearts --seat 2 --output hearts.svg
    """
    from kingmaker.draw.drawing import drawing

    rules = ready(find_game(game), interpreted=True)
    if seat is not None and not 0 <= seat < rules.seats:
        raise BadParameter(f"expected a seat from 0 to {rules.seats - 1} to draw for, got --seat {seat}")
    if output is not None and not output.resolve().parent.is_dir():
        raise BadParameter(f"there is no folder '{output.parent}' for the picture '{output.name}'")
    text = drawing(rules, opened(rules, position, moves, seed), seat, theme=theme)
    if output is None:
        hand_over(text + "\n")
    else:
        write_whole(output, text + "\n")
        write(f"a position of {plain(rules)} is drawn in {output}\n")
