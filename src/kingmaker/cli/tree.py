"""`kingmaker tree`: the tree that a search visited."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from kingmaker.cli.decide import described
from kingmaker.cli.parts import (
    AgentText,
    GameText,
    Interpreted,
    MoveTexts,
    PositionText,
    Seed,
    find_agent,
    find_game,
    json_text,
    opened,
    ready,
    seated,
    write_whole,
)
from kingmaker.cli.voice import say_aside
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.draw.dot import dot

MOST = 1_000_000  # nodes that a record may hold


def tree(
    game: GameText,
    agent: AgentText,
    /,
    *,
    format: Annotated[Literal["json", "dot"], Parameter(help="Nested JSON, or DOT for Graphviz.")] = "json",
    output: Annotated[
        Path | None,
        Parameter(help="Write to this file, else to stdout; the file is complete or not written.", show_default=False),
    ] = None,
    depth_limit: Annotated[int | None, Parameter(help="Write down at most so many plies.", show_default=False)] = None,
    most: Annotated[int, Parameter(help="Record at most so many nodes.")] = 10_000,
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
    interpreted: Interpreted = False,
) -> None:
    """Write down the tree that a search looked at, as JSON or Graphviz DOT.

    It is the tree of the last finished iteration. Nodes whose later moves
    were pruned are marked, and so is the expected line (principal variation).
    Of a tree that grew by playouts the most visited nodes are written down,
    with their visits.

    Example: kingmaker tree sticks "maxn(depth=4)" --format dot --output tree.dot
    """
    from kingmaker.core.ask import Ask

    rules, player = ready(find_game(game), interpreted), find_agent(agent)
    if not 1 <= most <= MOST:
        raise BadParameter(f"expected to record 1 to {MOST} nodes, got --most {most}")
    if depth_limit is not None and depth_limit < 0:
        raise BadParameter(f"expected a depth limit of at least 0, got --depth-limit {depth_limit}")
    if output is not None and not output.resolve().parent.is_dir():
        raise BadParameter(f"there is no folder '{output.parent}' for the file '{output.name}'")
    state = opened(rules, position, moves, seed)
    table, rolls = seated(rules, player, state, seed)
    state, decision = table.state, table.decide(table.mover, ask=Ask(record=most))
    if decision.tree is None:
        raise Mismatch(f"{player.name} searches no tree that could be recorded; use maxn or paranoid")
    entry = described(rules, player, state, decision) | {"seed": seed, "rolled": rolls}
    root = decision.tree.nested(rules, state, decision.tree.path(decision.line, decision.movers))
    shorten(root, depth_limit)
    complete = decision.tree.complete
    title = f"{entry['agent']} in {entry['game']}, seat {entry['seat']} to move"
    text = json_text(entry | {"complete": complete, "tree": root}) if format == "json" else dot(title, root)
    if output is None:
        print(text)
    else:
        write_whole(output, text + "\n")
    if not complete:
        say_aside(f"only the first {most} nodes of the tree were recorded; ask for more with --most")


def shorten(node: dict[str, Any], limit: int | None) -> None:
    """Leave out nodes below the depth limit, and mark their parents."""
    if limit is None:
        return
    if limit == 0 and node.pop("children", None):
        node["more"] = True
    for child in node.get("children", ()):
        shorten(child, limit - 1)
