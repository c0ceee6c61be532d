"""Slow twins of the searches in which seats act out of turn, are narrowed or aim at one another; from the definitions
in the spec.
"""

import numpy as np

from tests.oracles import CHANCE, chances, child, exact, expectation, leaf_vector, unlisted


def legal_narrowed(game, state, seat, headings):
    """All moves, or only the one that continues the seat's last move inside the tree; None: no forward_pruning."""
    legal = game.legal(state, seat)
    if headings is not None and seat in headings:
        same = [move for move in legal if game.continues(headings[seat], move)]
        return same[:1] or legal
    return legal


def headed(headings, seat, move):
    return None if headings is None else {**headings, seat: move}


def averaged(game, state, search):
    rolls = chances(game, state)
    return expectation(
        [odds for _, odds in rolls], [search(child(game, state, CHANCE, outcome)) for outcome, _ in rolls]
    )


def maxn_narrowed(game, state, depth, headings, estimate, root):
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf
    seat = game.mover(state)
    found = [
        maxn_narrowed(game, child(game, state, seat, move), depth - 1, headed(headings, seat, move), estimate, root)
        for move in legal_narrowed(game, state, seat, headings)
    ]
    return max(found, key=lambda vector: vector[seat])


def maxn_average(game, state, depth, estimate, root):
    """Ties are averaged: the vector is the mean over all children that are best for the mover."""
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf
    seat = game.mover(state)
    if seat == CHANCE:
        return averaged(game, state, lambda after: maxn_average(game, after, depth, estimate, root))
    found = [
        maxn_average(game, child(game, state, seat, move), depth - 1, estimate, root) for move in game.legal(state)
    ]
    best = max(vector[seat] for vector in found)
    equal = [vector for vector in found if vector[seat] == best]
    return tuple(sum(vector[each] for vector in equal) / len(equal) for each in range(game.seats))


def offensive(game, state, depth, target, estimate=None, root=None):
    """The root seat minimises the target's entry, then maximises its own, then takes the first; all others play
    MaxN.
    """
    estimate = estimate or game.estimate()
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf, None
    seat = game.mover(state)
    if seat == CHANCE:
        return averaged(game, state, lambda after: offensive(game, after, depth, target, estimate, root)[0]), None
    found = [
        (offensive(game, child(game, state, seat, move), depth - 1, target, estimate, root)[0], move)
        for move in game.legal(state)
    ]
    if seat == root:
        return min(found, key=lambda pair: (pair[0][target], -pair[0][root]))
    return max(found, key=lambda pair: pair[0][seat])


def offensive_possible(game, state, depth, target, root=None):
    """Every pair of vector and move that Offensive with `ties=any` can come to: the root seat minimises the target's
    entry and looks at nothing else, all others play MaxN, and each tie may fall either way.
    """
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, game.estimate(), state, depth, root)
    if leaf is not None:
        return {(leaf, None)}
    seat = game.mover(state)
    entry, sign = (target, -1) if seat == root else (seat, 1)
    below = {
        move: {
            vector for vector, _ in offensive_possible(game, child(game, state, seat, move), depth - 1, target, root)
        }
        for move in game.legal(state)
    }
    possible = set()
    for move, vectors in below.items():
        rivals = [min(sign * vector[entry] for vector in others) for each, others in below.items() if each != move]
        possible |= {(vector, move) for vector in vectors if all(sign * vector[entry] >= rival for rival in rivals)}
    return possible


def best_reply(game, state, depth, mine=True, estimate=None, root=None, headings=None):
    """Value for the root seat: its own moves, then one move of any one opponent, and so on. Returns value and chosen
    move.

    Where the root seat is out the line ends with the estimate; where no opponent has a reply they all pass.
    """
    estimate = estimate or game.estimate()
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, estimate, state, depth if game.active(state, root) else 0, root)
    if leaf is not None:
        return leaf[root], None
    if game.mover(state) == CHANCE:
        rolls = chances(game, state)
        below = [
            best_reply(game, child(game, state, CHANCE, outcome), depth, mine, estimate, root, headings)[0]
            for outcome, _ in rolls
        ]
        return sum(odds * value for (_, odds), value in zip(rolls, below)), None
    movers = [root] if mine else [seat for seat in range(game.seats) if seat != root and game.active(state, seat)]
    if not any(game.legal(state, seat) for seat in movers):
        movers, mine = [root], True
    found = [
        (
            best_reply(
                game, child(game, state, seat, move), depth - 1, not mine, estimate, root, headed(headings, seat, move)
            )[0],
            move,
        )
        for seat in movers
        for move in legal_narrowed(game, state, seat, headings)
    ]
    return (max if mine else min)(found, key=lambda pair: pair[0])


def best_reply_plus(game, state, depth, used=0, estimate=None, root=None):
    """In turn order, between two root moves: exactly one opponent may be regular, the others make their first move."""
    estimate = estimate or game.estimate()
    root = game.mover(state) if root is None else root
    leaf = leaf_vector(game, estimate, state, depth, root)
    if leaf is not None:
        return leaf[root], None
    seat = game.mover(state)
    if seat == CHANCE:
        rolls = chances(game, state)
        below = [
            best_reply_plus(game, child(game, state, CHANCE, outcome), depth, used, estimate, root)[0]
            for outcome, _ in rolls
        ]
        return sum(odds * value for (_, odds), value in zip(rolls, below)), None
    legal = game.legal(state)
    if seat == root:
        options = [(move, 0) for move in legal]
    elif used:
        options = [(legal[0], 1)]
    else:
        options = [(move, 1) for move in legal]
        special = child(game, state, seat, legal[0])
        if game.mover(special) not in (root, -2):
            options.append((legal[0], 0))
    found = [
        (best_reply_plus(game, child(game, state, seat, move), depth - 1, after, estimate, root)[0], move)
        for move, after in options
    ]
    return (max if seat == root else min)(found, key=lambda pair: pair[0])


def duel(game, state, depth, opponent, mine, estimate, root, headings=None):
    out = np.zeros(game.seats)
    with np.errstate(over="ignore"):
        if game.mover(state) == -2:
            estimate.final(game, state, out)
            return exact(float(out[root]))
        both = game.active(state, opponent) and game.active(state, root)
        if depth <= 0 or estimate.enough(game, state, root) or not both or unlisted(game, state):
            estimate.against(game, state, root, opponent, out)
            return exact(float(out[root]))
    if game.mover(state) == CHANCE:
        return sum(
            odds * duel(game, child(game, state, CHANCE, outcome), depth, opponent, mine, estimate, root, headings)
            for outcome, odds in chances(game, state)
        )
    seat = root if mine else opponent
    return (max if mine else min)(
        duel(
            game,
            child(game, state, seat, move),
            depth - 1,
            opponent,
            not mine,
            estimate,
            root,
            headed(headings, seat, move),
        )
        for move in legal_narrowed(game, state, seat, headings)
    )


def multi_minimax(game, state, depth, estimate=None, narrow=False):
    """Value of every root move: the least of its duels with each living opponent."""
    estimate = estimate or game.estimate()
    root = game.mover(state)
    headings = {} if narrow else None
    values = {}
    for move in game.legal(state):
        after = child(game, state, root, move)
        opponents = [seat for seat in range(game.seats) if seat != root and game.active(after, seat)]
        values[move] = min(
            duel(game, after, depth - 1, seat, False, estimate, root, headed(headings, root, move))
            for seat in opponents
        )
    return values
