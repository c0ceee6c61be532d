"""`kingmaker games`: the games that can be played."""

import inspect
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from kingmaker.cli.parts import NOTHING, AsJson, Screen, Seed, find_game, new_table, number, print_json
from kingmaker.core.errors import KingmakerError

FACTS = ("chance", "hidden", "simultaneous", "out_of_turn", "single_winner", "constant_sum")


def games(
    game: Annotated[str, Parameter(help="Describe this game: its name, or its name with settings.")] = "",
    /,
    *,
    seed: Seed = 0,
    json: AsJson = False,
) -> None:
    """List the games, or describe one.

    The seed picks the start that is shown.

    Example: kingmaker games light_bike
    """
    if game:
        cls, made = found(game)
        if json:
            print_json(described(cls, made))
        else:
            detail(Screen(), described(cls, made), cls, made, seed)
        return
    from kingmaker.games import GAMES

    entries = [described(cls, instance(cls)) for cls in GAMES.values()]
    if json:
        print_json(entries)
    else:
        Screen().print(overview(entries))
        Screen().remark("kingmaker games NAME tells more about one of them.")


def found(text: str) -> tuple[Any, Any]:
    """The class that a text names, and a game of this class, or None if it has no default game."""
    from kingmaker.games import GAMES

    if text in GAMES:
        return GAMES[text], instance(GAMES[text])
    game = find_game(text)
    return type(game), game


def instance(cls: Any) -> Any:
    """A game with all defaults; None if the class has a parameter without a default."""
    try:
        return cls()
    except (KingmakerError, TypeError):  # a class whose parameters are not all optional
        return None


def described(cls: Any, game: Any) -> dict[str, Any]:
    """A game as data."""
    from kingmaker.core.notation import snake
    from kingmaker.games import players_of

    facts = (game or cls).facts
    units = {str(estimate).removesuffix("()"): estimate.unit for estimate in (game or cls).estimates}
    return {
        "name": snake(cls.__name__),
        "idea": (inspect.getdoc(cls) or "").partition("\n")[0],
        "seats": list(facts.seats),
        "facts": {name: getattr(facts, name) for name in FACTS},
        "payoffs": {"low": facts.low, "high": facts.high, "total": facts.total},
        "parameters": dict(parameters(cls)),
        "estimates": list(units),
        "units": units,
        "players": players_of(snake(cls.__name__)),
    }


def parameters(cls: Any) -> list[tuple[str, Any]]:
    """The constructor's parameters with their defaults."""
    given = list(inspect.signature(cls).parameters.values())
    return [(each.name, None if each.default is inspect.Parameter.empty else each.default) for each in given]


def settings(entry: dict[str, Any]) -> str:
    """The parameters with their defaults, as they are written on the command line."""
    return ", ".join(
        f"{name}={default if default != '' else repr('')}" for name, default in entry["parameters"].items()
    )


def measures(entry: dict[str, Any]) -> str:
    """The estimates, each with its unit."""
    from kingmaker.core.estimate import plural

    return ", ".join(f"{name} in {plural(unit)}" for name, unit in entry["units"].items())


def overview(entries: list[dict[str, Any]]) -> Table:
    table = new_table()
    for heading in ("game", "seats", "facts", "idea, parameters, estimates"):
        table.add_column(heading, no_wrap=heading in ("game", "seats"))
    for entry in entries:
        fewest, most = entry["seats"]
        facts = [name for name in ("chance", "hidden", "simultaneous") if entry["facts"][name]]
        more = "".join(f"\n{text}" for text in (settings(entry), measures(entry)) if text)
        table.add_row(
            entry["name"], f"{fewest}–{most}", "\n".join(facts) or NOTHING, Text(entry["idea"]).append(more, "dim")
        )
        table.add_section()
    return table


def detail(screen: Screen, entry: dict[str, Any], cls: Any, game: Any, seed: int) -> None:
    """Print one game with its facts, parameters and estimates, and a start position."""
    screen.tell(entry["name"], "bold")
    module = inspect.getmodule(cls)
    screen.prose((inspect.getdoc(module) if module else "") or entry["idea"])
    screen.tell()
    table = Table.grid(padding=(0, 2))
    low, high, total = (number(value) for value in entry["payoffs"].values())
    exact = "always" if entry["facts"]["constant_sum"] else "at most"
    table.add_row("seats", "{} to {}".format(*entry["seats"]))
    table.add_row(
        "facts", ", ".join(name.replace("_", " ") for name, holds in entry["facts"].items() if holds) or NOTHING
    )
    table.add_row("payoffs", f"from {low} to {high}, in sum {exact} {total}")
    table.add_row("parameters", settings(entry) or NOTHING)
    table.add_row("estimates", measures(entry) or NOTHING)
    if entry["players"]:
        table.add_row("players", f"{', '.join(entry['players'])}, which play this game alone")
    screen.print(table)
    if game is not None:
        screen.tell()
        screen.tell(f"a start (seed {seed})")
        screen.picture(game.show(game.new(seed)))
