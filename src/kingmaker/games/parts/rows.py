"""A row of a board in a position's text: signs, and numbers that count empty cells."""

import re


def cells_of(text, most):
    """The signs of a row, empty cells as dots. A row longer than `most` is cut where it is too long, so that a huge
    number takes no memory.
    """
    cells = ""
    for run in re.findall(r"[0-9]+|[^0-9]", text):
        digits = run.lstrip("0")
        if run[0] in "0123456789":
            cells += "." * (min(int(digits or 0), most + 1) if len(digits) < 5 else most + 1)
        else:
            cells += run
        if len(cells) > most:
            break
    return cells
