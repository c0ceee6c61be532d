"""What one or several trees say of the root moves, read by Python after a round of playouts."""

import numpy as np

LONGEST_LINE = 60


def children(work, node):
    """The nodes below a node."""
    entry = work.tree[node]
    return np.asarray(work.tree)[entry.first : entry.first + entry.count]


def added_up(works):
    """[root move]: how often each was chosen, its visits, its mean rewards [root move, seat], whether it is proven."""
    nodes = [children(work, 0) for work in works]
    chosen = sum(np.asarray(work.visits)[: len(nodes[0])] for work in works)
    visits = sum(each["visits"].astype(np.int64) for each in nodes)
    sums = sum(np.where(each["proven"], each["visits"], 1)[:, None] * each["sums"] for each in nodes)
    rewards = sums / np.maximum(visits, 1)[:, None]
    proven = np.zeros(len(visits), bool)
    for each in nodes:
        rewards[each["proven"] > 0] = each["sums"][each["proven"] > 0]
        proven |= each["proven"] > 0
    return chosen, visits, rewards, proven


def expected_line(work, best):
    """The most visited moves, beginning with the best one; the line ends at the dice."""
    tree, node = np.asarray(work.tree), int(work.tree[0].first) + best
    line = []
    while len(line) < LONGEST_LINE and tree["seat"][node] >= 0:
        line.append((int(tree["seat"][node]), int(tree["move"][node])))
        if tree["first"][node] == 0 or not children(work, node)["visits"].any():
            break
        node = int(tree["first"][node]) + int(children(work, node)["visits"].argmax())
    return line
