"""The estimate of Max-Prob: intervals for the final values of the seats, turned into their chances to win."""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.foresight import ROOM
from kingmaker.core.kernel import kernel
from kingmaker.core.rounding import TOLERANCE
from kingmaker.core.scratch import scratch_floats
from kingmaker.search.parts.machinery.leaf import cleared, guess_interval
from kingmaker.search.parts.opponents.win_probability import NODES, SEATS, WEIGHTS, chances_to_win

LOWS, HIGHS, CHANCES = ROOM, ROOM + SEATS, ROOM + 2 * SEATS  # where intervals and their chances are remembered
WIDE = ROOM + 3 * SEATS  # numbers in the room of a position


class WinChance(Estimate):
    """An estimate's intervals turned into chances to win. At the end of a match the chance is the payoff; where payoffs
    are points, the seat with the most points wins.
    """

    def __init__(self, estimate, paid_in_chances, split, rounding):
        self.estimate, self.paid_in_chances, self.split, self.rounding = estimate, paid_in_chances, split, rounding

    def value(self, game, state, out):
        low, high = scratch_floats(SEATS), scratch_floats(SEATS)
        guess_interval(game, self.estimate, state, low[: game.seats], high[: game.seats])
        chances_to_win(low, high, game.seats, self.split, out)

    def begin(self, game, state, seat, room):
        room[LOWS] = np.nan
        return self.estimate.begin(game, state, seat, room[:ROOM])

    def after(self, game, state, seat, move, room, out):
        """Moves that are equally good often lead to the same intervals, so the last chances are remembered."""
        low, high = scratch_floats(SEATS), scratch_floats(SEATS)
        if not self.foreseen(game, state, seat, move, room, low, high):
            return False
        same = True
        for each in range(game.seats):
            same &= (low[each] == room[LOWS + each]) & (high[each] == room[HIGHS + each])
        if not same:
            chances_to_win(low, high, game.seats, self.split, room[CHANCES:])
        for each in range(game.seats):
            room[LOWS + each], room[HIGHS + each] = low[each], high[each]
            out[each] = room[CHANCES + each]
        return True

    def own_after(self, game, state, seat, move, room):
        low, high = scratch_floats(SEATS), scratch_floats(SEATS)
        if not self.foreseen(game, state, seat, move, room, low, high):
            return np.nan
        return chance_to_win(low, high, game.seats, self.split, seat)

    def best_after(self, game, state, seat, room, out):
        """The chance rises with the low end of the own interval."""
        return self.estimate.best_after(game, state, seat, room[:ROOM], out)

    def next_after(self, game, state, seat, move, room):
        """At least the chance of `seat` after any move that is worse than this one, which is one of the best."""
        low, high = scratch_floats(SEATS), scratch_floats(SEATS)
        self.foreseen(game, state, seat, move, room, low, high)
        low[seat] -= self.estimate.grain(game)
        return chance_to_win(low, high, game.seats, self.split, seat)

    def foreseen(self, game, state, seat, move, room, low, high):
        """The intervals after a move, where they can be foreseen."""
        cleared(game, low)
        cleared(game, high)
        return self.estimate.interval_after(game, state, seat, move, room[:ROOM], low[: game.seats], high[: game.seats])

    def final(self, game, state, out):
        game.payoff(state, out)
        if self.paid_in_chances:
            return
        most, winners = out[0], 0
        for seat in range(1, game.seats):
            most = max(most, out[seat])
        for seat in range(game.seats):
            winners += self.rounding.reaches(out[seat], most)
        for seat in range(game.seats):
            out[seat] = (1.0 / winners if self.split else 1.0) if self.rounding.reaches(out[seat], most) else 0.0

    def enough(self, game, state, seat):
        return self.estimate.enough(game, state, seat)


class EvenChance(WinChance):
    """Before the end of a match nothing is known of a position, so every seat has the same chance to win."""

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 1.0 / game.seats


@kernel
def chance_to_win(low, high, seats, split, mine):
    """The chance of one seat, equal to the last bit to what `chances_to_win` writes for it. Where all intervals have
    the same high end, one integral is computed instead of one for each seat.
    """
    start = low[0]
    for seat in range(1, seats):
        start = max(start, low[seat])
        if high[seat] != high[0]:
            return one_of_all(low, high, seats, split, mine)
    if high[0] > start + TOLERANCE * max(abs(high[0]), abs(start)):
        return on_one_piece(low, high[0], seats, start, mine)
    return one_of_all(low, high, seats, split, mine)


@kernel
def one_of_all(low, high, seats, split, mine):
    out = scratch_floats(SEATS)
    chances_to_win(low, high, seats, split, out)
    return out[mine]


@kernel
def on_one_piece(low, end, seats, start, mine):
    """The chance of a seat where all intervals end at `end` and the largest low end is `start`; the products are those
    of `add_piece`.
    """
    at, chance = scratch_floats(SEATS), 0.0
    for seat in range(seats):
        at[seat] = (start - low[seat]) / (end - low[seat])
    rule = (seats - 1) // 2
    for j in range(rule + 1):
        place, before, product = NODES[rule, j], WEIGHTS[rule, j], 1.0
        for seat in range(mine):
            before *= at[seat] + place * (1.0 - at[seat])
        for seat in range(seats - 1, mine, -1):
            product *= at[seat] + place * (1.0 - at[seat])
        chance += (1.0 - at[mine]) * before * product
    return chance
