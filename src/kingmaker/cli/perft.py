"""`kingmaker perft`: count the tree."""

from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.parts import (
    AsJson,
    GameText,
    Interpreted,
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
    ready,
)


def perft(
    game: GameText,
    /,
    *,
    depth: Annotated[int, Parameter(help="How many plies deep.")],
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> None:
    """Count the positions of the game tree, depth by depth.

    The seats move one after the other, as in a search, and every outcome of
    the dice counts as a move.

    Example: kingmaker perft "light_bike(seats=3)" --depth 9
    """
    from kingmaker.probe.perft import count

    rules = ready(find_game(game), interpreted)
    state = opened(rules, position, moves, seed)
    found = count(rules, state, depth)
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
    screen.table(table)
    screen.tell(f"{amount(found.nodes)} nodes in {duration(found.seconds)}, {rate(found.nodes, found.seconds)} nodes/s")
