"""Trees of games in which all seats move at once: a node keeps for every seat and every move of it what was learned.

A playout follows the tree from the root. At each node every seat chooses a move by its own numbers alone, without a
look at what the others choose now, then all moves are played in one turn. The first position that is not in the tree
is added to it, and from there the match is played out at random; its payoff is told to all nodes on the way. Nodes are
rows of arrays with a fixed number of rows: when three quarters of them are taken, the tree grows no more.
"""

import numpy as np

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import GAMMA, mix
from kingmaker.search.parts.machinery.leaf import cleared, guess
from kingmaker.search.parts.machinery.node import FAULT
from kingmaker.search.parts.machinery.sampling import LONGEST, credit

LEVELS = 256  # turns that a playout can follow the tree
ROOT_KEY, NO_KEY = GAMMA, np.uint64(0)


@kernel
def row_of(work, size, key):
    """The row of the node with this key, or the row that is free for it."""
    row = np.int64(key & np.uint64(size - 1))
    while work.keys[row] != key and work.keys[row] != NO_KEY:
        row = row + 1 if row + 1 < size else 0
    return row


@kernel
def random_turn(game, work, state):
    """Play a turn in which every seat moves at random."""
    for seat in range(game.seats):
        work.joint[seat] = game.any_move(state, seat, work.rng, work.moves[1]) if game.active(state, seat) else -1
    game.step(state, work.joint)


@kernel
def play_out_jointly(game, estimate, work, state):
    """Play the state to its end at random; leave what every seat gets in work.values[1]. A match that has not ended
    after LONGEST turns is worth the estimate of its last position.
    """
    for _ in range(LONGEST):
        mover = game.mover(state)
        if mover == OVER:
            cleared(game, work.values[1])
            game.payoff(state, work.values[1])
            return
        work.nodes += 1
        if mover == CHANCE:
            game.play(state, CHANCE, game.roll(state, work.rng))
        else:
            random_turn(game, work, state)
    guess(game, estimate, state, work.values[1])


@kernel
def descend(game, switches, work, state):
    """Follow the tree from the root with the moves that the seats choose there, until the match is over or a position
    is not in the tree, which is then added if there is room; return how many turns were played.
    """
    level, key = 0, ROOT_KEY
    for _ in range(LONGEST):
        mover = game.mover(state)
        if mover == OVER or level == LEVELS:
            return level
        if mover == CHANCE:
            event = game.roll(state, work.rng)
            game.play(state, CHANCE, event)
            key = mix(key + GAMMA * np.uint64(event + 3))
            continue
        row = row_of(work, switches.size, key)
        if work.keys[row] == NO_KEY:
            if 4 * work.rows_used < 3 * switches.size:
                work.keys[row] = key
                work.rows_used += 1
            if level > 0:
                return level
        work.nodes += 1
        work.trail[level] = row
        for seat in range(game.seats):
            work.joint[seat], work.picks[level, seat] = -1, -1
            if game.active(state, seat):
                many = game.moves(state, seat, work.moves[1])
                if not 0 < many <= game.max_moves:
                    work.fault, work.most, work.stop = many, game.max_moves, FAULT
                    return level
                pick = switches.policy.choose(work, row, seat, many)
                work.widths[level, seat], work.picks[level, seat] = many, pick
                work.joint[seat] = work.moves[1, pick]
                key = mix(key + GAMMA * np.uint64(pick + 1))
        game.step(state, work.joint)
        level += 1
    return level


@kernel
def sample_jointly(game, estimate, switches, work, count):
    """Play `count` playouts from work.states[0]."""
    for _ in range(count):
        if work.nodes >= work.limit or work.stop != 0:
            return
        work.states[1] = work.states[0]
        levels = descend(game, switches, work, work.states[1])
        if work.stop == FAULT:
            return
        play_out_jointly(game, estimate, work, work.states[1])
        for level in range(levels):
            for seat in range(game.seats):
                pick = work.picks[level, seat]
                if pick >= 0:
                    reward = switches.scaled(work.values[1, seat])
                    switches.policy.learn(work, work.trail[level], seat, work.widths[level, seat], pick, reward)
        credit(game, work, work.picks[0, work.root], 1)


class JointSwitches(Constant):
    """The policy of a search, the rows of its tree, and the bounds of the payoffs, by which rewards are scaled."""

    def __init__(self, policy, size, low, high):
        self.policy, self.size, self.low, self.high = policy, size, low, high

    def scaled(self, value):
        """A payoff as a number from 0 to 1."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
