"""IS-MCTS: Monte-Carlo tree search over what a seat knows, not over what is true.

Every playout deals a world and runs through the tree in it, but the tree is made of information sets: positions that a
seat cannot tell apart share their statistics, so no seat acts on what it cannot know, and there is no strategy fusion.
With multiple observers every seat decides by its own knowledge; a single observer sees all with the root seat's eyes,
as if the others knew no more than it does. It does not bluff: the opponents are learned as they answer, and the result
is in general no equilibrium.

    P. Cowling, E. Powley, D. Whitehouse. Information Set Monte Carlo Tree Search. IEEE TCIAIG 4(2), 2012.

Differs from the paper: an information set is found by a hash of the seat's knowledge instead of by the moves that led
there, so that ways to the same knowledge meet.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.growing.information import OBSERVERS, information_fields, sight_for, walk
from kingmaker.search.parts.growing.playing import finish, playout_for
from kingmaker.search.parts.growing.rewards import reward_for
from kingmaker.search.parts.growing.spread import weigh
from kingmaker.search.parts.growing.tree_sampler import TreeSampler
from kingmaker.search.parts.growing.written_tree import written
from kingmaker.search.parts.machinery.driving import Found


@kernel
def ismcts(game, estimate, switches, work, count):
    """Let the tree grow by `count` playouts, or until the limit or a stop from outside."""
    for _ in range(count):
        if work.nodes >= work.limit or work.stop != 0:
            return
        plies = walk(game, switches, work)
        if work.stop != 0 or not finish(game, estimate, switches, work):
            return
        weigh(game, work)
        work.deepest = max(work.deepest, plies)
        for at in range(plies):
            entry = work.choices[work.path[at]]
            entry.visits += 1
            for seat in range(game.seats):
                entry.sums[seat] += work.values[0, seat]
        work.playouts += 1


class Informed(Constant):
    """The compile-time settings: how information sets are told apart, who observes, reward and playouts."""

    def __init__(self, sight, observer, reward, playout):
        self.sight, self.observer, self.reward, self.playout = sight, observer, reward, playout


@dataclass(frozen=True, kw_only=True)
class Ismcts(TreeSampler):
    """Monte-Carlo tree search over information sets. Without any limit it searches for one second."""

    observer: str = "multiple"  # multiple: each seat by its own knowledge; single: all by the root seat's
    tree: int = 18  # room for 2**tree moves

    kernel = ismcts
    words = {"observer": OBSERVERS} | TreeSampler.words

    def refuse_secrets(self, game):
        Agent.refuse_secrets(self, game)

    def switches(self, game, estimate, record):
        playout = playout_for(self, game, estimate)
        return Informed(sight_for(self, game), OBSERVERS[self.observer], reward_for(self, game), playout)

    def room(self, game, switches):
        fields, _, width = super().room(game, switches)
        fields = [field for field in fields if field[0] not in ("count", "visits", "sums")]
        return [*fields, *information_fields(game, max(2**self.tree, 2 ** (2 * width).bit_length()))], 3, width

    def begin(self, work, game):
        super().begin(work, game)
        work.used = work.filled = work.home = work.deepest = 0

    def fill(self, work, game, memory):
        self.begin(work, game)

    def found(self, ready, works):
        """The most visited move of the root's information set, of equals the one with the better mean."""
        visits, sums = {}, {}
        for work in works:
            for move, many, brought in root_choices(work):
                visits[move] = visits.get(move, 0) + many
                sums[move] = sums.get(move, 0.0) + brought
        moves = sorted(visits)
        if not moves:
            return Found((), (), None)
        me = int(works[0].root)
        means = ready.switches.reward.shown(np.array([sums[move] / visits[move] for move in moves]))
        best = max(range(len(moves)), key=lambda i: (visits[moves[i]], means[i, me]))
        return Found(
            (moves[best],),
            (me,),
            means[best],
            np.array(moves, np.int32),
            means,
            np.ones(len(moves), bool),
            depth=max(int(work.deepest) for work in works),
            playouts=sum(int(work.playouts) for work in works),
        )

    def tree_of(self, ready, work):
        """The root and its moves; what follows depends on the world."""
        me, shown = int(work.root), ready.switches.reward.shown
        moves = list(root_choices(work))
        visits = sum(many for _, many, _ in moves)
        mean = shown(sum(brought for _, _, brought in moves) / max(visits, 1))

        def below(node):
            for move, many, brought in moves if node == 0 else ():
                yield 1, many, shown(brought / many), me, move

        return written(ready.game, work.states[0], ready.record, (0, visits, mean), below)


def root_choices(work):
    """Every move of the root's information set that was tried: the move, its visits and the sum of its rewards."""
    at = int(work.places[work.home].first) - 1 if work.filled else -1
    while at >= 0:
        entry = work.choices[at]
        if entry.visits > 0:
            yield int(entry.move), int(entry.visits), np.array(entry.sums)
        at = int(entry.next) - 1
