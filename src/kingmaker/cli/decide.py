"""`kingmaker decide`: one move, and why."""

from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from kingmaker.cli.parts import (
    NOTHING,
    AgentText,
    AsJson,
    Flag,
    GameText,
    Interpreted,
    MoveTexts,
    PositionText,
    Screen,
    Seed,
    amount,
    duration,
    find_agent,
    find_game,
    new_table,
    number,
    opened,
    per_second,
    plain,
    print_json,
    rate,
    ready,
    seated,
    side_by_side,
    vector,
    words_of,
)

MOST_COLUMNS = 8  # seats that get a column of their own


def decide(
    game: GameText,
    agent: AgentText,
    /,
    *,
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
    secrets: Annotated[bool, Flag, Parameter(help="Show also what the seat to move may not see.")] = False,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> None:
    """Choose one move, and say why.

    Shows the position as the seat to move sees it, the move, the value of every
    move for each seat, the expected line (principal variation) and the effort
    of the search. If the dice are to move, they are rolled first.

    Example: kingmaker decide "light_bike(seats=3)" "paranoid(depth=6)"
    """
    rules, player = ready(find_game(game), interpreted), find_agent(agent)
    state = opened(rules, position, moves, seed)
    table, rolls = seated(rules, player, state, seed)
    decision = table.decide(table.mover)
    entry = described(rules, player, table.state, decision, secrets) | {"seed": seed, "rolled": rolls}
    if json:
        print_json(entry)
    else:
        show(Screen(), rules, table.state, entry)


def described(game: Any, agent: Any, state: Any, decision: Any, secrets: bool = False) -> dict[str, Any]:
    """A decision as data, with moves as people write them.

    The position holds what the seat may not see, and so does a line that was found in one world: whether its moves are
    possible tells who holds what. Both are left out in a game with hidden information, except if `secrets` are wanted.
    """
    hides = game.facts.hidden and not secrets
    moves, movers = (decision.line[:1], decision.movers[:1]) if hides else (decision.line, decision.movers)
    return {
        "game": plain(game),
        "agent": plain(agent),
        "position": None if hides else game.notation(state),
        **found_at_root(game, state, decision),
        "line": words_of(game, state, moves, movers),
        "movers": list(movers),
        "nodes": decision.nodes,
        "nodes_per_second": per_second(decision.nodes, decision.seconds),
        "depth": decision.depth,
        "seconds": decision.seconds,
        "stopped": decision.stopped,
        "playouts": decision.playouts,
        "bytes": decision.bytes,
        "notes": decision.notes,
    }


def found_at_root(game: Any, state: Any, decision: Any) -> dict[str, Any]:
    """The chosen move, its values, and the values of every move."""
    seat = int(game.mover(state))
    return {
        "seat": seat,
        "move": game.say(state, seat, decision.move),
        "values": decision.values,
        "moves": [
            {"move": game.say(state, seat, each.move), "values": each.values, "exact": each.exact}
            for each in decision.moves
        ],
    }


def show(screen: Screen, game: Any, state: Any, entry: dict[str, Any]) -> None:
    """Print a decision for people."""
    from kingmaker.core.secrets import picture

    hides = entry["position"] is None
    screen.picture(picture(game, state, entry["seat"] if hides else None))
    screen.tell()
    if entry["rolled"]:
        screen.tell(f"the dice show {', '.join(entry['rolled'])}")
    screen.tell(f"seat {entry['seat']} plays {entry['move']}", "bold")
    if entry["values"] is not None:
        screen.picture(f"values per seat {vector(entry['values'])}")
    if len(entry["line"]) > 1:
        screen.tell(f"expected line   {side_by_side(entry['line'])}")
    if not hides:
        screen.picture(f"position        {entry['position']}")
    spent = (
        f"{amount(entry['nodes'])} nodes, {rate(entry['nodes'], entry['seconds'])} "
        f"nodes/s, {duration(entry['seconds'])}"
    )
    reached = f"{amount(entry['playouts'])} playouts" if entry["playouts"] else f"depth {entry['depth']}"
    screen.tell(f"search          {reached}, {spent}; ended by: {entry['stopped']}")
    for name, note in in_words(entry["notes"]).items():
        screen.tell(f"{name:15} {note}")
    screen.table(root_table(game.seats, entry))
    if any(each["values"] is not None and not each["exact"] for each in entry["moves"]):
        screen.remark(f"≤: upper bound for seat {entry['seat']}; {NOTHING}: not searched")
    if hides:
        screen.remark(f"seat {entry['seat']} may not see the whole position; --secrets shows it")


def in_words(notes: dict[str, Any]) -> dict[str, Any]:
    """The notes that a search adds to its decision, with the unit behind each amount."""
    from kingmaker.core.estimate import in_units, plural

    notes = {name: tally(note) if is_tally(note) else note for name, note in notes.items()}
    if not {"edge", "standing", "unit"} <= set(notes):
        return notes
    unit = notes["unit"]
    standing = "  ".join(f"{each:g}" for each in notes["standing"])
    told = notes | {"edge": in_units(notes["edge"], unit), "standing": f"{standing} {plural(unit)}"}
    del told["unit"]
    return told


def is_tally(note: Any) -> bool:
    return isinstance(note, dict) and all(isinstance(count, int | float) for count in note.values())


def tally(counts: dict[str, float]) -> str:
    """Votes or means of moves, the highest first; moves without a vote are left out."""
    highest_first = sorted(counts.items(), key=lambda each: -each[1])
    return ", ".join(f"{name} {number(count)}" for name, count in highest_first if count or isinstance(count, float))


def root_table(seats: int, entry: dict[str, Any], most: int | None = None) -> Table:
    """The root moves with their value vectors, the best first; all of them, or at most `most`."""
    wide = seats <= MOST_COLUMNS
    table = new_table()
    table.add_column("move", no_wrap=True)
    for heading in [f"seat {seat}" for seat in range(seats)] if wide else ["values"]:
        table.add_column(heading, justify="right", no_wrap=True)
    for each in best_first(entry)[:most]:
        values = each["values"] or (None,) * seats
        cells = [number(value) for value in values]
        if each["values"] is not None and not each["exact"]:
            cells[entry["seat"]] = f"≤ {cells[entry['seat']]}"
        chosen = "bold green" if each["move"] == entry["move"] else ""
        table.add_row(each["move"], *(cells if wide else [" ".join(cells)]), style=chosen)
    return table


def best_first(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The chosen move, then the others by their value for the seat; moves that were not searched come last."""

    def worth(each: dict[str, Any]) -> tuple[bool, bool, float, bool]:
        values = each["values"]
        return (
            each["move"] != entry["move"],
            values is None,
            -values[entry["seat"]] if values else 0.0,
            not each["exact"],
        )

    return sorted(entry["moves"], key=worth)
