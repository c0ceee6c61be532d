"""An explicit tree as it is written down; a large one only as far as it fits, from where the match stands."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, turn_of
from kingmaker.draw.trees import Node, draw_tree

MOST = 70  # leaves of a tree that is drawn as a whole


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    whole = leaves(game.root, 100) <= MOST
    root, way = (game.root, state.path) if whole else (state.node, ())
    deep = 100
    while leaves(root, deep) > MOST and deep > 1:
        deep -= 1
    draw_tree(paper, made(root, way, deep), f"a tree of {game.seats} seats: {turn_of(game, state)}")
    banner(paper, game, state, "" if whole else "the tree below this node")


def leaves(node: Any, deep: int) -> int:
    """How many ends a drawing of so many plies has; counting stops soon after the most."""
    if not node.children or deep == 0:
        return 1
    count = 0
    for child in node.children:
        count += leaves(child, deep - 1)
        if count > MOST:
            break
    return count


def made(node: Any, way: tuple[int, ...], deep: int, path: tuple[int, ...] = (), label: str = "") -> Node:
    """A node and those below it; `way` leads to where the match stands, `path` to this node."""
    found = Node(int(node.seat), label, () if node.payoff is None else tuple(map(float, node.payoff)))
    found.here = path == way
    found.on_way = way[: len(path)] == path[: len(way)]
    found.more = bool(node.children) and deep == 0
    if path and path[:-1] == way:
        found.spot = f"move {path[-1]}"
    for at, child in enumerate(node.children if deep else ()):
        odds = f" {node.odds[at]:.2g}" if node.odds is not None else ""
        found.children.append(made(child, way, deep - 1, (*path, at), node.names[at] + odds))
    return found


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    return (f"move {move}",)
