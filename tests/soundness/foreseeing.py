"""Estimates of the pile of sticks that say of moves what they bring, one of them right and the others each with one
fault.
"""

import numpy as np

import kingmaker as km


class Foreseeing(km.Estimate):
    """Few sticks are good for whoever is to move; everybody else gets what is left of a whole."""

    has_intervals = True

    def value(self, game, state, out):
        self.share(game, state.left, state.seat, out)

    def share(self, game, left, mover, out):
        for seat in range(game.seats):
            out[seat] = (left * 7 % 10) / 20 if seat == mover else (left * 3 % 10) / 20

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        for seat in range(game.seats):
            high[seat] = 0.5 + low[seat] / 2

    def begin(self, game, state, seat, room):
        room[0] = state.left
        return True

    def after(self, game, state, seat, move, room, out):
        if move >= room[0]:
            return False
        self.share(game, np.int64(room[0]) - move, (seat + 1) % game.seats, out)
        return True

    def interval_after(self, game, state, seat, move, room, low, high):
        if not self.after(game, state, seat, move, room, low):
            return False
        for each in range(game.seats):
            high[each] = 0.5 + low[each] / 2
        return True


class Wrong(Foreseeing):
    """Forgets that the move takes sticks away."""

    def after(self, game, state, seat, move, room, out):
        self.share(game, state.left, (seat + 1) % game.seats, out)
        return move < room[0]


class Endings(Foreseeing):
    """Says something of moves that end the match."""

    def after(self, game, state, seat, move, room, out):
        self.share(game, state.left - move, (seat + 1) % game.seats, out)
        return True


class Selfish(Foreseeing):
    """Says of the own entry something else than of all."""

    def own_after(self, game, state, seat, move, room):
        return 0.125 if move < room[0] else np.nan


class Hasty(Foreseeing):
    """Says of the own entry more than of all."""

    def own_after(self, game, state, seat, move, room):
        return (max(0, state.left - move) * 3 % 10) / 20


class Narrow(Foreseeing):
    """Foresees other intervals."""

    def interval_after(self, game, state, seat, move, room, low, high):
        told = self.after(game, state, seat, move, room, low)
        for each in range(game.seats):
            high[each] = low[each]
        return told


class Partial(Foreseeing):
    """Leaves an entry unset."""

    def after(self, game, state, seat, move, room, out):
        if move >= room[0]:
            return False
        out[0] = out[1] = 0.0
        return True


class Wordless(Foreseeing):
    """Forgets to return anything."""

    def begin(self, game, state, seat, room):
        room[0] = state.left


class Meddling(Foreseeing):
    """Plays the move."""

    def after(self, game, state, seat, move, room, out):
        if move >= room[0]:
            return False
        self.share(game, np.int64(room[0]) - move, (seat + 1) % game.seats, out)
        state.taken[0] += 1
        return True


class Outside(Foreseeing):
    """Writes where its room ends."""

    def begin(self, game, state, seat, room):
        room[16 + state.left] = 1.0
        return False


class Choosing(km.Estimate):
    """The fewer sticks are left, the better for whoever moved last; the estimate finds the best move itself."""

    has_intervals = True

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = (32 - state.left) / 64 if seat == state.winner else 0.0

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        for seat in range(game.seats):
            high[seat] = 1.0

    def begin(self, game, state, seat, room):
        room[0] = state.left
        return True

    def after(self, game, state, seat, move, room, out):
        if move >= room[0]:
            return False
        for each in range(game.seats):
            out[each] = (32 - (state.left - move)) / 64 if each == seat else 0.0
        return True

    def interval_after(self, game, state, seat, move, room, low, high):
        if not self.after(game, state, seat, move, room, low):
            return False
        for each in range(game.seats):
            high[each] = 1.0
        return True

    def best_after(self, game, state, seat, room, out):
        if room[0] <= 3:
            return 0, 0
        out[0] = 3
        return 1, 3

    def grain(self, game):
        return 1 / 64


class Fearless(Choosing):
    """Finds the best move also where it ends the match."""

    def best_after(self, game, state, seat, room, out):
        out[0] = min(3, state.left)
        return 1, min(3, state.left)


class Modest(Choosing):
    """Finds another move than the best."""

    def best_after(self, game, state, seat, room, out):
        out[0] = 2
        return (0, 0) if room[0] <= 3 else (1, 3)


class Coarse(Choosing):
    """Says that values lie further apart than they do."""

    def grain(self, game):
        return 1 / 32


class Hopeful(Choosing):
    """The high end of an interval depends on the move."""

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        for seat in range(game.seats):
            high[seat] = 0.5 + low[seat] / 2

    def interval_after(self, game, state, seat, move, room, low, high):
        if not self.after(game, state, seat, move, room, low):
            return False
        for each in range(game.seats):
            high[each] = 0.5 + low[each] / 2
        return True


class Surprised(Hopeful):
    """Finds the best move, but cannot say what it brings; and says that the high ends depend on the move."""

    best_is_likeliest = False

    def after(self, game, state, seat, move, room, out):
        return move < 3 and super().after(game, state, seat, move, room, out)


class Touching(Foreseeing):
    """Says that a move changes nothing for the others, which it does."""

    changes_own_alone = True
