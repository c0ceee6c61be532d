"""The page on adding a game tells the truth about the class `Game`."""

import inspect
import re
from pathlib import Path
from types import FunctionType

from kingmaker.core.contract import REQUIRED
from kingmaker.core.game import Game

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adding_a_game.md").read_text()


def written():
    """The optional methods of the page's table with their parameters and what is said of them."""
    table = PAGE.partition("## More methods")[2].partition("\n\n|")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        method, *said = [cell.strip() for cell in row.strip("|").split("|")]
        name, parameters = re.fullmatch(r"`(\w+)\((.*)\)`", method).groups()
        yield name, parameters.split(", "), said


def declared():
    """The same from the class."""
    for name, member in vars(Game).items():
        if isinstance(member, FunctionType) and name not in REQUIRED:
            yield name, list(inspect.signature(member).parameters)[1:]


def test_the_table_lists_every_optional_method_of_a_game_and_no_other():
    assert sorted((name, parameters) for name, parameters, _ in written()) == sorted(declared())


def test_the_table_says_of_each_what_it_means_who_asks_and_what_happens_without_it():
    assert all(len(said) == 3 and all(said) for _, _, said in written())


def test_methods_for_people_are_named_too():
    assert all(f"`{name}`" in PAGE for name in ("show", "say", "parse", "notation", "position"))
