"""MCTS-Solver for any number of seats: what is known for certain is backed up as it is, not as a mean.

A position in which the match is over is proven. A node is proven where a child is proven to be the best that its seat
can ever have, or where all children are proven: then it has the vector of the first best of them, or the expectation
at a chance node.

    M. Winands, Y. Björnsson, J.-T. Saito. Monte-Carlo Tree Search Solver. CG 2008.
    J. Nijssen, M. Winands. Enhancements for Multi-Player Monte-Carlo Tree Search. CG 2010.
"""

from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.node import rolls

CLOSE = 1e-12  # rewards that differ by no more are equal


@kernel
def settle(game, work, node):
    """The rewards in work.values[0] are the exact value of a node."""
    entry = work.tree[node]
    entry.proven = 1
    for seat in range(game.seats):
        entry.sums[seat] = work.values[0, seat]


@kernel
def prove_path(game, switches, work, ply):
    """The node at `ply` of the path is proven now; prove what follows from it further up."""
    while ply > 0:
        ply -= 1
        node = work.path[ply]
        chance = rolls(game, work.tree[work.tree[node].first].seat)
        if work.tree[node].proven or not (average(game, work, node) if chance else decided(game, switches, work, node)):
            return


@kernel
def decided(game, switches, work, node):
    """Prove a node from its proven children, if they are enough; return whether they are."""
    entry = work.tree[node]
    best, high, complete = -1, 0.0, True
    for child in range(entry.first, entry.first + entry.count):
        if not work.tree[child].proven:
            complete = False
            continue
        worth = switches.policy.worth(work, child)
        if best < 0 or worth > high + CLOSE:
            best, high = child, worth
    if best < 0 or not (complete or (high >= 1.0 and switches.policy.certain(switches))):
        return False
    entry.proven = 1
    for seat in range(game.seats):
        entry.sums[seat] = work.tree[best].sums[seat]
    return True


@kernel
def average(game, work, node):
    """Prove a chance node, if all its children are proven; return whether they are."""
    entry, total = work.tree[node], 0.0
    for child in range(entry.first, entry.first + entry.count):
        if not work.tree[child].proven:
            return False
    entry.proven = 1
    for seat in range(game.seats):
        entry.sums[seat] = 0.0
    for child in range(entry.first, entry.first + entry.count):
        total += work.shares[child]
        part = work.shares[child] / total if total > 0.0 else 0.0
        for seat in range(game.seats):
            entry.sums[seat] += part * (work.tree[child].sums[seat] - entry.sums[seat])
    return True
