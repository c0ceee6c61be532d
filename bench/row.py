"""One line of the report: a measurement and its target."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A measured number and its text with the unit; `target` is a text, `ok` is None if there is no target."""

    what: str
    value: float
    text: str
    target: str = ""
    ok: bool | None = None


def at_least(what: str, value: float, text: str, least: float, unit: str) -> Row:
    return Row(what, value, text, f"at least {least:g}{unit}", value >= least)


def at_most(what: str, value: float, text: str, most: float, unit: str) -> Row:
    return Row(what, value, text, f"at most {most:g}{unit}", value <= most)
