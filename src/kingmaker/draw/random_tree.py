"""A random tree, from where the match stands as far down as there is room."""

from typing import Any

import numpy as np

from kingmaker.core.door import CHANCE, OVER
from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, turn_of
from kingmaker.draw.trees import Node, draw_tree

MOST = 20  # nodes side by side


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    deep = 1
    while game.branching ** (deep + 1) <= MOST and deep < game.height - state.ply:
        deep += 1
    with np.errstate(over="ignore"):
        root = made(game, state, deep)
    root.here = True
    for move, child in enumerate(root.children):
        child.spot = f"move {move}"
    draw_tree(paper, root, f"a random tree of {game.seats} seats: {turn_of(game, state)}")
    banner(paper, game, state, f"ply {state.ply} of {game.height}")


def made(game: Any, state: Any, deep: int, label: str = "") -> Node:
    seat = int(game.mover(state))
    if seat == OVER:
        return Node(seat, label, game.payoffs(state))
    node = Node(seat, label, more=deep == 0)
    chances = game.chances(state) if deep and seat == CHANCE else []
    shown = MOST if deep else 0
    for move in range(min(game.branching, shown)):
        after = game.copy(state)
        game.play(after, seat, move)
        odds = f" {chances[move][1]:.2g}" if chances else ""
        node.children.append(made(game, after, deep - 1, f"{move}{odds}"))
    return node


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    return (f"move {move}",) if move < MOST else ()
