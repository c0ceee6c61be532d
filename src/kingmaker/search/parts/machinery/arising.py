"""How many different positions can arise from one: counted by machine code, and only up to a limit.

Positions are told apart by their keys. Two positions may have the same key by accident, so the count may be too low,
but never too high.
"""

import numpy as np

from kingmaker.core.errors import CannotCompile, Mismatch
from kingmaker.core.game import OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.workspace import workspace
from kingmaker.search.parts.machinery.node import rolls
from kingmaker.search.parts.switches.transposition_table import hasher_for
from kingmaker.soundness.vouching import vouched

MOST = 2**22  # positions that are counted
PLIES = 402  # turns that are followed
ONE = np.uint64(1)


class InTurn(Constant):
    """One seat after the other moves."""

    def fields(self, game):
        return []

    def listed(self, game, work, ply, mover):
        """List the moves at work.states[ply]; returns how many there are."""
        many = game.moves(work.states[ply], mover, work.moves[ply])
        return many if many <= game.max_moves else 0

    def play(self, game, work, ply, mover, i):
        """Play the i-th of them on work.states[ply + 1]."""
        game.play(work.states[ply + 1], mover, work.moves[ply, i])


class AtOnce(InTurn):
    """All seats move at once: a turn is one move of each that acts."""

    def fields(self, game):
        return [
            ("choices", np.int32, (PLIES, game.seats, game.max_moves)),
            ("widths", np.int64, (PLIES, game.seats)),  # how many moves a seat has; 0: it does not act
            ("joint", np.int32, (game.seats,)),
        ]

    def listed(self, game, work, ply, mover):
        many = 1
        for seat in range(game.seats):
            work.widths[ply, seat] = 0
            if game.active(work.states[ply], seat):
                width = game.moves(work.states[ply], seat, work.choices[ply, seat])
                if not 0 < width <= game.max_moves:
                    return 0
                work.widths[ply, seat] = width
                many *= width
        return many

    def play(self, game, work, ply, mover, i):
        for seat in range(game.seats):
            width = work.widths[ply, seat]
            work.joint[seat] = work.choices[ply, seat, i % width] if width > 0 else -1
            i //= max(width, 1)
        game.step(work.states[ply + 1], work.joint)


@kernel
def is_new(work, keys, key):
    """Count the position with this key, unless it was counted before; `keys` always has room."""
    row, last = np.int64(key & np.uint64(len(keys) - 1)), len(keys) - 1
    while keys[row] != key:
        if keys[row] == 0:
            keys[row] = key
            work.nodes += 1
            return True
        row = row + 1 if row < last else 0
    return False


@kernel
def count_from(game, turns, hasher, work, keys, ply):
    """Count work.states[ply] and all positions that can follow, those not counted yet, until there are work.limit."""
    if work.nodes >= work.limit or not is_new(work, keys, hasher.key(game, work.states[ply]) | ONE):
        return
    mover = game.mover(work.states[ply])
    if mover == OVER or ply + 1 >= len(work.states):
        return
    dice = rolls(game, mover)
    if dice:
        if not game.can_list(work.states[ply]):
            return
        many = game.outcomes(work.states[ply], work.moves[ply], work.odds[ply])
    else:
        many = turns.listed(game, work, ply, mover)
    for i in range(many):
        work.states[ply + 1] = work.states[ply]
        if dice:
            game.play(work.states[ply + 1], mover, work.moves[ply, i])
        else:
            turns.play(game, work, ply, mover, i)
        count_from(game, turns, hasher, work, keys, ply + 1)


def count_arising(game, state, limit, compiled=True):
    """How many different positions can arise from a state, itself included: at least so many, and counted only up to
    `limit` or MOST; 0 if the rules cannot be compiled or their positions have no keys.
    """
    limit = min(limit, MOST)
    turns = AtOnce() if game.facts.simultaneous else InTurn()
    try:
        vouched(game)
        hasher = hasher_for(game)
        work = workspace(game, PLIES, turns.fields(game), compiled)
        work.states[0], work.limit = state, limit
        keys = np.zeros(2 ** (2 * limit).bit_length(), np.uint64)
        run = count_from.compiled if compiled else count_from
        with np.errstate(over="ignore"):
            run(game, turns, hasher, work.record, keys, 0)
    except (CannotCompile, Mismatch):
        return 0
    return int(work.nodes)
