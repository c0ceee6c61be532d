"""Matrix games: two seats choose at once, a row and a column; the one gets the entry, the other its opposite."""

import numpy as np


def solved(matrix):
    """The value of a matrix game and an optimal mixed strategy of each side: of the rows, which want much, and of the
    columns, which want little.
    """
    worst, best = matrix.min(axis=1), matrix.max(axis=0)
    if worst.max() >= best.min():  # a saddle point: neither side gains by leaving it
        rows, columns = np.zeros(len(worst)), np.zeros(len(best))
        rows[worst.argmax()] = columns[best.argmin()] = 1.0
        return float(worst.max()), rows, columns
    value, rows = secured(matrix)
    return value, rows, secured(-matrix.T)[1]


def secured(matrix):
    """The most that the rows can secure, whatever the columns do, and the mixed strategy that does it: a linear
    program.
    """
    from scipy.optimize import linprog

    many, across = matrix.shape
    found = linprog(
        np.append(np.zeros(many), -1.0),
        A_ub=np.column_stack([-matrix.T, np.ones(across)]),
        b_ub=np.zeros(across),
        A_eq=np.append(np.ones(many), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * many + [(None, None)],
        method="highs",
    )
    strategy = np.maximum(found.x[:many], 0.0)
    return float(found.x[many]), strategy / strategy.sum()
