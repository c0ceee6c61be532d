"""`kingmaker tree`: the tree that a search visited."""

from collections.abc import Iterator
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
    number,
    opened,
    ready,
    seated,
    write_whole,
)
from kingmaker.cli.voice import say_aside
from kingmaker.core.errors import BadParameter, Mismatch

COLOURS = ("#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#dddddd", "#e5c494")  # one per seat
CHANCE, OVER = -1, -2
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
    text = json_text(entry | {"complete": complete, "tree": root}) if format == "json" else dot(entry, root)
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


def dot(entry: dict[str, Any], root: dict[str, Any]) -> str:
    """The tree for Graphviz: one colour per seat, values in the nodes, pruned nodes dashed, the expected line bold."""
    title = quoted(f"{entry['agent']} in {entry['game']}, seat {entry['seat']} to move")
    head = [
        "digraph tree {",
        f"  label={title}; labelloc=t; fontname=sans;",
        "  node [fontname=sans, style=filled]; edge [fontname=sans];",
    ]
    return "\n".join([*head, *dot_lines(root, iter(range(10**9)), -1), "}"])


def dot_lines(node: dict[str, Any], names: Iterator[int], parent: int) -> Iterator[str]:
    name, seat = next(names), node["seat"]
    who = {CHANCE: "dice", OVER: "end"}.get(seat, f"seat {seat}")
    label = "\n".join(
        [who, " ".join(map(number, node["values"])), *["pruned"][: node.get("cut", 0)], *["…"][: node.get("more", 0)]]
    )
    shape = {CHANCE: "diamond", OVER: "box"}.get(seat, "ellipse")
    colour = COLOURS[seat % len(COLOURS)] if seat >= 0 else "#ffffff"
    looks = [f"label={quoted(label)}", f"shape={shape}", f'fillcolor="{colour}"']
    looks += ['style="filled,dashed"'] if node.get("cut") else []
    bold = ", penwidth=3" if node.get("chosen") else ""
    yield f"  n{name} [{', '.join(looks)}{bold}];"
    if parent >= 0:
        yield f"  n{parent} -> n{name} [label={quoted(node['move'])}{bold}];"
    for child in node.get("children", ()):
        yield from dot_lines(child, names, name)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
