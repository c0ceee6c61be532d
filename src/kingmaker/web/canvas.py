"""The canvas on which the page draws a search tree; what happens in the browser is in `tree_canvas.js`."""

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from kingmaker.draw.paper import SEATS, SHADES


def palette(dark: int) -> dict[str, Any]:
    """The colours of drawings, in light or in dark surroundings."""
    found: dict[str, Any] = {name: SHADES[name][1 + dark] for name in ("paper", "ink", "dim", "on", "cell", "line")}
    return found | {
        "mark": SHADES["mark"][1 + dark],
        "tied": ("#a86400", "#f7c948")[dark],
        "cut": ("#b3261e", "#ff8a80")[dark],
        "seats": [pair[dark] for pair in SEATS],
    }


class TreeCanvas(ui.element, component="tree_canvas.js"):
    """A tree of rows, which can be moved, zoomed and opened."""

    def __init__(self, rows: Sequence[Any], opened: Sequence[int], label: str, at: int = 0) -> None:
        super().__init__()
        self._props["rows"], self._props["open"], self._props["first"] = list(rows), list(opened), at
        self._props["label"] = label
        self._props["palette"] = {"light": palette(0), "dark": palette(1)}

    def put(self, rows: Sequence[Any], opened: Sequence[int] | None = None, fit: bool = False) -> None:
        """Add rows; `opened` replaces the rows that are open, `fit` shows the whole tree."""
        if rows or opened is not None:
            self.run_method("put", list(rows), None if opened is None else list(opened), fit)
