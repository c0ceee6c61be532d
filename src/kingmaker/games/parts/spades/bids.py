"""What tricks are worth at Spades: ten points each, or what was bid."""

import numpy as np

from kingmaker.core.game import OVER
from kingmaker.core.kernel import Constant
from kingmaker.games.parts.cards.position import numbers

NIL = 100  # points for a nil that was made, and the price of one that failed
BAGS = 10  # so many bags cost 100 points
UNBID = -1


class NoBids(Constant):
    """Nobody bids; every trick is worth ten points."""

    names = ()

    def fields(self):
        return []

    def begin(self, state):
        return

    def bidder(self, state):
        return OVER

    def listed(self, state, ranks, out):
        return 0

    def bid(self, state, seat, number):
        return

    def is_open(self, state, seat):
        """Has the seat not bid yet?"""
        return False

    def points(self, state, seat, tricks):
        """What a seat gets for so many tricks in the whole hand."""
        return 10 * tricks

    def hoped(self, state, seat, tricks):
        """What a seat may hope for if it expects so many tricks, which need not be a whole number."""
        return 10.0 * tricks

    def settle(self, state, seat):
        return

    def payoff(self, state, seat):
        return 10.0 * state.won[seat]

    def told(self, state, seat):
        return ""

    def words(self, state):
        return []

    def read(self, game, state, words):
        return

    def fault(self, game, state):
        return ""


class Bids(Constant):
    """Everybody bids in turn, openly. A seat that takes at least its bid gets ten points for each trick of the bid and
    one for each trick more, a bag; a seat that takes fewer loses ten points for each trick of the bid. A bid of nil
    wins or loses 100 points. Where bags count, each tenth bag of a match costs 100 points.
    """

    names = ("bids", "bags", "points")

    def __init__(self, nil, bags):
        self.nil, self.bags = nil, bags

    def fields(self):
        return [
            ("kept", np.int32, (4,)),  # bags of each seat, 0 to 9, before the hand and, when it is over, after it
            ("points", np.int16, (4,)),  # of the hand, when it is over
            ("bids", np.int8, (4,)),  # UNBID: none yet
        ]

    def begin(self, state):
        for seat in range(4):
            state.bids[seat] = UNBID

    def bidder(self, state):
        for seat in range(4):
            if state.bids[seat] == UNBID:
                return seat
        return OVER

    def listed(self, state, ranks, out):
        count, fewest = 0, 0 if self.nil else 1
        for bid in range(fewest, ranks + 1):
            out[count] = bid
            count += 1
        return count

    def bid(self, state, seat, number):
        state.bids[seat] = number

    def is_open(self, state, seat):
        return state.bids[seat] == UNBID

    def points(self, state, seat, tricks):
        bid = state.bids[seat]
        if bid == 0:
            return NIL if tricks == 0 else -NIL
        if tricks < bid:
            return -10 * bid
        over = tricks - bid
        return 10 * bid + over - (100 * ((state.kept[seat] + over) // BAGS) if self.bags else 0)

    def hoped(self, state, seat, tricks):
        bid = state.bids[seat]
        if bid == UNBID:
            return 10.0 * tricks
        if bid == 0:
            return NIL - 2.0 * NIL * min(1.0, tricks)
        if tricks < bid:
            return 20.0 * tricks - 10.0 * bid
        return 10.0 * bid + (tricks - bid)

    def settle(self, state, seat):
        """Count points and bags when the hand is over."""
        state.points[seat] = self.points(state, seat, state.won[seat])
        if self.bags and 0 < state.bids[seat] < state.won[seat]:
            state.kept[seat] = (state.kept[seat] + state.won[seat] - state.bids[seat]) % BAGS

    def payoff(self, state, seat):
        return float(state.points[seat])

    def told(self, state, seat):
        bid = state.bids[seat]
        bags = f", {state.kept[seat]} bags" if self.bags else ""
        return f" of {'nil' if bid == 0 else bid}{bags}" if bid != UNBID else bags

    def words(self, state):
        bids = ("-" if bid == UNBID else str(bid) for bid in state.bids.tolist())
        return [",".join(bids), *(",".join(map(str, row.tolist())) for row in (state.kept, state.points))]

    def read(self, game, state, words):
        told = words[0].replace("-", "99")
        state.bids[:] = [UNBID if bid == 99 else bid for bid in numbers(game, told, 99, "bids")]
        state.kept[:] = numbers(game, words[1], BAGS - 1, "bags")
        signs = [-1 if part.startswith("-") else 1 for part in words[2].split(",")]
        points = numbers(game, words[2].replace("-", ""), 200, "points")
        state.points[:] = [sign * number for sign, number in zip(signs, points)]

    def fault(self, game, state):
        """Why the bids cannot be, in words."""
        bids = state.bids.tolist()
        open_bids = bids.count(UNBID)
        if UNBID in bids[: 4 - open_bids] or (open_bids and (state.laid or state.tricks)):
            return "the seats bid in turn, before the first trick"
        for seat, bid in enumerate(bids):
            if not UNBID <= bid <= game.ranks or (bid == 0 and not self.nil):
                return f"seat {seat} cannot bid {bid}"
        if not all(0 <= bags < BAGS for bags in state.kept.tolist()):
            return "a seat has fewer than 0 or more than 9 bags"
        if state.tricks < game.ranks and any(state.points.tolist()):
            return "there are points before the hand is over"
        return ""
