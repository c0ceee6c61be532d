"""Lists of games and of searches: each class has a name, and its module is imported when the class is first asked for.

To import them all would take longer than most decisions.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

Kind = TypeVar("Kind")


class NamedClasses(Mapping[str, Kind]):
    """A mapping from names to classes; each is given by its module and its name there, as `games.chess:Chess`."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places
        self.found: dict[str, Kind] = {}

    def __getitem__(self, name: str) -> Kind:
        if name not in self.found:
            module, _, cls = self.places[name].partition(":")
            self.found[name] = getattr(import_module(f"kingmaker.{module}"), cls)
        return self.found[name]

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)
