"""`kingmaker algorithms`: the algorithms that can play."""

import inspect
import re
from dataclasses import MISSING, fields
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from kingmaker.cli.parts import AsJson, Screen, new_table, print_json
from kingmaker.core.agent import Agent
from kingmaker.core.errors import unknown


def algorithms(
    algorithm: Annotated[str, Parameter(help="Describe this one.")] = "",
    /,
    *,
    json: AsJson = False,
) -> None:
    """List the algorithms, or describe one.

    Example: kingmaker algorithms paranoid
    """
    from kingmaker.search import ALGORITHMS

    if algorithm and algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, ALGORITHMS)
    entries = [described(name, cls) for name, cls in ALGORITHMS.items() if algorithm in ("", name)]
    if json:
        print_json(entries[0] if algorithm else entries)
    elif algorithm:
        detail(Screen(), entries[0], ALGORITHMS[algorithm])
    else:
        Screen().print(overview(entries))
        Screen().remark("kingmaker algorithms NAME tells more about one of them.")


def described(name: str, cls: Any) -> dict[str, Any]:
    """An algorithm as data."""
    meanings = comments(cls)
    return {
        "name": name,
        "idea": opening(inspect.getdoc(inspect.getmodule(cls)) or ""),
        "parameters": [
            {"name": field.name, "default": default_of(field), "meaning": meanings.get(field.name, "")}
            for field in fields(cls)
        ],
    }


def opening(docstring: str) -> str:
    """The first sentence, without the name."""
    return docstring.partition("\n")[0].partition(": ")[2].partition(". ")[0].removesuffix(".")


def default_of(field: Any) -> Any:
    if field.default is MISSING:
        return None
    return str(field.default) if isinstance(field.default, Agent) else field.default


def comments(cls: Any) -> dict[str, str]:
    """The comment beside each field of a dataclass, inherited fields included."""
    found = {}
    for base in reversed(cls.__mro__[:-1]):
        for name, comment in re.findall(r"^    (\w+): .*?  # (.+)$", inspect.getsource(base), re.MULTILINE):
            found[name] = comment
    return found


def overview(entries: list[dict[str, Any]]) -> Table:
    table = new_table()
    table.add_column("algorithm", no_wrap=True)
    table.add_column("idea")
    table.add_column("parameters", style="dim")
    for entry in entries:
        table.add_row(entry["name"], entry["idea"], ", ".join(parameter["name"] for parameter in entry["parameters"]))
        table.add_section()
    return table


def detail(screen: Screen, entry: dict[str, Any], cls: Any) -> None:
    """One algorithm: the idea, its price, its source, its settings."""
    screen.tell(entry["name"], "bold")
    screen.prose(inspect.getdoc(inspect.getmodule(cls)) or entry["idea"])
    if entry["parameters"]:
        table = new_table()
        for heading in ("parameter", "default", "meaning"):
            table.add_column(heading)
        for parameter in entry["parameters"]:
            table.add_row(parameter["name"], repr(parameter["default"]), parameter["meaning"])
        screen.print(table)
