"""Orders in which moves come first that were good elsewhere in the tree, so that alpha-beta cuts sooner."""

import numpy as np

from kingmaker.search.parts.switches.order_of_the_game import Given
from kingmaker.search.parts.switches.replies import swap_replies

SLOTS = 4096  # moves are told apart by their last twelve bits


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
