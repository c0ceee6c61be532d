"""Text without control characters: they are written out before they reach a terminal, a page or a paper.

Names, questions and faults come from files, some of them from strangers. An escape sequence in them could move the
cursor or hide a line, so each control character is shown as Python writes it: `\\x1b`.
"""

import re

CONTROLS = re.compile(  # all but tab and newline, and the signs that turn the direction of writing
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def safe(text: str) -> str:
    """The text with every control character written out; lines and tabs stay."""
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """The same on one line, with single spaces, for a cell of a table."""
    return safe(" ".join(text.split()))
