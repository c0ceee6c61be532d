"""An agent's text in which numbers are left open: `mp_mix(depth=3, td=0..50, to=0..50)`.

A range of whole numbers is written `0..50`, one of any numbers `0.5..2.0`. Everything else of the text stays as it is,
so ranges may stand anywhere: in agents within agents, or in the weights of an estimate.
"""

import re
from dataclasses import dataclass

from kingmaker.core.errors import BadParameter

NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = re.compile(rf"(\w+)\s*=\s*({NUMBER})\.\.({NUMBER})(?![\w.])")


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

    def written(self, value: float) -> str:
        return str(round(value)) if self.whole else repr(float(value))


def ranges_in(text: str) -> list[Range]:
    """The ranges of a text; a name that occurs again gets a number."""
    found: list[Range] = []
    for name, low, high in RANGE.findall(text):
        whole = "." not in low + high
        if float(low) >= float(high):
            raise BadParameter(f"expected a range from a lower to a higher number, got {low}..{high} for {name}")
        times = sum(each.name.partition("#")[0] == name for each in found)
        found.append(Range(f"{name}#{times + 1}" if times else name, float(low), float(high), whole))
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
