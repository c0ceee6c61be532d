"""The order in which moves are tried."""

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import RNG, below, draw, shuffle
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.switches.replies import swap_replies

SLOTS = 4096  # moves are told apart by their last twelve bits


class Given(Constant):
    """The moves are tried in the game's own order."""

    def fields(self, game, plies):
        return []

    def arrange(self, game, work, ply, seat, count):
        return

    def arrange_replies(self, work, ply, count):
        return

    def one_of(self, work, count):
        """Which of so many moves, in the game's own order, would be tried first? Asked below the root."""
        return 0

    def credit(self, work, ply, seat, i, depth):
        return

    def hint(self, work, ply, move):
        """The table remembers this move (-1: none) as the best here, from a search of another depth."""
        return

    def leader(self, work):
        """The root move that is tried first; -1: none."""
        return -1

    def precedes(self, work, ply, i, best_i):
        """Is the i-th move to be taken if it is merely as good as the best, for the game lists it first?"""
        return False


class Shuffled(Given):
    """A fresh uniformly random order at every node; of equal moves each is as likely to be played.

    The root has the same random order in every iteration. So which of equal moves is played depends neither on how many
    nodes were searched before nor on when the search is found to be solved.
    """

    def fields(self, game, plies):
        return [("root_order", np.uint64, ()), ("root_rng", RNG, ())]

    def arrange(self, game, work, ply, seat, count):
        self.mix(work, ply, count)

    def mix(self, work, ply, count):
        if ply > 0:
            shuffle(work.rng, work.moves[ply], count)
            return
        if work.nodes == 1:  # the first iteration
            work.root_order = draw(work.rng)
        work.root_rng.word = work.root_order
        shuffle(work.root_rng, work.moves[0], count)

    def one_of(self, work, count):
        return below(work.rng, count)

    def arrange_replies(self, work, ply, count):
        for i in range(count - 1, 0, -1):
            swap_replies(work, ply, i, below(work.rng, i + 1))


class Promising(Shuffled):
    """As shuffled, but at the root the moves after which the estimate is higher for their mover come first. So of equal
    moves the one is played whose position looks better, and of those any.

    A. Hashavit, S. Markovitch. Max-Prob. IJCAI 2011, section 4.1.
    """

    def __init__(self, estimate, rounding):
        self.estimate, self.rounding = estimate, rounding

    def fields(self, game, plies):
        return [*Shuffled.fields(self, game, plies), ("promise", np.float64, (game.max_moves,))]

    def arrange(self, game, work, ply, seat, count):
        self.mix(work, ply, count)
        if ply > 0:
            return
        for i in range(count):
            move, promise = work.moves[0, i], self.looked_at(game, work, seat, work.moves[0, i])
            j = i
            while j > 0 and self.rounding.above(promise, work.promise[j - 1]):
                work.moves[0, j], work.promise[j] = work.moves[0, j - 1], work.promise[j - 1]
                j -= 1
            work.moves[0, j], work.promise[j] = move, promise

    def looked_at(self, game, work, seat, move):
        """The estimate of the position after a root move for its mover; the payoff where the match is over."""
        work.states[1] = work.states[0]
        game.play(work.states[1], seat, move)
        if game.mover(work.states[1]) == OVER:
            end(game, self.estimate, work.states[1], work.values[1])
        else:
            guess(game, self.estimate, work.states[1], work.values[1])
        return work.values[1, seat]


class Leading(Given):
    """At the root only the best move of the iteration before comes first. Alpha-beta still plays the one of equal root
    moves that the game lists first, so no order changes what is played.
    """

    def precedes(self, work, ply, i, best_i):
        return ply == 0 and best_i == 0 and 0 < i <= work.home

    def lead(self, work, count):
        """Bring the best root move of the iteration before to the front and note where the game lists it."""
        work.home, best = 0, self.leader(work)
        for i in range(count):
            if work.moves[0, i] == best:
                work.home = i
        for i in range(work.home, 0, -1):
            work.moves[0, i] = work.moves[0, i - 1]
        if work.home > 0:
            work.moves[0, 0] = best


class History(Leading):
    """Moves that were best elsewhere in the tree come first; a best move counts more the deeper the search below it
    was.

    J. Schaeffer. The History Heuristic. ICCA Journal 6(3), 1983.
    """

    def fields(self, game, plies):
        return [
            ("history", np.int64, (game.seats, SLOTS)),
            ("best", np.int32, (plies,)),  # the last best move at each ply, plus one, so that 0 means none
            ("home", np.int64, ()),
        ]

    def leader(self, work):
        return work.best[0] - 1

    def arrange(self, game, work, ply, seat, count):
        if ply == 0:
            self.lead(work, count)
            return
        for i in range(1, count):
            move = work.moves[ply, i]
            score = self.score(work, ply, seat, move)
            j = i
            while j > 0 and self.score(work, ply, seat, work.moves[ply, j - 1]) < score:
                work.moves[ply, j] = work.moves[ply, j - 1]
                j -= 1
            work.moves[ply, j] = move

    def arrange_replies(self, work, ply, count):
        for i in range(1, count):
            j = i
            while j > 0 and self.reply_score(work, ply, j - 1) < self.reply_score(work, ply, j):
                swap_replies(work, ply, j, j - 1)
                j -= 1

    def reply_score(self, work, ply, i):
        return self.score(work, ply, work.repliers[ply, i], work.moves[ply, i])

    def score(self, work, ply, seat, move):
        if work.best[ply] == move + 1:
            return np.int64(2**62)
        return work.history[seat, move & (SLOTS - 1)]

    def credit(self, work, ply, seat, i, depth):
        if seat >= 0:
            move = work.moves[ply, i]
            work.best[ply] = move + 1
            work.history[seat, move & (SLOTS - 1)] += depth * depth


class Killer(Leading):
    """The move that the table remembers comes first, then the two moves that were best last at the same ply, the
    *killers*; the others follow in the game's own order.

    S. Akl, M. Newborn. The Principal Continuation and the Killer Heuristic. ACM Annual Conference, 1977.
    """

    def fields(self, game, plies):
        # moves plus one, so that 0 means none
        return [("killers", np.int32, (plies, 2)), ("hints", np.int32, (plies,)), ("home", np.int64, ())]

    def leader(self, work):
        return work.killers[0, 0] - 1

    def hint(self, work, ply, move):
        work.hints[ply] = move + 1

    def arrange(self, game, work, ply, seat, count):
        if ply == 0:
            self.lead(work, count)
            return
        front = 0
        for rank in range(3):
            i = self.place(work, ply, rank, front, count)
            if i >= 0:
                move = work.moves[ply, i]
                for j in range(i, front, -1):
                    work.moves[ply, j] = work.moves[ply, j - 1]
                work.moves[ply, front] = move
                front += 1

    def arrange_replies(self, work, ply, count):
        front = 0
        for rank in range(3):
            i = self.place(work, ply, rank, front, count)
            if i >= 0:
                for j in range(i, front, -1):
                    swap_replies(work, ply, j, j - 1)
                front += 1

    def place(self, work, ply, rank, front, count):
        """Where the remembered move (rank 0) or a killer (ranks 1 and 2) stands among the moves that are not yet in
        front; -1: nowhere.
        """
        wanted = work.hints[ply] if rank == 0 else work.killers[ply, rank - 1]
        for i in range(front, count if wanted > 0 else front):
            if work.moves[ply, i] + 1 == wanted:
                return i
        return -1

    def credit(self, work, ply, seat, i, depth):
        if seat >= 0 and work.killers[ply, 0] != work.moves[ply, i] + 1:
            work.killers[ply, 1] = work.killers[ply, 0]
            work.killers[ply, 0] = work.moves[ply, i] + 1


ORDERS = {"given": Given, "shuffled": Shuffled, "promising": Promising, "history": History, "killer": Killer}
AT_RANDOM = ("shuffled", "promising")  # below the root any of equal moves comes first, each with the same probability


def order_for(name, estimate, rounding):
    """The order of a name; only one depends on how positions are estimated."""
    return Promising(estimate, rounding) if name == "promising" else ORDERS[name]()
