"""Max-Prob: everyone plays to win, and nobody cares which of equally good moves it makes.

Each position has a vector of winning chances. The seat to move keeps every child in which its own chance is highest,
for it may play any of them, and the mean of their vectors is backed up: where MaxN bets on one tie-break, Max-Prob
averages over all. At the end of a match the payoff is the chance; where the search stops earlier, an estimate gives
each seat an interval for its final value and Eq. (1) (`parts/opponents/win_probability.py`) turns the intervals into
chances. With two seats and a win-or-lose game it is minimax. It assumes that the final values of the seats are
independent, and that winning is all that counts. Nothing can be pruned, for every tie matters.

    A. Hashavit, S. Markovitch. Max-Prob: An Unbiased Rational Decision Making Procedure for Multiple-Adversary
    Environments. IJCAI 2011.

As in the paper, of the best root moves the one whose position the estimate likes best for the root seat is played, and
of those a random one. Differs from the paper: chances within `tolerance` of the best count as equal to it, for rounding
would otherwise break ties (`core/rounding.py`); where payoffs are points and not chances, the seat with the most points
wins; chance nodes are averaged.
"""

from dataclasses import dataclass

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch, unknown
from kingmaker.core.estimate import Fair
from kingmaker.core.game import OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.rounding import TOLERANCE, Bounded, rounding_for
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.machinery.line import word
from kingmaker.search.parts.machinery.node import blend, depth_below, enter, keep, leave, listed, rolls, settled
from kingmaker.search.parts.opponents.win_chance import EvenChance, WinChance
from kingmaker.search.parts.opponents.win_probability import SEATS, TIES
from kingmaker.search.parts.switches.best_set import BestSet
from kingmaker.search.parts.switches.equivalents import equivalents_for
from kingmaker.search.parts.switches.last_ply import EveryPly, LastBestSet, LastSet
from kingmaker.search.parts.switches.order_at_random import AT_RANDOM
from kingmaker.search.parts.switches.transposition_table import EXACT


@kernel
def max_prob(game, estimate, switches, work, ply, depth):
    """Leave in work.values[ply] each seat's chance to win from work.states[ply]; the principal variation follows one of
    the best moves.
    """
    if settled(game, switches.chances, switches, work, ply, depth):
        return
    seat = game.mover(work.states[ply])
    if switches.table.known(game, switches, work, ply, depth, 0, seat, -np.inf, np.inf):
        return
    if switches.last.decides(game, switches.chances, switches, work, ply, depth, seat):
        return
    best = 0
    for i in range(listed(game, switches, work, ply, seat)):
        enter(game, switches, work, ply, seat, i)
        max_prob(game, estimate, switches, work, ply + 1, depth_below(game, seat, depth))
        if work.stop:
            return
        leave(game, switches, work, ply, i, True)
        if rolls(game, seat):
            blend(game, work, ply, i)
            continue
        switches.best.noted(game, work, ply, i)
        if i == 0 or switches.best.rounding.above(work.values[ply + 1, seat], work.values[ply, seat]):
            best = i
            keep(game, work, ply, seat, i)
    if not rolls(game, seat) and work.counts[ply] > 0:
        ties = switches.best.averaged(game, switches.best.rounding, work, ply, seat)
        if ply == 0 and ties > 1:
            switches.best.choose(game, estimate, switches, work, seat)
    switches.order.credit(work, ply, seat, best, depth)
    switches.table.store(game, work, ply, depth, EXACT)


class RootChoice(BestSet):
    """Chooses one of the best root moves by the estimate of its position; for that, the line of every root move is
    stored.
    """

    def __init__(self, tolerance, equivalents):
        self.rounding, self.equivalents = Bounded(tolerance / TOLERANCE), equivalents

    def fields(self, game, plies):
        return [
            *BestSet.fields(self, game, plies),
            ("root_lines", np.int64, (game.max_moves, plies)),
            ("root_lengths", np.int32, (game.max_moves,)),
        ]

    def noted(self, game, work, ply, i):
        self.remembered(game, work, ply, i)
        if ply == 0:
            work.root_lengths[i] = work.lengths[1]
            for j in range(work.lengths[1]):
                work.root_lines[i, j] = work.lines[1, j]

    def weight(self, work, ply, i):
        return self.equivalents.weight(work, ply, i)

    def choose(self, game, estimate, switches, work, seat):
        """Choose the best root move whose position has the highest estimate for `seat`; if there are several, draw one
        of them uniformly.
        """
        highest = self.highest(work, 0, seat)
        chosen, favourite, equals = 0, -np.inf, 0
        for i in range(work.counts[0]):
            if not self.rounding.reaches(work.children[0, i, seat], highest):
                continue
            work.states[1] = work.states[0]
            game.play(work.states[1], seat, work.moves[0, i])
            if game.mover(work.states[1]) == OVER:
                end(game, estimate, work.states[1], work.values[1])
            else:
                guess(game, estimate, work.states[1], work.values[1])
            liking = work.values[1, seat]
            if equals == 0 or switches.rounding.above(liking, favourite):
                chosen, favourite, equals = i, liking, 1
            elif switches.rounding.reaches(liking, favourite):
                equals += 1
                if below(work.rng, equals) == 0:
                    chosen = i
        work.lines[0, 0] = word(seat, work.moves[0, chosen])
        for j in range(work.root_lengths[chosen]):
            work.lines[0, j + 1] = work.root_lines[chosen, j]
        work.lengths[0] = work.root_lengths[chosen] + 1


@dataclass(frozen=True, kw_only=True)
class MaxProb(DepthFirst):
    """The best chance to win among players who break ties at random."""

    ties: str = "shared"  # shared (all seats tied for the highest value win in full) or split (they divide the win)
    tolerance: float = TOLERANCE  # chances that differ by no more are equal

    kernel = max_prob

    def __post_init__(self):
        super().__post_init__()
        if self.ties not in TIES:
            raise unknown("tie rule", str(self.ties), TIES, str(self))
        if not 0 <= self.tolerance < 1:
            raise BadParameter(f"expected a tolerance from 0 up to, not including, 1, got {self.tolerance!r} in {self}")

    def own_switches(self, game, estimate):
        if game.seats > SEATS:
            raise Mismatch(f"{self.name} cannot play {game} with {game.seats} seats, only with up to {SEATS}; use maxn")
        if not estimate.has_intervals and not isinstance(estimate, Fair):
            others = [f"estimate='{each}'" for each in game.estimates if each.has_intervals]
            way_out = (
                " or ".join(others)
                if others
                else "maxn, or give the estimate a method interval(game, state, low, high)"
            )
            raise Mismatch(f"{self.name} needs intervals, which {estimate} of {game} does not give; use {way_out}")
        kind = WinChance if estimate.has_intervals else EvenChance
        in_chances = game.facts.low >= 0 and game.facts.high <= 1
        return {
            "best": RootChoice(float(self.tolerance), self.equivalents(game, estimate)),
            "chances": kind(estimate, in_chances, self.ties == "split", rounding_for(game)),
        }

    def equivalents(self, game, estimate):
        """Only intervals are looked at below the root, and every mean counts each move."""
        return equivalents_for(game, estimate.bounds_equivalents_alike)

    def last_ply(self, game, estimate, own):
        if not estimate.foresees_intervals:
            return EveryPly()
        best = estimate.foresees_best and estimate.best_is_likeliest
        return LastBestSet() if best and self.order in ("given", *AT_RANDOM) else LastSet()

    def notes(self, game, work, found):
        if not found.depth:
            return {}
        mine = found.root_values[:, work.root]
        best = sorted(int(move) for move, chance in zip(found.moves, mine) if chance >= mine.max() - self.tolerance)
        return {
            "win_probabilities": {int(move): float(chance) for move, chance in zip(found.moves, mine)},
            "tie_set": best,
        }
