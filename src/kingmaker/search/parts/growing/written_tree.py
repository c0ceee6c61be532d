"""A grown tree as a recorded one: the most visited nodes, with how often they were visited and their mean rewards."""

import heapq
from itertools import count

import numpy as np

from kingmaker.core.tree import Tree, node_dtype


def row_kind(seats):
    """One row: that of any recorded tree, and the visits."""
    plain = node_dtype(seats)
    return np.dtype([*((name, plain[name]) for name in plain.names), ("visits", np.int64)], align=True)


def written(game, state, most, root, children):
    """The `most` visited nodes below the root as a `Tree`. `root` is what is known of the position itself: any key, its
    visits and its values; `children(key)` yields the same with who makes which move for every node below a node.

    A node is visited at most as often as the one above it, so parents come before their children.
    """
    rows, order = np.zeros(most, row_kind(game.seats)), count()
    key, visits, values = root
    waiting = [(-visits, next(order), key, values, -1, -1, -1, game.copy(state))]
    used = 0
    while waiting and used < most:
        visits, _, key, values, parent, by, move, here = heapq.heappop(waiting)
        if parent >= 0:
            with np.errstate(over="ignore"):
                game.play(here, by, move)
        rows[used] = (parent, move, by, game.mover(here), 0, np.nan, values, -visits)
        for below, seen, worth, seat, step in children(key):
            heapq.heappush(waiting, (-seen, next(order), below, worth, used, seat, step, game.copy(here)))
        used += 1
    return Tree(rows[:used].copy(), not waiting)
