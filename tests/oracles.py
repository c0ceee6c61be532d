"""Slow and obvious twins of what Kingmaker computes, written from the definitions and never from the kernels.

Everything here is plain recursion over copies, with exact fractions from the leaves on: what is equal by the definition
is equal here, and rounding breaks no tie. A result is a pair: the value vector and the chosen move. Depth counts the
moves of seats: where the dice fall it stays as it is.
"""

from collections import deque
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

CHANCE, OVER = -1, -2


def estimate_of(game, name=""):
    return game.estimate(name)


@lru_cache(maxsize=100_000)
def exact(number):
    """The fraction that a floating-point number stands for: a third for 0.3333333333333333."""
    return Fraction(number).limit_denominator(2**24)


def exact_vector(values):
    return tuple(exact(float(value)) for value in values)


def child(game, state, seat, move):
    after = game.copy(state)
    with np.errstate(over="ignore"):
        game.play(after, seat, move)
    return after


def leaf_vector(game, estimate, state, depth, root):
    """The vector of a state where the search goes no deeper, else None."""
    out = np.zeros(game.seats)
    with np.errstate(over="ignore"):
        if game.mover(state) == OVER:
            estimate.final(game, state, out)
        elif depth <= 0 or estimate.enough(game, state, root) or unlisted(game, state):
            estimate.value(game, state, out)
        else:
            return None
    return exact_vector(out)


def unlisted(game, state):
    """Is chance to move, and can nobody list what it may bring? There every search ends."""
    return game.mover(state) == CHANCE and not game.can_list(state)


def under(seat, depth):
    """The depth that is left after a move of a seat, or after the dice, which take none."""
    return depth if seat == CHANCE else depth - 1


def expectation(odds, vectors):
    """The mean vector."""
    return tuple(sum(p * vector[seat] for p, vector in zip(odds, vectors)) for seat in range(len(vectors[0])))


def chances(game, state):
    with np.errstate(over="ignore"):
        return [(outcome, exact(odds)) for outcome, odds in game.chances(state)]


def pact(game, state, depth, estimate, root):
    """One seat maximises its own entry, all others minimise that same entry; dice are averaged. Of equal moves the
    first.
    """
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf, None
    seat = game.mover(state)
    if seat == CHANCE:
        rolls = chances(game, state)
        below = [pact(game, child(game, state, seat, outcome), depth, estimate, root)[0] for outcome, _ in rolls]
        return expectation([odds for _, odds in rolls], below), None
    found = [
        (pact(game, child(game, state, seat, move), depth - 1, estimate, root)[0], move) for move in game.legal(state)
    ]
    wanted = (max if seat == root else min)(vector[root] for vector, _ in found)
    return next((vector, move) for vector, move in found if vector[root] == wanted)


def paranoid(game, state, depth, estimate=None):
    return pact(game, state, depth, estimate or estimate_of(game), game.mover(state))


def minimax(game, state, depth, estimate=None):
    assert game.seats == 2
    return pact(game, state, depth, estimate or estimate_of(game), game.mover(state))


def maxn(game, state, depth, ties="first", estimate=None, root=None):
    """Who is to move takes the child best for itself; of equal ones the first, or the one that leaves the others
    least.
    """
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf, None
    seat = game.mover(state)
    if seat == CHANCE:
        rolls = chances(game, state)
        below = [maxn(game, child(game, state, seat, outcome), depth, ties, estimate, root)[0] for outcome, _ in rolls]
        return expectation([odds for _, odds in rolls], below), None
    found = [
        (maxn(game, child(game, state, seat, move), depth - 1, ties, estimate, root)[0], move)
        for move in game.legal(state)
    ]
    best = max(vector[seat] for vector, _ in found)
    equal = [(vector, move) for vector, move in found if vector[seat] == best]
    if ties == "least_others":
        least = min(sum(vector) - vector[seat] for vector, _ in equal)
        equal = [(vector, move) for vector, move in equal if sum(vector) - vector[seat] == least]
    return equal[0]


def maxn_possible(game, state, depth, estimate=None, root=None):
    """Every pair of vector and move that MaxN can come to when each tie may fall either way."""
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return {(leaf, None)}
    seat = game.mover(state)
    if seat == CHANCE:
        rolls = chances(game, state)
        below = [
            [vector for vector, _ in maxn_possible(game, child(game, state, seat, outcome), depth, estimate, root)]
            for outcome, _ in rolls
        ]
        return {(expectation([odds for _, odds in rolls], vectors), None) for vectors in product(*below)}
    below = {
        move: {vector for vector, _ in maxn_possible(game, child(game, state, seat, move), depth - 1, estimate, root)}
        for move in game.legal(state)
    }
    possible = set()
    for move, vectors in below.items():
        rivals = max(
            (min(vector[seat] for vector in others) for other, others in below.items() if other != move),
            default=-np.inf,
        )
        possible |= {(vector, move) for vector in vectors if vector[seat] >= rivals}
    return possible


def tree(game, state, depth, value_of, estimate=None, root=None, move=None):
    """The whole searched tree as nested dictionaries; `value_of(state, depth)` gives each node's vector."""
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    node = {"move": move, "seat": int(game.mover(state)), "values": value_of(state, depth), "children": []}
    if leaf_vector(game, estimate, state, depth, root) is None:
        seat = game.mover(state)
        below = [outcome for outcome, _ in chances(game, state)] if seat == CHANCE else game.legal(state)
        node["children"] = [
            tree(game, child(game, state, seat, each), under(seat, depth), value_of, estimate, root, each)
            for each in below
        ]
    return node


def count_nodes(game, state, depth, estimate=None, root=None):
    """Nodes of the depth-limited tree, the root among them."""
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    if leaf_vector(game, estimate, state, depth, root) is not None:
        return 1
    seat = game.mover(state)
    below = [outcome for outcome, _ in chances(game, state)] if seat == CHANCE else game.legal(state)
    return 1 + sum(
        count_nodes(game, child(game, state, seat, move), under(seat, depth), estimate, root) for move in below
    )


def count_leaves(game, state, depth, estimate=None, root=None):
    """Leaves of the depth-limited tree."""
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    if leaf_vector(game, estimate, state, depth, root) is not None:
        return 1
    seat = game.mover(state)
    below = [outcome for outcome, _ in chances(game, state)] if seat == CHANCE else game.legal(state)
    return sum(count_leaves(game, child(game, state, seat, move), under(seat, depth), estimate, root) for move in below)


def deepened_nodes(game, state, depth, estimate=None):
    """Nodes of all iterations up to a depth, as iterative deepening without pruning visits them; stops where the tree
    ends.
    """
    total = 0
    for each in range(1, depth + 1):
        total += count_nodes(game, state, each, estimate)
        if solved_at(game, state, each, estimate):
            break
    return total


def solved_at(game, state, depth, estimate=None, root=None):
    """Does no leaf of the depth-limited tree have anything below it?"""
    estimate = estimate or estimate_of(game)
    root = game.mover(state) if root is None else root
    seat = game.mover(state)
    if seat == OVER:
        return True
    if leaf_vector(game, estimate, state, depth, root) is not None:
        return False
    below = [outcome for outcome, _ in chances(game, state)] if seat == CHANCE else game.legal(state)
    return all(solved_at(game, child(game, state, seat, move), under(seat, depth), estimate, root) for move in below)


def perft(game, state, depth):
    """Paths of exactly `depth` moves, chance outcomes included."""
    seat = game.mover(state)
    if depth == 0:
        return 1
    if seat == OVER:
        return 0
    below = [outcome for outcome, _ in chances(game, state)] if seat == CHANCE else game.legal(state)
    return sum(perft(game, child(game, state, seat, move), depth - 1) for move in below)


NEIGHBOURS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west


class Bikes:
    """Light Bike with sets of cells (row, column), counted from 0."""

    def __init__(self, width, height, heads, vanish=False):
        self.width, self.height, self.vanish = width, height, vanish
        self.heads = list(heads)
        self.trails = [{head} for head in heads]
        self.alive = set(range(len(heads)))
        self.last = set(self.alive)

    def walls(self):
        riders = self.alive if self.vanish else range(len(self.heads))
        return set().union(*(self.trails[rider] for rider in riders)) if riders else set()

    def on_board(self, cell):
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def target(self, rider, way):
        (row, column), (down, right) = self.heads[rider], NEIGHBOURS[way]
        return row + down, column + right

    def open_ways(self, rider):
        walls = self.walls()
        return [
            way for way in range(4) if self.on_board(self.target(rider, way)) and self.target(rider, way) not in walls
        ]

    def step(self, ways):
        """All living riders move at once; ways[rider]."""
        walls, before = self.walls(), set(self.alive)
        goals = {rider: self.target(rider, ways[rider]) for rider in before}
        for rider in before:
            met = any(goals[other] == goals[rider] for other in before if other != rider)
            if met or goals[rider] in walls or not self.on_board(goals[rider]):
                self.alive.discard(rider)
        for rider in self.alive:
            self.heads[rider] = goals[rider]
            self.trails[rider].add(goals[rider])
        self.last = set(self.alive) or before

    def over(self):
        return len(self.alive) <= 1

    def payoffs(self):
        return tuple(1 / len(self.last) if rider in self.last else 0.0 for rider in range(len(self.heads)))


def distances(width, height, walls, head):
    """How many moves each free cell is from a head, by breadth-first search over cells."""
    found, queue = {}, deque([(head, 0)])
    while queue:
        (row, column), far = queue.popleft()
        for down, right in NEIGHBOURS:
            cell = row + down, column + right
            inside = 0 <= cell[0] < height and 0 <= cell[1] < width
            if inside and cell not in walls and cell not in found:
                found[cell] = far + 1
                queue.append((cell, far + 1))
    return found


def room(width, height, walls, heads):
    """For each rider 1 and the free cells it can reach; None stands for a rider that is out."""
    return [0 if head is None else 1 + len(distances(width, height, walls, head)) for head in heads]


def territory(width, height, walls, heads):
    """For each rider 1 and the cells it reaches strictly before every other."""
    far = [{} if head is None else distances(width, height, walls, head) for head in heads]
    amounts = [0 if head is None else 1 for head in heads]
    for cell in set().union(*far):
        times = [each.get(cell, np.inf) for each in far]
        if times.count(min(times)) == 1:
            amounts[times.index(min(times))] += 1
    return amounts


def self_avoiding(start, length, allowed):
    """Paths of a length from a cell that never enter a cell twice."""

    def walk(cell, seen, left):
        if left == 0:
            return 1
        total = 0
        for down, right in NEIGHBOURS:
            following = cell[0] + down, cell[1] + right
            if following not in seen and allowed(following):
                total += walk(following, seen | {following}, left - 1)
        return total

    return walk(start, {start}, length)
