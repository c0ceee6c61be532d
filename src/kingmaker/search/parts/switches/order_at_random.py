"""Orders by chance: of equal moves each is as likely to be played, at the root perhaps only if it looks as good."""

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.rng import RNG, below, draw, shuffle
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.switches.order_of_the_game import Given
from kingmaker.search.parts.switches.replies import swap_replies

AT_RANDOM = ("shuffled", "promising")  # below the root any of equal moves comes first, each with the same probability


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
