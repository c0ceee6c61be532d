"""The tree from move to move: what was found below the moves that were really made is still true at the next decision.

After a decision the part of the tree below the chosen move is kept, and nothing else. At the next decision it is taken
over from the node to which the moves of the others and the dice led; if the position is not the one that is to be
searched, a new tree begins.
"""

import numpy as np

from kingmaker.core.errors import BadParameter
from kingmaker.core.game import CHANCE


def keeps(game):
    """Can a tree be kept in this game? Not where the world changes from decision to decision, nor where seats move at
    once.
    """
    return not (game.facts.hidden or game.facts.simultaneous)


class Kept:
    """A tree that waits for the next decision of its seat, and the moves that others have made since."""

    def __init__(self):
        self.work = self.tree = self.shares = self.state = None
        self.moves = []

    def begin(self, work, game):
        """Put into a new workspace what is known of its position."""
        node = -1 if self.tree is None else self.reached(game, 0, self.state, self.moves, work.states[0])
        if node >= 0 and self.tree["first"][node] > 0:
            order, firsts = below(self.tree, node)
            count = len(order)
            tree = np.asarray(work.tree)
            tree[:count] = self.tree[order]
            tree["first"][:count] = firsts
            if len(self.shares) > 1:
                np.asarray(work.shares)[:count] = self.shares[order]
            work.used = count
            first, many = int(firsts[0]), int(tree["count"][0])
            work.visits[:many] = tree["visits"][first : first + many]
        self.work, self.tree, self.moves = work, None, []

    def end(self, game, state, move):
        """Keep what the workspace holds below the chosen move."""
        work, self.work = self.work, None
        tree = np.asarray(work.tree)
        first, count = int(tree["first"][0]), int(tree["count"][0])
        chosen = np.flatnonzero(tree["move"][first : first + count] == move)
        if work.used and first and len(chosen):
            order, firsts = below(tree, first + int(chosen[0]))
            self.tree, self.state = plain(tree)[order], game.after(state, move)
            self.tree["first"] = firsts
            self.shares = np.asarray(work.shares)[order] if len(work.shares) > 1 else np.zeros(1)

    def reached(self, game, node, state, moves, wanted):
        """The node of a position that others' moves led to; -1 if there is none. What the dice showed is not told, so
        every outcome is tried.
        """
        if not moves and same(game, state, wanted):
            return node
        first, count = int(self.tree["first"][node]), int(self.tree["count"][node])
        children = range(first, first + count if first else first)
        mover = int(game.mover(state))
        for child in children:
            move = int(self.tree["move"][child])
            if mover != int(self.tree["seat"][child]) or (mover != CHANCE and moves[:1] != [move]):
                continue
            after = game.copy(state)
            with np.errstate(over="ignore"):
                game.play(after, mover, move)
            found = self.reached(game, child, after, moves if mover == CHANCE else moves[1:], wanted)
            if found >= 0:
                return found
        return -1


def own(memory, agent, game):
    """The memory, if it is one of a growing tree."""
    if not isinstance(memory, Kept):
        raise BadParameter(f"this memory is none of {agent} in {game}; make one with agent.memory(game, seat)")
    return memory


def plain(tree):
    """The nodes without Python's wide records around them, which would not be copied well."""
    return np.ndarray(tree.shape, np.dtype((np.void, tree.dtype)), tree)


def same(game, state, wanted):
    """Are two states the same? States that are objects are compared by their own `==`."""
    return state.tobytes() == wanted.tobytes() if game.has_records else bool(state == wanted)


def below(tree, root):
    """The nodes from `root` on down, level by level, and where the children of each begin in this new order."""
    order, firsts, level, used = [np.array([root])], [], np.array([root]), 1
    while len(level):
        grown = tree["first"][level] > 0
        counts = np.where(grown, tree["count"][level], 0).astype(np.int64)
        ends = np.cumsum(counts)
        firsts.append(np.where(grown, used + ends - counts, 0))
        level = np.repeat(tree["first"][level] - (ends - counts), counts) + np.arange(ends[-1])
        order.append(level)
        used += int(ends[-1])
    return np.concatenate(order), np.concatenate(firsts).astype(np.int32)
