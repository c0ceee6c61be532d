"""Search policies: what each seat is taken to want in a growing tree, and whose moves are children of a node.

J. Nijssen, M. Winands. Search Policies in Multi-Player Games. ICGA Journal 36(1), 2013.
"""

import numpy as np

from kingmaker.core.kernel import Constant
from kingmaker.search.parts.growing.tree import mean
from kingmaker.search.parts.machinery.needs import acting_out_of_turn
from kingmaker.search.parts.machinery.node import FAULT


class MaxnPolicy(Constant):
    """Every seat wants the best for itself."""

    def fields(self, game):
        return []

    def check(self, agent, game):
        return

    def breadth(self, game):
        return game.max_moves

    def listed(self, game, work, seat):
        """List the moves at work.states[1] in work.moves[1]; return how many, or -1 if the tree must not grow here."""
        return game.moves(work.states[1], seat, work.moves[1])

    def who(self, work, seat, i):
        """Who makes the i-th listed move, where `seat` is to move?"""
        return seat

    def worth(self, work, child):
        """What a child is worth to the seat that moves there, from 0 to 1."""
        return mean(work, child, work.tree[child].seat)

    def certain(self, switches):
        """If a child is worth 1 to its seat, is the value of the parent settled for all seats?"""
        return switches.reward.takes_all


class ParanoidPolicy(MaxnPolicy):
    """Every other seat wants the worst for the root seat."""

    def worth(self, work, child):
        value = mean(work, child, work.root)
        return value if work.tree[child].seat == work.root else 1.0 - value

    def certain(self, switches):
        return True


class BestReplyPolicy(ParanoidPolicy):
    """Between two moves of the root seat only one opponent moves, whichever hurts the root seat most."""

    def fields(self, game):
        return [("repliers", np.int16, (self.breadth(game),))]

    def check(self, agent, game):
        acting_out_of_turn(agent, game)

    def breadth(self, game):
        return max(1, game.seats - 1) * game.max_moves

    def listed(self, game, work, seat):
        state, me, count = work.states[1], work.root, 0
        if not game.active(state, me):
            return -1
        for other in range(game.seats):
            if not work.mine and other != me and game.active(state, other):
                found = game.moves(state, other, work.moves[1, count:])
                if not 0 <= found <= game.max_moves:
                    work.fault, work.most, work.stop = found, game.max_moves, FAULT
                    return -1
                for i in range(count, count + found):
                    work.repliers[i] = other
                count += found
        if count == 0:  # the root seat's turn, or nobody can reply
            count = game.moves(state, me, work.moves[1])
            for i in range(count):
                work.repliers[i] = me
        return count

    def who(self, work, seat, i):
        return work.repliers[i]


POLICIES = {"maxn": MaxnPolicy(), "paranoid": ParanoidPolicy(), "best_reply": BestReplyPolicy()}
