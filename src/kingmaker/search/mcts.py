"""Monte-Carlo tree search: play matches out, and go where they went well.

The tree grows playout by playout. In the tree every seat follows its upper confidence bound (UCT): the mean reward
plus a bonus for moves that were seldom tried. Below the tree the match is played out, and the result is added to every
node on the way. Nothing is assumed about the game but its rules, and the search may be stopped at any time. The price
is that a mean over many playouts finds a single refutation late.

What a seat wants is a policy: the best for itself (`maxn`), the worst for me (`paranoid`), or that only the most
harmful reply counts (`best_reply`).

    L. Kocsis, C. Szepesvári. Bandit Based Monte-Carlo Planning. ECML 2006.
    N. Sturtevant. An Analysis of UCT in Multi-Player Games. CG 2008.
    J. Nijssen, M. Winands. Enhancements for Multi-Player Monte-Carlo Tree Search. CG 2010.

Differs from the papers: rewards of every kind lie between 0 and 1; where the best child is proven, its value counts and
the playout goes on below the best child that is not, so that the solver never costs the means anything.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import Mismatch
from kingmaker.core.kernel import Constant, kernel
from kingmaker.search.parts.growing.keeping import Kept, keeps, own
from kingmaker.search.parts.growing.playing import finish, playout_for
from kingmaker.search.parts.growing.policies import POLICIES
from kingmaker.search.parts.growing.proofs import prove_path, settle
from kingmaker.search.parts.growing.rewards import reward_for
from kingmaker.search.parts.growing.root import added_up, children, expected_line
from kingmaker.search.parts.growing.spread import weigh
from kingmaker.search.parts.growing.tree import add_node, back_up, descend, tree_fields
from kingmaker.search.parts.growing.tree_sampler import TreeSampler
from kingmaker.search.parts.growing.written_tree import written
from kingmaker.search.parts.machinery.driving import Found


@kernel
def mcts(game, estimate, switches, work, count):
    """Let the tree grow by `count` playouts, or until the limit, a stop from outside or a proof of the root."""
    if work.limit > 0 and work.used == 0:
        add_node(game, work, -1, 0)
    for _ in range(count):
        if work.nodes >= work.limit or work.stop != 0 or work.tree[0].proven:
            return
        ply = descend(game, switches, work)
        leaf = work.path[ply]
        if work.tree[leaf].proven:
            for seat in range(game.seats):
                work.values[0, seat] = work.tree[leaf].sums[seat]
        else:
            over = game.mover(work.states[1]) < -1
            if work.stop != 0 or not finish(game, estimate, switches, work):
                return
            weigh(game, work)
            if over and work.solver and ply > 0:
                settle(game, work, leaf)
        picked = work.instead[0] if work.instead[0] > 0 else work.path[min(ply, 1)]
        if picked > 0:
            work.visits[picked - work.tree[0].first] += 1
        back_up(game, work, ply)
        work.playouts += 1
        if work.tree[leaf].proven:
            prove_path(game, switches, work, ply)


class Growing(Constant):
    """The compile-time settings: policy, reward and playouts."""

    def __init__(self, policy, reward, playout):
        self.policy, self.reward, self.playout = policy, reward, playout


@dataclass(frozen=True, kw_only=True)
class Mcts(TreeSampler):
    """UCT for any number of seats. Without any limit it searches for one second."""

    policy: str = "maxn"  # maxn, paranoid or best_reply: what the others want
    history: float = 5.0  # progressive history: the weight of what a move brought elsewhere in the tree
    solver: bool = True  # back up proven values
    keep: bool = True  # keep the tree from move to move
    tree: int = 20  # room for 2**tree nodes

    kernel = mcts
    words = {"policy": POLICIES} | TreeSampler.words
    least_most = TreeSampler.least_most | {"history": (0, 1000)}

    def check(self, game):
        POLICIES[self.policy].check(self, game)

    def switches(self, game, estimate, record):
        return Growing(POLICIES[self.policy], reward_for(self, game), playout_for(self, game, estimate))

    def room(self, game, switches):
        fields, _, width = super().room(game, switches)
        width = max(width, switches.policy.breadth(game))
        fields = [field for field in fields if field[0] not in ("visits", "sums")]
        if 2**self.tree <= width:
            raise Mismatch(
                f"tree={self.tree} has room for {2**self.tree} nodes in {self}, fewer than {game} may have "
                f"moves; use tree={width.bit_length()} or more"
            )
        visits = ("visits", np.int64, (width,))  # how often each root move was chosen
        return [*fields, visits, *tree_fields(game, 2**self.tree), *switches.policy.fields(game)], 3, width

    def begin(self, work, game):
        super().begin(work, game)
        work.used, work.weight, work.solver = 0, self.history, self.solver
        work.visits[:] = 0

    def fill(self, work, game, memory):
        self.begin(work, game)
        if memory is not None:
            own(memory, self, game).begin(work, game)

    def memory(self, game, seat):
        super().memory(game, seat)
        return Kept() if self.keep and self.policy != "best_reply" and keeps(game) else None

    def observe(self, memory, game, state, seat, move):
        super().observe(memory, game, state, seat, move)
        if memory is not None:
            own(memory, self, game).moves.append(int(move))

    def choose(self, game, state, rng, ask):
        decision = super().choose(game, state, rng, ask)
        if ask.memory is not None:
            ask.memory.end(game, state, decision.move)
        return decision

    def is_solved(self, work):
        return bool(work.used and work.tree[0].proven)

    def found(self, ready, works):
        """What the trees say of the root moves: a proven root has the best proven move, else the most chosen one is
        played, of equals the one with the better mean.
        """
        works = [work for work in works if work.used and work.tree[0].first > 0]
        if not works:
            return Found((), (), None)
        chosen, visits, rewards, proven = added_up(works)
        tried, me = visits > 0, int(works[0].root)
        if not tried.any():
            return Found((), (), None)
        solved = any(self.is_solved(work) for work in works)
        mine, last = np.round(rewards[:, me], 12), -np.arange(len(tried))  # of equal moves the first
        order = np.lexsort((last, mine, proven) if solved else (last, mine, chosen, tried))
        best, moves = int(order[-1]), children(works[0], 0)["move"]
        line = expected_line(works[0], best)
        values = ready.switches.reward.shown(rewards)
        return Found(
            tuple(move for _, move in line),
            tuple(seat for seat, _ in line),
            values[best],
            moves[tried].copy(),
            values[tried],
            np.ones(int(tried.sum()), bool),
            depth=len(line),
            playouts=sum(int(work.playouts) for work in works),
        )

    def notes(self, game, work, found):
        """The root moves whose values are proven, in the first thread's tree, if there are any."""
        nodes = children(work, 0) if work.used and work.tree[0].first > 0 else ()
        proven = [game.say(work.states[0], int(work.root), int(each["move"])) for each in nodes if each["proven"]]
        return {"proven": ", ".join(proven)} if proven else {}

    def tree_of(self, ready, work):
        """The most visited nodes as a recorded tree."""
        tree, shown = np.asarray(work.tree), ready.switches.reward.shown

        def known(node):
            visits = int(tree["visits"][node])
            mean = tree["sums"][node] / (1 if tree["proven"][node] else max(visits, 1))
            return visits, shown(mean)

        def below(node):
            first = int(tree["first"][node])
            for child in range(first, first + int(tree["count"][node]) if first else first):
                if tree["visits"][child] > 0:
                    yield child, *known(child), int(tree["seat"][child]), int(tree["move"][child])

        return written(ready.game, work.states[0], ready.record, (0, *known(0)), below)
