"""`kingmaker perft`: count the tree."""

from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.parts import (
    AsJson,
    Flag,
    GameText,
    MoveTexts,
    PositionText,
    Screen,
    Seed,
    amount,
    duration,
    find_game,
    new_table,
    opened,
    per_second,
    plain,
    print_json,
    rate,
)


def perft(
    game: GameText,
    /,
    *,
    depth: Annotated[int, Parameter(help="How many plies deep.")],
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
    interpreted: Annotated[bool, Flag, Parameter(help="Run the rules as plain Python: slower, the same counts.")] = False,
    json: AsJson = False,
) -> None:
    """Count the positions of the game tree, depth by depth.

    The seats move one after the other, as in a search, and every outcome of
    the dice counts as a move.

    Example: kingmaker perft "light_bike(seats=3)" --depth 9
    """
    from kingmaker.arena.perft import count

    rules = find_game(game)
    state = opened(rules, position, moves, seed)
    found = count(rules, state, depth, False if interpreted else None)
    if json:
        print_json(
            {
                "game": plain(rules),
                "position": rules.notation(state),
                "seed": seed,
                "leaves": found.leaves,
                "nodes": found.nodes,
                "seconds": found.seconds,
                "nodes_per_second": per_second(found.nodes, found.seconds),
            }
        )
        return
    screen, table = Screen(), new_table()
    table.add_column("depth", justify="right")
    table.add_column("positions", justify="right")
    for deep, leaves in enumerate(found.leaves):
        table.add_row(str(deep), f"{leaves:,}".replace(",", " "))
    screen.picture(rules.show(state))
    screen.print(table)
    screen.tell(f"{amount(found.nodes)} nodes in {duration(found.seconds)}, {rate(found.nodes, found.seconds)} nodes/s")
