"""Slow and obvious twins of Max-Prob, Eq. (1) and Soft-MaxN: exact fractions, plain recursion, written from the
definitions.
"""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from tests.oracles import exact, exact_vector, under, unlisted

CHANCE, OVER = -1, -2


def times(one, other):
    """The product of two polynomials, coefficients from the constant term up."""
    out = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            out[i + j] += a * b
    return out


def integral(polynomial, low, high):
    return sum((c * (high ** (k + 1) - low ** (k + 1)) / (k + 1) for k, c in enumerate(polynomial)), Fraction(0))


def below(low, high, x):
    """P(value <= x) for a value uniform on [low, high]."""
    if x >= high:
        return Fraction(1)
    return Fraction(0) if x < low else (x - low) / (high - low)


def below_on(low, high, left, right):
    """The same as a polynomial on a piece [left, right] that no end of the interval lies inside."""
    if left >= high:
        return [Fraction(1)]
    if right <= low:
        return [Fraction(0)]
    return [-low / (high - low), 1 / (high - low)]


def win_probability(low, high, split=False):
    """Eq. (1) seat by seat: each seat's whole interval, cut at everybody's ends."""
    low, high = [Fraction(x) for x in low], [Fraction(x) for x in high]
    chances = []
    for seat, (left, right) in enumerate(zip(low, high)):
        others = [(low[b], high[b]) for b in range(len(low)) if b != seat]
        if left == right:
            chance = Fraction(1)
            for a, b in others:
                chance *= below(a, b, left)
            if split:
                chance /= 1 + sum(a == b == left for a, b in others)
            chances.append(chance)
            continue
        cuts = sorted({left, right, *(x for pair in others for x in pair if left < x < right)})
        total = Fraction(0)
        for start, end in pairwise(cuts):
            polynomial = [1 / (right - left)]
            for a, b in others:
                polynomial = times(polynomial, below_on(a, b, start, end))
            total += integral(polynomial, start, end)
        chances.append(total)
    return tuple(chances)


def children(game, state):
    """What may follow: pairs of a move and the state after it."""
    out = []
    with np.errstate(over="ignore"):
        for move in game.legal(state):
            after = game.copy(state)
            game.play(after, game.mover(state), move)
            out.append((move, after))
    return out


def odds_of(game, state):
    with np.errstate(over="ignore"):
        return [exact(odds) for _, odds in game.chances(state)]


def mixed(odds, vectors):
    return tuple(
        sum((Fraction(p) * v[seat] for p, v in zip(odds, vectors)), Fraction(0)) for seat in range(len(vectors[0]))
    )


def win_chances(game, state, depth, estimate, split=False):
    """Max-Prob's vector of a state in exact fractions. Payoffs from 0 to 1 are chances, others are points: the most
    win.
    """
    with np.errstate(over="ignore"):
        if game.mover(state) == OVER:
            payoffs = [Fraction(value) for value in game.payoffs(state)]
            if game.facts.low >= 0 and game.facts.high <= 1:
                return tuple(payoffs)
            share = Fraction(1, payoffs.count(max(payoffs))) if split else Fraction(1)
            return tuple(share if value == max(payoffs) else Fraction(0) for value in payoffs)
        if depth == 0 or unlisted(game, state):
            low, high = np.zeros(game.seats), np.zeros(game.seats)
            estimate.interval(game, state, low, high)
            return win_probability(low, high, split)
    seat = game.mover(state)
    below_here = [win_chances(game, after, under(seat, depth), estimate, split) for _, after in children(game, state)]
    if seat == CHANCE:
        return mixed(odds_of(game, state), below_here)
    best = [vector for vector in below_here if close(vector[seat], max(v[seat] for v in below_here))]
    return mixed([Fraction(1, len(best))] * len(best), best)


def close(one, other):
    return abs(one - other) <= Fraction(1, 10**12)


def best_moves(game, state, depth, estimate, split=False):
    """The root's arg-max set."""
    found = [(move, win_chances(game, after, depth - 1, estimate, split)) for move, after in children(game, state)]
    seat = game.mover(state)
    return [move for move, vector in found if close(vector[seat], max(v[seat] for _, v in found))]


def leaf(game, state, depth, estimate):
    """The vector where the search goes no deeper, else None."""
    out = np.zeros(game.seats)
    with np.errstate(over="ignore"):
        if game.mover(state) == OVER:
            estimate.final(game, state, out)
        elif depth == 0 or unlisted(game, state):
            estimate.value(game, state, out)
        else:
            return None
    return exact_vector(out)


def every_sum(odds, sets):
    """All weighted sums of one vector from each set."""
    sums = {(Fraction(0),) * len(next(iter(sets[0])))}
    for p, vectors in zip(odds, sets):
        sums = {tuple(s + p * x for s, x in zip(total, vector)) for total in sums for vector in vectors}
    return sums


def every_maxn(game, state, depth, estimate):
    """All vectors that MaxN may find: at every node, every way of breaking its ties, whatever the other nodes do."""
    vector = leaf(game, state, depth, estimate)
    if vector is not None:
        return {vector}
    seat = game.mover(state)
    sets = [every_maxn(game, after, under(seat, depth), estimate) for _, after in children(game, state)]
    if seat == CHANCE:
        return every_sum(odds_of(game, state), sets)
    found = set()
    for choice in product(*sets):
        found |= {vector for vector in choice if vector[seat] == max(each[seat] for each in choice)}
    return found


def soft_set(game, state, depth, estimate):
    """Soft-MaxN's set: a child goes only if all of its vectors are strictly worse for the mover than all of another
    child's.
    """
    vector = leaf(game, state, depth, estimate)
    if vector is not None:
        return {vector}
    seat = game.mover(state)
    sets = [soft_set(game, after, under(seat, depth), estimate) for _, after in children(game, state)]
    if seat == CHANCE:
        return every_sum(odds_of(game, state), sets)
    entries = [[vector[seat] for vector in each] for each in sets]
    kept = [each for each, mine in zip(sets, entries) if not any(max(mine) < min(other) for other in entries)]
    return set().union(*kept)


def maxn_under_random_ties(game, state):
    """What MaxN may find at a state when every tie is broken by a fair coin: pairs of a probability and a vector."""
    if game.mover(state) == OVER:
        return [(Fraction(1), tuple(Fraction(value) for value in game.payoffs(state)))]
    seat, found = game.mover(state), []
    for choice in product(*(maxn_under_random_ties(game, after) for _, after in children(game, state))):
        odds = Fraction(1)
        for probability, _ in choice:
            odds *= probability
        best = [vector for _, vector in choice if vector[seat] == max(vector[seat] for _, vector in choice)]
        found += [(odds / len(best), vector) for vector in best]
    return found


def pact_value(game, state, root):
    """What everyone's pact against `root` leaves it."""
    if game.mover(state) == OVER:
        return Fraction(game.payoffs(state)[root])
    values = [pact_value(game, after, root) for _, after in children(game, state)]
    return max(values) if game.mover(state) == root else min(values)


def fair_choice(values):
    """A fair coin among the highest: the probability of each place."""
    best = [value == max(values) for value in values]
    return [Fraction(int(each), sum(best)) for each in best]


def paranoid_choice(game, state):
    """How likely Paranoid with random ties is to play each root move."""
    return fair_choice([pact_value(game, after, game.mover(state)) for _, after in children(game, state)])


def maxn_choice(game, state):
    """How likely MaxN with random ties, its own and those it imagines, is to play each root move."""
    seat, chosen = game.mover(state), [Fraction(0)] * len(game.legal(state))
    for choice in product(*(maxn_under_random_ties(game, after) for _, after in children(game, state))):
        odds = Fraction(1)
        for probability, _ in choice:
            odds *= probability
        for i, share in enumerate(fair_choice([vector[seat] for _, vector in choice])):
            chosen[i] += odds * share
    return chosen


def expected_utility(game, state, choice):
    """What a root that plays its moves with these probabilities gets from opponents who play Max-Prob."""
    seat = game.mover(state)
    after = [win_chances(game, below_here, 1000, None)[seat] for _, below_here in children(game, state)]
    return sum((p * value for p, value in zip(choice, after)), Fraction(0))
