"""A search tree in one array that is allocated before the search: the children of a node lie side by side.

A node holds the move that leads to it and who makes it, how often it was visited, and the sum of the rewards that were
found below it, one number a seat. A node gets its children when it is visited for the second time; where the array is
full the tree grows no further, and playouts begin at its leaves.
"""

import math

import numpy as np

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.search.parts.growing.history import history_fields, past, remember
from kingmaker.search.parts.growing.spread import spread_fields
from kingmaker.search.parts.machinery.node import FAULT, rolls

PLIES = 1024  # nodes on the way from the root to a leaf
UNTRIED = 1e9  # what a move without any visit is worth; a history is added to it


def node_kind(seats):
    """The dtype of a node."""
    return np.dtype(
        [
            ("sums", np.float64, (seats,)),  # of rewards; if the node is proven, its exact value
            ("first", np.int32),  # where its children begin; 0: it has none yet
            ("count", np.int32),  # of its children
            ("visits", np.int32),
            ("move", np.int32),  # that leads here
            ("seat", np.int8),  # who makes that move
            ("proven", np.int8),
        ],
        align=True,
    )


def tree_fields(game, size):
    """The workspace fields of a tree of at most `size` nodes."""
    return [
        ("tree", node_kind(game.seats), (size,)),
        ("shares", np.float64, (size if game.max_outcomes else 1,)),  # the probability of a node below a chance node
        ("used", np.int64, ()),  # nodes in the tree
        ("path", np.int32, (PLIES,)),  # nodes from the root to the leaf
        ("instead", np.int32, (PLIES,)),  # a proven child that was chosen where the path explores another; 0: none
        ("mine", np.int64, ()),  # Best Reply: is it the root seat's turn?
        ("solver", np.int64, ()),
        ("cut", np.int64, ()),
        ("exploration", np.float64, ()),
        *spread_fields(game),
        ("epsilon", np.float64, ()),
        *history_fields(game),
    ]


@kernel
def mean(work, node, seat):
    """What a node that was visited or proven is worth to a seat."""
    entry = work.tree[node]
    return entry.sums[seat] if entry.proven else entry.sums[seat] / entry.visits


@kernel
def add_node(game, work, seat, move):
    """Append a node without visits."""
    entry = work.tree[work.used]
    entry.first, entry.count, entry.visits, entry.move, entry.seat, entry.proven = 0, 0, 0, move, seat, 0
    for each in range(game.seats):
        entry.sums[each] = 0.0
    work.used += 1


@kernel
def expand(game, switches, work, node):
    """Give the node of work.states[1] its children; return whether it has any now. It has none where the match is
    over, where chance events cannot be listed and where the tree is full.
    """
    state = work.states[1]
    seat, many, most = game.mover(state), 0, game.max_outcomes
    if seat == OVER or (seat == CHANCE and not game.can_list(state)):
        return False
    chance = rolls(game, seat)
    if chance:
        many = game.outcomes(state, work.moves[1], work.odds[1])
    else:
        many, most = switches.policy.listed(game, work, seat), len(work.moves[1])
        if many < 0:
            return False
    if not 0 < many <= most:
        work.fault, work.most, work.stop = many, most, FAULT
        return False
    if work.used + many > len(work.tree):
        return False
    work.tree[node].first, work.tree[node].count = work.used, many
    for i in range(many):
        if chance:
            work.shares[work.used] = work.odds[1, i]
        add_node(game, work, CHANCE if chance else switches.policy.who(work, seat, i), work.moves[1, i])
    return True


@kernel
def choose(game, switches, work, node):
    """The child with the highest upper confidence bound, and the highest among those that are not proven (-1: none).

    Children are looked at from a random one on, so of equal ones none is preferred.
    """
    entry = work.tree[node]
    first, count = entry.first, entry.count
    spread, start = work.exploration * work.spread * math.sqrt(math.log(max(entry.visits, 1))), below(work.rng, count)
    best, best_open, high, high_open = -1, -1, 0.0, 0.0
    for i in range(count):
        child = first + (start + i if start + i < count else start + i - count)
        visits = work.tree[child].visits
        bound = UNTRIED
        if visits > 0:
            worth = switches.policy.worth(work, child)
            bound = worth + spread / math.sqrt(visits)
            if work.weight > 0.0:
                bound += work.weight * past(work, child) / (visits * (1.0 - worth) + 1.0)
        elif work.weight > 0.0:
            bound += past(work, child)
        if best < 0 or bound > high:
            best, high = child, bound
        if not work.tree[child].proven and (best_open < 0 or bound > high_open):
            best_open, high_open = child, bound
    return best, best_open


@kernel
def rolled_child(game, work, node):
    """The child of a chance node that the dice choose; -1 if the game rolls what it does not list."""
    event, entry = game.roll(work.states[1], work.rng), work.tree[node]
    for child in range(entry.first, entry.first + entry.count):
        if work.tree[child].move == event:
            return child
    return -1


@kernel
def descend(game, switches, work):
    """Go down from the root to a leaf: work.states[1] is its position, work.path the nodes on the way. Returns the
    leaf's place on the path.

    Where the best child is proven its value is known, and going there would tell nothing. It counts for the nodes
    above (`work.instead`), and the path goes on to the best child that is not proven.
    """
    work.states[1], work.mine = work.states[0], 1
    node, ply = 0, 0
    work.path[0], work.instead[0] = 0, 0
    while ply + 1 < len(work.path) and not work.tree[node].proven and work.nodes < work.limit:
        fresh = node > 0 and work.tree[node].visits == 0
        if work.tree[node].first == 0 and (fresh or not expand(game, switches, work, node)):
            return ply
        if rolls(game, work.tree[work.tree[node].first].seat):
            child = rolled_child(game, work, node)
            if child < 0:
                return ply
        else:
            best, child = choose(game, switches, work, node)
            if child < 0:
                return ply
            work.instead[ply] = best if best != child and work.tree[best].proven else 0
        seat = work.tree[child].seat
        game.play(work.states[1], seat, work.tree[child].move)
        work.nodes += 1
        if seat >= 0:
            work.mine = 0 if seat == work.root else 1
        node, ply = child, ply + 1
        work.path[ply], work.instead[ply] = node, 0
    return ply


@kernel
def back_up(game, work, ply):
    """Add the rewards in work.values[0] to every node of the path."""
    for at in range(ply, -1, -1):
        entry, known = work.tree[work.path[at]], work.instead[at]
        if known > 0:
            work.tree[known].visits += 1
            for seat in range(game.seats):
                work.values[0, seat] = work.tree[known].sums[seat]
        entry.visits += 1
        if not entry.proven:
            for seat in range(game.seats):
                entry.sums[seat] += work.values[0, seat]
        if work.weight > 0.0 and at > 0:
            remember(work, work.path[at])
