"""A recorded search tree in DOT, the language of Graphviz."""

from collections.abc import Iterator
from typing import Any

from kingmaker.core.door import CHANCE, OVER

COLOURS = ("#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#dddddd", "#e5c494")  # one per seat


def dot(title: str, root: dict[str, Any]) -> str:
    """The tree for Graphviz, from `Tree.nested`: one colour per seat, values in the nodes, pruned nodes dashed, the
    expected line bold.
    """
    head = [
        "digraph tree {",
        f"  label={quoted(title)}; labelloc=t; fontname=sans;",
        "  node [fontname=sans, style=filled]; edge [fontname=sans];",
    ]
    return "\n".join([*head, *dot_lines(root, iter(range(10**9)), -1), "}"])


def dot_lines(node: dict[str, Any], names: Iterator[int], parent: int) -> Iterator[str]:
    name, seat = next(names), node["seat"]
    who = {CHANCE: "dice", OVER: "end"}.get(seat, f"seat {seat}")
    label = "\n".join(
        [
            who,
            " ".join(map(number, node["values"])),
            *([f"{node['visits']} visits"] if "visits" in node else []),
            *(["pruned" + (f" at {number(node['bound'])}" if "bound" in node else "")] if node.get("cut") else []),
            *["…"][: node.get("more", 0)],
        ]
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


def number(value: float) -> str:
    """Whole, or with three decimals."""
    return f"{value:.0f}" if value == round(value) else f"{value:.3f}"
