"""The worst duel of a root move so far, stored while the next duel is searched."""

import numpy as np

from kingmaker.core.kernel import Constant, kernel


class WorstDuel(Constant):
    """The workspace fields in which the worst duel of a root move is stored."""

    def fields(self, game, plies):
        return [
            ("worst_values", np.float64, (game.seats,)),
            ("worst_line", np.int64, (plies,)),
            ("worst_length", np.int64, ()),
        ]


@kernel
def put_by(game, work):
    """Store the vector and the line of the worst duel so far."""
    for seat in range(game.seats):
        work.worst_values[seat] = work.values[1, seat]
    work.worst_length = work.lengths[1]
    for j in range(work.worst_length):
        work.worst_line[j] = work.lines[1, j]


@kernel
def take_back(game, work, worst):
    """Make the vector and the line of the worst duel the result of the root move."""
    for seat in range(game.seats):
        work.values[1, seat] = worst if seat == work.root else work.worst_values[seat]
    work.lengths[1] = work.worst_length
    for j in range(work.worst_length):
        work.lines[1, j] = work.worst_line[j]
