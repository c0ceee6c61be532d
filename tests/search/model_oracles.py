"""Slow twins of the searches with opponent models, written from the definitions.

Everything is computed with exact fractions from the leaf vectors on; `types` are pairs (rule, estimate), `odds` one row
a seat.
"""

from fractions import Fraction

from tests.oracles import CHANCE, chances, child, leaf_vector

MODEL_RULES = {
    "own": lambda vector, seat, root: vector[seat],
    "lead": lambda vector, seat, root: vector[seat] - max(value for other, value in enumerate(vector) if other != seat),
    "spite": lambda vector, seat, root: -sum(value for other, value in enumerate(vector) if other != seat),
    "hunt": lambda vector, seat, root: -vector[root],
}


def mean(weights, vectors):
    """The weighted mean vector."""
    return tuple(
        sum(weight * vector[seat] for weight, vector in zip(weights, vectors)) for seat in range(len(vectors[0]))
    )


def roll(game, state, below):
    """The expectation over the dice of what `below` makes of each outcome."""
    rolls = chances(game, state)
    return mean([odds for _, odds in rolls], [below(child(game, state, CHANCE, outcome)) for outcome, _ in rolls])


def children(game, state):
    return [child(game, state, game.mover(state), move) for move in game.legal(state)]


def stops(game, own, state, depth, root):
    """Does the search go no deeper here? The searcher's own estimate says so, also for the types."""
    return leaf_vector(game, own, state, depth, root) is not None


def type_value(game, own, rule, estimate, state, depth, root):
    """v_i: the vector to which one type's own look-ahead comes."""
    if stops(game, own, state, depth, root):
        return leaf_vector(game, estimate, state, 0, root)
    seat = game.mover(state)
    if seat == CHANCE:
        return roll(game, state, lambda after: type_value(game, own, rule, estimate, after, depth, root))
    below = [type_value(game, own, rule, estimate, after, depth - 1, root) for after in children(game, state)]
    if rule == "maxn":
        return max(below, key=lambda vector: vector[seat])
    return (max if seat == root else min)(below, key=lambda vector: vector[root])


def type_weights(game, own, rule, estimate, state, depth, root):
    """W_i: the chance that an opponent of this type plays each of its moves."""
    seat = game.mover(state)
    below = [type_value(game, own, rule, estimate, after, depth - 1, root) for after in children(game, state)]
    keys = [vector[seat] if rule == "maxn" else -vector[root] for vector in below]
    return uniform_over_best(keys)


def uniform_over_best(keys):
    best = max(keys)
    return [Fraction(int(key == best), keys.count(best)) for key in keys]


def mixture(odds, weights):
    """Pr(P_j): the chance of each move when the kind of the opponent is drawn by its odds."""
    return [sum(Fraction(p) * row[j] for p, row in zip(odds, weights)) for j in range(len(weights[0]))]


def prom(game, state, depth, own, types, odds, root=None):
    """v_0: the value vector and the chosen move; of equal moves the first."""
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, own, state, depth, root)
    if leaf is not None:
        return leaf, None
    seat = game.mover(state)
    if seat == CHANCE:
        return roll(game, state, lambda after: prom(game, after, depth, own, types, odds, root)[0]), None
    below = [prom(game, after, depth - 1, own, types, odds, root)[0] for after in children(game, state)]
    if seat == root:
        best = max(range(len(below)), key=lambda j: below[j][root])
        return below[best], game.legal(state)[best]
    weights = [type_weights(game, own, rule, estimate, state, depth, root) for rule, estimate in types]
    return mean(mixture(odds[seat], weights), below), None


def prob_maxn(game, state, depth, own, models, odds, root=None):
    """Every opponent is a mixture of models of what it likes; of my own equal moves the first."""
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, own, state, depth, root)
    if leaf is not None:
        return leaf, None
    seat = game.mover(state)
    if seat == CHANCE:
        return roll(game, state, lambda after: prob_maxn(game, after, depth, own, models, odds, root)[0]), None
    below = [prob_maxn(game, after, depth - 1, own, models, odds, root)[0] for after in children(game, state)]
    if seat == root:
        best = max(range(len(below)), key=lambda j: below[j][root])
        return below[best], game.legal(state)[best]
    weights = [uniform_over_best([MODEL_RULES[model](vector, seat, root) for vector in below]) for model in models]
    return mean(mixture(odds[seat], weights), below), None


def bayes(prior, weights, move_index, floor):
    """Pr(t) after a move: prior times the chance of the move, at least the floor."""
    products = [Fraction(p) * max(row[move_index], Fraction(floor)) for p, row in zip(prior, weights)]
    return [product / sum(products) for product in products] if sum(products) else list(map(Fraction, prior))
