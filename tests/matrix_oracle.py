"""Simultaneous games solved slowly and exactly: matrix games by trying all supports, positions by plain recursion.

A pair of mixed strategies is an equilibrium of a matrix game if no row brings the first seat more against the second's
strategy, and no column less against the first's. Some equilibrium has supports of equal size on both sides, within
which all moves are worth the same; all are tried, in fractions.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np

from tests.oracles import CHANCE, OVER, exact


def equations(rows, right):
    """The solution of a system of linear equations in fractions, or None if there is not exactly one."""
    size = len(rows)
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for column in range(size):
        pivot = next((i for i in range(column, size) if table[i][column] != 0), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [entry / table[column][column] for entry in table[column]]
        for i in range(size):
            if i != column and table[i][column] != 0:
                table[i] = [a - table[i][column] * b for a, b in zip(table[i], table[column], strict=True)]
    return [row[-1] for row in table]


def indifferent(matrix, mine, theirs):
    """The value, and a strategy on the moves `mine` against which all moves `theirs` are worth the same; or None."""
    one, zero = Fraction(1), Fraction(0)
    rows = [[*(matrix[i][j] for i in mine), -one] for j in theirs] + [[*(one for _ in mine), zero]]
    found = equations(rows, [zero] * len(theirs) + [one])
    if found is None or min(found[:-1]) < 0:
        return None
    strategy = [zero] * len(matrix)
    for i, share in zip(mine, found[:-1], strict=True):
        strategy[i] = share
    return found[-1], strategy


def equilibrium(matrix):
    """The value of a matrix game and an optimal strategy of each side, in fractions."""
    matrix = [[Fraction(entry) for entry in row] for row in matrix]
    turned = [list(column) for column in zip(*matrix, strict=True)]
    for size in range(1, min(len(matrix), len(turned)) + 1):
        for rows in combinations(range(len(matrix)), size):
            for columns in combinations(range(len(turned)), size):
                first, second = indifferent(matrix, rows, columns), indifferent(turned, columns, rows)
                if first is None or second is None:
                    continue
                value, one, other = first[0], first[1], second[1]
                against = [sum(share * matrix[i][j] for i, share in enumerate(one)) for j in range(len(turned))]
                gained = [sum(share * turned[j][i] for j, share in enumerate(other)) for i in range(len(matrix))]
                if min(against) >= value and max(gained) <= value and second[0] == value:
                    return value, one, other
    raise AssertionError("every matrix game has an equilibrium")


def joint_matrix(game, state):
    """[first seat's move, second seat's move]: what the first seat gets after both moves at once, in fractions."""
    out = np.zeros(game.max_moves, np.int32)
    lists = [out[: game.moves(state, seat, out)].tolist() for seat in (0, 1)]
    return [[joint_value(game, stepped(game, state, (one, other))) for other in lists[1]] for one in lists[0]]


def stepped(game, state, joint):
    after = game.copy(state)
    with np.errstate(over="ignore"):
        game.step(after, np.array(joint, np.int32))
    return after


def joint_value(game, state):
    """What the first of two seats gets from a state on, if both play perfectly."""
    mover = game.mover(state)
    if mover == OVER:
        out = np.zeros(2)
        game.payoff(state, out)
        return exact(float(out[0]))
    if mover == CHANCE:
        total = Fraction(0)
        for event, odds in game.chances(state):
            after = game.copy(state)
            game.play(after, CHANCE, event)
            total += exact(float(odds)) * joint_value(game, after)
        return total
    return equilibrium(joint_matrix(game, state))[0]


def exploitability(matrix, strategy):
    """By how much a strategy of the first seat falls short of the value against the best answer."""
    value = equilibrium(matrix)[0]
    worth = [
        sum(share * float(row[j]) for share, row in zip(strategy, matrix, strict=True)) for j in range(len(matrix[0]))
    ]
    return float(value) - min(worth)
