"""Paper: what drawings are made on. It writes SVG tags, knows the colours for light and for dark surroundings, and
marks the spots of a board that can be clicked.

Colours are classes of a style sheet inside the drawing, which holds only those that are used, so that a drawing stands
alone: no fonts, no images, no scripts, nothing from elsewhere.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from html import escape
from typing import Any

from kingmaker.core.plain_text import safe

THEMES = ("auto", "light", "dark")
SEATS = (  # of each seat: its colour in light and in dark surroundings; the sign on it is white or nearly black
    ("#2456c9", "#7fa8ff"),
    ("#c62828", "#ff8a80"),
    ("#1b7a34", "#6fd58a"),
    ("#a85508", "#f5b14c"),
    ("#7a2bbf", "#c79bff"),
    ("#0b7285", "#5ad1e6"),
    ("#b3186a", "#ff8cc6"),
    ("#55680f", "#c3d45a"),
    ("#4a4fb5", "#a5a9ff"),
    ("#8d4a2b", "#e0a284"),
    ("#2d6a5f", "#86cdbf"),
    ("#7d5ba6", "#cbb2ea"),
    ("#94611a", "#e5c185"),
    ("#43617d", "#a3c2df"),
    ("#914058", "#eaa6b8"),
    ("#5b5b5b", "#c0c0c0"),
)
SHADES = {  # class: property, in light and in dark surroundings
    "paper": ("fill", "#fdfcfa", "#14171d"),
    "ink": ("fill", "#1d232e", "#eef1f6"),
    "dim": ("fill", "#5b6472", "#a7b0be"),
    "on": ("fill", "#ffffff", "#11141a"),
    "board": ("fill", "#efe6d6", "#262b34"),
    "cell": ("fill", "#fbf7ef", "#343b47"),
    "other": ("fill", "#e2d5bd", "#2b313b"),
    "wall": ("fill", "#8d8577", "#77808f"),
    "felt": ("fill", "#dcebe0", "#1c3a2c"),
    "rim": ("stroke", "#b9ab92", "#4b5361"),
    "line": ("stroke", "#8a8172", "#7a8494"),
    "card": ("fill", "#ffffff", "#f4f1ea"),
    "edge": ("stroke", "#a39a8a", "#0c0e12"),
    "red": ("fill", "#c41f2d", "#c41f2d"),
    "black": ("fill", "#1c2028", "#1c2028"),
    "back": ("fill", "#3b5b92", "#3b5b92"),
    "weave": ("stroke", "#9db4dd", "#9db4dd"),
    "sea": ("fill", "#dfeaf2", "#18212b"),
    "wood": ("fill", "#d9a55f", "#d9a55f"),
    "head": ("fill", "#b8322a", "#d6594f"),
    "gone": ("fill", "#d8d2c6", "#3a404b"),
    "light": ("fill", "#f3e3c6", "#c9b48d"),
    "dark": ("fill", "#b88b5e", "#7f6345"),
    "white": ("fill", "#ffffff", "#ffffff"),
    "outline": ("stroke", "#1c2028", "#0b0d11"),
    "mark": ("fill", "#f2b705", "#f7c948"),
}
ALWAYS = (
    ".k-spot{cursor:default}.k-lit{cursor:pointer}.k-lit>.k-hit{stroke:#e8a200;stroke-width:3;stroke-opacity:.95}"
    ".k-lit:hover>.k-hit{fill:#ffd24a;fill-opacity:.45}.k-lit:focus{outline:none}.k-lit:focus>.k-hit{stroke-width:5}"
    ".k-chosen>.k-hit{fill:#ffd24a;fill-opacity:.5;stroke:#e8a200;stroke-width:4}"
    ".k-text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
)


class Paper:
    """A sheet to draw one state on; `text` is the whole drawing."""

    def __init__(self, theme: str = "auto", lit: Collection[str] = (), chosen: Collection[str] = ()) -> None:
        self.theme, self.lit, self.chosen = theme, lit, chosen
        self.width, self.height, self.title = 400.0, 300.0, ""
        self.parts: list[str] = []

    def size(self, width: float, height: float, title: str) -> None:
        """How large the sheet is, and what it shows in words, for those who cannot see it."""
        self.width, self.height, self.title = width, height, title

    def add(self, name: str, classes: str = "", **attributes: Any) -> None:
        """A tag without text in it: `add("circle", "f0", cx=4, cy=5, r=2)`."""
        self.parts.append(tag(name, classes, **attributes))

    def write(
        self,
        text: object,
        x: float,
        y: float,
        size: float = 14,
        classes: str = "ink",
        anchor: str = "middle",
        **more: Any,
    ) -> None:
        """A word whose middle is at the height y."""
        said = escape(safe(str(text)))
        self.parts.append(
            tag("text", f"text {classes}", said, x=x, y=y + 0.35 * size, font_size=size, text_anchor=anchor, **more)
        )

    def open(self, classes: str = "", **attributes: Any) -> None:
        """Begin a group; `close` ends it."""
        self.parts.append(tag("g", classes, **attributes).removesuffix("/>") + ">")

    def close(self) -> None:
        self.parts.append("</g>")

    def spot(self, name: str, shape: str, label: str = "", **attributes: Any) -> None:
        """A place that a move may name, as an invisible shape over what is drawn there."""
        kinds = ["spot", *["lit"][: name in self.lit], *["chosen"][: name in self.chosen]]
        more = {"role": "button", "tabindex": 0, "aria_label": label or name} if name in self.lit else {}
        self.open(" ".join(kinds), data_spot=name, **more)
        attributes = {"fill": "transparent", "pointer_events": "all"} | attributes
        self.parts.append(tag(shape, "hit", **attributes))
        self.close()

    @property
    def text(self) -> str:
        """The drawing as one SVG text."""
        body = "".join(self.parts)
        box = f"0 0 {number(self.width)} {number(self.height)}"
        style = f"<style>{ALWAYS}{sheet(set(re.findall(r'k-([a-z]+[0-9]*)', body)), self.theme)}</style>"
        title = escape(safe(self.title))
        ground = tag("rect", "paper", width=self.width, height=self.height, rx=10)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{number(self.width)}" '
            f'height="{number(self.height)}" role="img" aria-label="{title}">'
            f"<title>{title}</title>{style}{ground}{body}</svg>"
        )


def sheet(used: set[str], theme: str) -> str:
    """The rules for the classes that are used: in light surroundings, in dark ones, or as the reader's are."""
    if theme != "auto":
        return rules(used, THEMES.index(theme) - 1)
    return f"{rules(used, 0)}@media (prefers-color-scheme:dark){{{rules(used, 1)}}}"


def rules(used: set[str], dark: int) -> str:
    found = [
        f".k-{name}{{{kind}:{colours[dark]}}}"
        for name, (kind, *colours) in SHADES.items()
        if name in used or name == "paper"
    ]
    for seat, pair in enumerate(SEATS):
        found += [f".k-f{seat}{{fill:{pair[dark]}}}"] if f"f{seat}" in used else []
        found += [f".k-o{seat}{{stroke:{pair[dark]}}}"] if f"o{seat}" in used else []
    return "".join(found)


@lru_cache(maxsize=2**14)  # from one state to the next most of a board stays as it is
def tag(name: str, classes: str = "", text: str | None = None, **attributes: Any) -> str:
    """One SVG tag; underscores in the names of attributes become hyphens, texts in them are escaped. Classes are
    written with `k-` before them, so that they mean nothing to the style of the page around the drawing.
    """
    given = {"class": " ".join(f"k-{word}" for word in classes.split())} if classes else {}
    given |= {key.replace("_", "-"): value for key, value in attributes.items()}
    words = "".join(f' {key}="{number(value)}"' for key, value in given.items())
    return f"<{name}{words}/>" if text is None else f"<{name}{words}>{text}</{name}>"


def number(value: Any) -> str:
    """A number with at most two decimals, or a text that is safe inside quotes."""
    if isinstance(value, str):
        return escape(safe(value))
    return f"{float(value):.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"


def points(corners: Any) -> str:
    """The corners of a polygon as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)
