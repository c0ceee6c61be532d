"""An agent's text in which numbers are left open: `mp_mix(depth=3, td=0..50, to=0..50)`.

A range of whole numbers is written `0..50`, one of any numbers `0.5..2.0`. Everything else of the text stays as it is,
so ranges may stand anywhere: in agents within agents, or in the weights of an estimate.
"""

import math
import re
from dataclasses import dataclass
from itertools import product

from kingmaker.core.errors import BadParameter

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
RANGE = re.compile(rf"(\w+)\s*=\s*({NUMBER})\s*\.\.\s*({NUMBER})(?![\w.])")
UNREADABLE = re.compile(r"(\w+)\s*=\s*([^,()/]*\.\.[^,()/]*)(?=[,)]|$)")  # a path such as ../agent.py is no range
DIGITS = 6  # of a number that is not whole


@dataclass(frozen=True)
class Range:
    """A parameter and the numbers that it may have."""

    name: str
    low: float
    high: float
    whole: bool  # only whole numbers

    def spaced(self, count: int) -> list[float]:
        """So many values from end to end, as evenly as whole numbers allow."""
        if count == 1:
            return [self.low]
        values = [self.low + (self.high - self.low) * i / (count - 1) for i in range(count)]
        return list(dict.fromkeys(float(round(value)) for value in values)) if self.whole else values

    def kind(self, value: float) -> float:
        """The value as a whole number, if only these are meant."""
        return round(value) if self.whole else float(value)

    def written(self, value: float) -> str:
        return str(round(value)) if self.whole else repr(float(f"{value:.{DIGITS}g}"))


def ranges_in(text: str) -> list[Range]:
    """The ranges of a text; a name that occurs again gets a number."""
    found: list[Range] = []
    for name, low, high in RANGE.findall(text):
        whole = not set(".e") & set(low + high)
        if float(low) >= float(high):
            raise BadParameter(f"expected a range from a lower to a higher number, got {low}..{high} for {name}")
        times = sum(each.name.partition("#")[0] == name for each in found)
        found.append(Range(f"{name}#{times + 1}" if times else name, float(low), float(high), whole))
    for name, broken in UNREADABLE.findall(RANGE.sub("", text)):
        raise BadParameter(
            f"cannot read the range {broken.strip()} of {name} in {text}; write one such as {name}=0..50"
        )
    if not found:
        raise BadParameter(f"nothing is left open in {text}; write a range such as td=0..50 for a number")
    return found


def filled_in(text: str, values: dict[str, float]) -> str:
    """The text with a number in place of every range."""
    order = iter(ranges_in(text))

    def number(match: re.Match[str]) -> str:
        each = next(order)
        return f"{match[1]}={each.written(values[each.name])}"

    return RANGE.sub(number, text)


def choices_in(text: str, most: int = 100) -> dict[str, str]:
    """Every text that the ranges of whole numbers in a text allow, by its numbers; a text without ranges as it is."""
    if not RANGE.search(text):
        return {text: text}
    ranges = ranges_in(text)
    counts = [round(each.high - each.low) + 1 if each.whole else most + 1 for each in ranges]
    if math.prod(counts) > most:
        raise BadParameter(f"expected ranges of at most {most} whole numbers in all, got {text}")
    found = {}
    for point in product(*(each.spaced(count) for each, count in zip(ranges, counts, strict=True))):
        values = {each.name: value for each, value in zip(ranges, point, strict=True)}
        label = ", ".join(f"{each.name} {each.written(values[each.name])}" for each in ranges)
        found[label] = filled_in(text, values)
    return found
