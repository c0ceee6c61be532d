"""A series: several hands of a game; the payoffs of all hands are added up.

It ends after a number of hands, or when the total of some seat, positive or negative, has reached a number of points.
The score is part of the state, so every search and every estimate sees who leads in the match and not only in the hand.
A new hand is a chance event whose outcomes cannot be listed: a search looks to the end of the hand, a match goes on.

    series(sticks, hands=6)      series(hearts, points=100)
"""

from dataclasses import replace

import numpy as np

from kingmaker.core.errors import BadParameter, BadPosition
from kingmaker.core.estimate import Estimate, Fair, own_estimate
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import RNG, below, mix
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.core.secrets import turn_text

SEATS = 16
MOST_HANDS = 10_000  # also for a series that ends by points
DEALS = 2**31 - 1  # a new hand is dealt from one of so many numbers


class Totals(Estimate):
    """The total of every seat so far, plus the estimate of the hand that is being played."""

    def __init__(self, estimate, facts, ceiling):
        """`facts` are those of a hand, and no seat can end the series with more than `ceiling`."""
        self.estimate = estimate
        self.within_bounds, self.within_total = estimate.within_bounds, estimate.within_total and facts.total >= 0
        self.rising, self.low, self.high, self.ceiling = bool(estimate.rising), facts.low, facts.high, ceiling
        ends = [ceiling] if self.rising else [facts.low, facts.high]
        self.has_intervals = estimate.has_intervals and bool(np.isfinite(ends).all())
        self.values_equivalents_alike = estimate.values_equivalents_alike
        self.bounds_equivalents_alike = estimate.bounds_equivalents_alike
        self.unit = estimate.unit if estimate.measures_value else "point"  # the unit of payoffs

    @property
    def name(self):
        return self.estimate.name

    def __str__(self):
        return str(self.estimate)

    def value(self, game, state, out):
        if game.is_hand_over(state):
            for seat in range(game.seats):
                out[seat] = state.totals[seat]
            return
        self.estimate.value(game.game, state.hand[0], out)
        for seat in range(game.seats):
            out[seat] += state.totals[seat]

    def enough(self, game, state, seat):
        return not game.is_hand_over(state) and self.estimate.enough(game.game, state.hand[0], seat)

    def against(self, game, state, seat, opponent, out):
        if game.is_hand_over(state):
            self.value(game, state, out)
            return
        self.estimate.against(game.game, state.hand[0], seat, opponent, out)
        for each in range(game.seats):
            out[each] += state.totals[each]

    def interval(self, game, state, low, high):
        """The totals plus the interval of this hand, and what the hands to come may add.

        Without them a small lead would look like a match that is won.
        """
        for seat in range(game.seats):
            low[seat] = high[seat] = 0.0
        if not game.is_hand_over(state):
            self.estimate.interval(game.game, state.hand[0], low, high)
        for seat in range(game.seats):
            low[seat] += state.totals[seat]
            high[seat] += state.totals[seat]
        if game.is_series_over(state):
            return
        for seat in range(game.seats):
            if self.rising:
                high[seat] = self.ceiling
            else:
                low[seat] = game.lowest(state, low[seat], self.low)
                high[seat] = game.highest(state, high[seat], self.high)


class AnyPayoff(Fair):
    """The estimate of a hand in a game without estimates: nothing is known but the bounds of its payoffs."""

    def __init__(self, facts, seats):
        super().__init__(facts, seats)
        self.low, self.high = facts.low, facts.high
        self.has_intervals = bool(np.isfinite([facts.low, facts.high]).all())

    def interval(self, game, state, low, high):
        for seat in range(game.seats):
            low[seat], high[seat] = self.low, self.high


class Forgetting(Constant):
    """Nothing is kept from one hand to the next."""

    def note(self, hand, room):
        return

    def carry(self, room, hand):
        return


class Keeping(Constant):
    """The field `kept` of a hand that is over is given to the next one before it starts."""

    def __init__(self, count):
        self.count = count

    def note(self, hand, room):
        for i in range(self.count):
            room[i] = hand.kept[i]

    def carry(self, room, hand):
        for i in range(self.count):
            hand.kept[i] = np.int64(room[i])


def keeping_of(game):
    """What a series of the game keeps: up to 16 whole numbers that the game's record calls `kept`, or nothing."""
    kind = game.State["kept"] if "kept" in (game.State.names or ()) else np.dtype(float)
    fits = kind.base.kind in "iu" and len(kind.shape) == 1 and kind.shape[0] <= SEATS
    return Keeping(kind.shape[0]) if fits else Forgetting()


class Series(Game):
    """Several hands of another game; the highest total wins."""

    def __init__(self, game: Game, hands: int | None = None, points: float | None = None):
        if (hands is None) == (points is None):
            got = "neither" if hands is None else "both"
            raise BadParameter(f"expected either hands or points in a series of {game}, got {got}")
        if hands is not None and not 1 <= hands <= MOST_HANDS:
            raise BadParameter(f"expected 1 to {MOST_HANDS} hands in a series, got {hands}")
        if points is not None and not 0 < points < np.inf:
            raise BadParameter(f"expected a positive number of points in a series, got {points}")
        if not game.has_records:
            raise BadParameter(f"expected a game whose states are records in a series, got {game}")
        self.game, self.hands, self.points = game, hands, points
        self.most_hands, self.enough_points = hands or MOST_HANDS, points or np.inf
        self.seats, self.max_moves, self.max_outcomes = game.seats, game.max_moves, max(1, game.max_outcomes)
        self.keeping = keeping_of(game)
        self.blank_hand = np.zeros(1, game.State)
        self.__dict__["State"] = np.dtype(
            [
                ("hand", game.State, (1,)),
                ("luck", RNG, (1,)),  # the random stream from which the hand was dealt
                ("totals", np.float64, (game.seats,)),
                ("hands", np.int32),  # number of finished hands
            ],
            align=True,
        )
        self.facts = facts_of(game.facts, hands)
        estimates = game.estimates or (AnyPayoff(game.facts, game.seats),)
        self.estimates = tuple(Totals(estimate, game.facts, self.ceiling) for estimate in estimates)

    @property
    def ceiling(self):
        """The highest total that a seat may end with."""
        return min(self.facts.high, max(0.0, self.game.facts.high) + self.enough_points)

    @property
    def for_people(self):
        return {}

    def estimate(self, text=""):
        """An estimate of the hand, whose parameters may be given, with the totals added; or one in a file of one's own,
        which is written for the series.
        """
        if not text or not self.game.estimates or own_estimate(text) is not None:
            return super().estimate(text)
        return Totals(self.game.estimate(text), self.game.facts, self.ceiling)

    def start(self, state, rng):
        self.game.start(state.hand[0], rng)
        self.count(state)

    def is_hand_over(self, state):
        return self.game.mover(state.hand[0]) == OVER

    def is_series_over(self, state):
        """Have all hands been played, or has a seat reached the points, up to rounding?"""
        for seat in range(self.seats):
            if abs(state.totals[seat]) >= self.enough_points * (1.0 - 1e-12):
                return True
        return state.hands >= self.most_hands

    def hands_to_come(self, state):
        """The hands after the one that is being played, in a series that ends after a number of hands."""
        return self.most_hands - state.hands - (0 if self.is_hand_over(state) else 1)

    def lowest(self, state, total, worst):
        """The lowest total that a seat may end with if it has `total` after this hand and each hand gives it at least
        `worst`.
        """
        if self.enough_points < np.inf:
            return min(total, worst - self.enough_points) if worst < 0.0 else total
        return total + self.hands_to_come(state) * worst

    def highest(self, state, total, best):
        """The highest total that a seat may end with if it has `total` after this hand and each hand gives it at most
        `best`.
        """
        if self.enough_points < np.inf:
            return max(total, best + self.enough_points) if best > 0.0 else total
        return total + self.hands_to_come(state) * best

    def mover(self, state):
        seat = self.game.mover(state.hand[0])
        if seat != OVER:
            return seat
        return OVER if self.is_series_over(state) else CHANCE

    def count(self, state):
        """Add a hand that is over to the totals."""
        if self.is_hand_over(state):
            reached = scratch_floats(SEATS)
            for seat in range(self.seats):
                reached[seat] = 0.0
            self.game.payoff(state.hand[0], reached)
            for seat in range(self.seats):
                state.totals[seat] += reached[seat]
            state.hands += 1

    def moves(self, state, seat, out):
        return self.game.moves(state.hand[0], seat, out)

    def equivalent(self, state, seat, move):
        return self.game.equivalent(state.hand[0], seat, move)

    def can_list(self, state):
        return not self.is_hand_over(state) and self.game.can_list(state.hand[0])

    def outcomes(self, state, out, odds):
        return self.game.outcomes(state.hand[0], out, odds)

    def roll(self, state, rng):
        return below(rng, DEALS) if self.is_hand_over(state) else self.game.roll(state.hand[0], rng)

    def play(self, state, seat, move):
        if self.is_hand_over(state):
            kept = scratch(SEATS)
            self.keeping.note(state.hand[0], kept)
            state.hand[0] = self.blank_hand[0]
            self.keeping.carry(kept, state.hand[0])
            state.luck[0].word = mix(np.uint64(move))
            self.game.start(state.hand[0], state.luck[0])
        else:
            self.game.play(state.hand[0], seat, move)
        self.count(state)

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = state.totals[seat]

    def quiet(self, state):
        return self.is_hand_over(state) or self.game.quiet(state.hand[0])

    def active(self, state, seat):
        return self.game.active(state.hand[0], seat)

    def redeal(self, state, seat, rng):
        self.game.redeal(state.hand[0], seat, rng)
        state.luck[0].word = np.uint64(0)  # no seat may know from which stream the hand was dealt

    def is_secret(self, state, seat):
        if self.is_hand_over(state):
            return self.facts.hidden  # the number of a deal tells all its cards
        return self.game.is_secret(state.hand[0], seat)

    def trick_rank(self, state, seat, move):
        return self.game.trick_rank(state.hand[0], seat, move)

    def turn_to(self, state, seat):
        self.game.turn_to(state.hand[0], seat)

    def step(self, state, joint):
        self.game.step(state.hand[0], joint)
        self.count(state)

    def acting(self, state):
        return self.game.acting(state.hand[0])

    def admits(self, state):
        return (
            0 <= state.hands <= self.most_hands
            and bool(np.isfinite(state.totals).all())
            and self.game.admits(state.hand[0])
        )

    def show(self, state, seat=None):
        hand = self.game.show(state.hand[0], seat) if self.facts.hidden else self.game.show(state.hand[0])
        totals = "  ".join(f"{total:g}" for total in state.totals)
        return f"{hand}\nafter {state.hands} hands: {totals}"

    def say(self, state, seat, move):
        if seat == CHANCE and self.is_hand_over(state):
            return f"deal {move}"
        return self.game.say(state.hand[0], seat, move)

    def tell(self, state, seat, move, eyes):
        if self.is_hand_over(state):
            return "a new hand is dealt"
        text = turn_text(self.game, state.hand[0], seat, move, eyes)
        return text if seat != CHANCE or hasattr(self.game, "tell") else f"the dice: {text}"

    def notation(self, state):
        totals = ",".join(repr(float(total)) for total in state.totals)
        return f"{state.hands} {totals} {int(state.luck[0].word)} {self.game.notation(state.hand[0])}"

    def position(self, text):
        parts = text.split(" ", 3)
        state = self.blank()
        try:
            state.hands, state.luck[0].word = int(parts[0]), np.uint64(int(parts[2]))
            totals = [float(total) for total in parts[1].split(",")]
            if len(totals) != self.seats:
                raise ValueError(f"expected {self.seats} totals")
            state.totals[:] = totals
        except (ValueError, IndexError, OverflowError) as fault:
            raise BadPosition(f"expected 'HANDS TOTAL,TOTAL,… LUCK POSITION' for {self}, got '{text}'") from fault
        state.hand[0] = self.game.position(parts[3])
        if not self.admits(state):
            raise BadPosition(f"the hands or totals of '{text}' cannot occur in {self}")
        return state


def facts_of(facts, hands):
    """The facts of a series: bounds grow with the number of hands; if that number is open, there are no bounds."""
    most = float(hands) if hands else np.inf

    def times(bound):
        return 0.0 if bound == 0 else bound * most

    return replace(
        facts,
        chance=True,
        single_winner=False,
        low=min(facts.low, times(facts.low)),
        high=max(facts.high, times(facts.high)),
        total=times(facts.total) if facts.constant_sum else max(facts.total, times(facts.total)),
        constant_sum=facts.constant_sum and (hands is not None or facts.total == 0),
    )
