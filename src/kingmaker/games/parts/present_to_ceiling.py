"""Estimates whose intervals, for Max-Prob, begin at the present value."""

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER


class Rising(Estimate):
    """An estimate that is assumed never to fall: intervals run from the present value to a constant `ceiling`.

    At the end of a match both ends of the interval are the payoff.
    """

    has_intervals = rising = True
    ceiling = 1.0

    def final(self, game, state, out):
        """The payoff; the present value would be wrong if a limit ends the match while a loser has the higher value."""
        game.payoff(state, out)

    def interval(self, game, state, low, high):
        if game.mover(state) == OVER:
            self.final(game, state, low)
            self.final(game, state, high)
            return
        self.value(game, state, low)
        for seat in range(game.seats):
            high[seat] = self.ceiling

    def interval_after(self, game, state, seat, move, room, low, high):
        if not self.after(game, state, seat, move, room, low):
            return False
        for each in range(game.seats):
            high[each] = self.ceiling
        return True
