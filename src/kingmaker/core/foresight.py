"""Foresight: an estimate computes the value of the position after a move without playing the move.

Nearly all of a search is spent at its last ply, on positions that are looked at for one number and forgotten. An
estimate that knows what a move changes computes that number from the position before, and nothing is copied or
played.
"""

import math
from typing import Any

from kingmaker.core.kernel import Constant
from kingmaker.core.scratch import scratch_floats

SEATS = 16  # the most seats for which foresight is used; with more, every move is played
ROOM = 16  # how many numbers an estimate may note for a position


class Foresight(Constant):
    """The part of an estimate that is asked at the last ply. An estimate that writes `after` has foresight."""

    best_is_likeliest: bool = True  # the moves that `best_after` lists have the best chance to win, by the intervals
    changes_own_alone: bool = False  # a move that does not end the match changes no entry but that of the mover

    def begin(self, game: Any, state: Any, seat: int, room: Any) -> bool:
        """Note in `room`, an array of 16 numbers, what does not depend on the move that `seat` will play; return False
        where no move can be foreseen.
        """
        return True

    def after(self, game: Any, state: Any, seat: int, move: int, room: Any, out: Any) -> bool:
        """Write what `value` would write once `seat` has played `move`, to the last bit. Return False where that cannot
        be said, and wherever the move ends the match: then it is played.
        """
        return False

    def own_after(self, game: Any, state: Any, seat: int, move: int, room: Any) -> float:
        """The entry of `seat` alone that `after` would write, or nan where `after` would return False."""
        out = scratch_floats(SEATS)
        return out[seat] if self.after(game, state, seat, move, room, out) else math.nan

    def interval_after(self, game: Any, state: Any, seat: int, move: int, room: Any, low: Any, high: Any) -> bool:
        """Write what `interval` would write once `seat` has played `move`, under the conditions of `after`."""
        return False

    def best_after(self, game: Any, state: Any, seat: int, room: Any, out: Any) -> tuple[int, int]:
        """List in `out` the moves after which the entry of `seat` is highest, in the order of `moves`; return how many
        these are, and how many moves there are in all. Return (0, 0) where that cannot be said, and wherever a move may
        end the match. If `best_is_likeliest`, the low end of the interval of `seat` rises with its entry, and nothing
        else of the intervals depends on the move.
        """
        return 0, 0

    def grain(self, game: Any) -> float:
        """Two entries of a seat that differ do so by at least this much; asked where there is `best_after`."""
        return 0.0

    @property
    def has_foresight(self) -> bool:
        """Does the estimate define `after`?"""
        return type(self).after is not Foresight.after

    @property
    def foresees_intervals(self) -> bool:
        """Does the estimate define `interval_after` too?"""
        return self.has_foresight and type(self).interval_after is not Foresight.interval_after

    @property
    def foresees_best(self) -> bool:
        """Does the estimate define `best_after` too?"""
        return self.has_foresight and type(self).best_after is not Foresight.best_after
