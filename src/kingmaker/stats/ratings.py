"""The Plackett-Luce model: every agent has one strength, and its probability to come first is its strength divided by
the sum of the strengths at the table.

The log strength of agent a on seat s is rating[a] + seat[s]; both are estimated together, so that a good seat is not
taken for a good agent. The first place is a random choice among all seats; if whole orders count, the second place is a
choice among the rest, and so on. Agents with the same place share that choice. If the agents did not change seats,
ratings and seat effects cannot be told apart, and no seat effect is estimated.

    R. Plackett. The Analysis of Permutations. Applied Statistics 24, 1975. D. Hunter. MM Algorithms for Generalized
    Bradley-Terry Models. Annals of Statistics 32, 2004.

Agents have finite ratings if there is a chain of wins from each agent to each other one. An agent, or a group of
agents, that never won against the rest has no finite rating, and a bound is given instead (`tiers`): the rating at
which no win at all would lie just inside the confidence interval.

Ratings assume that strength is one number. Games in which a third player decides who wins do not fit this assumption,
so ratings should be read together with the table of line-ups.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.stats.blocks import interval
from kingmaker.stats.places import places

# weight of one drawn game against an average agent: keeps ratings finite that would be infinite through seat effects
PRIOR = 1e-3
STEPS = 60
FAR = 40.0  # log strengths are cut off here
NONE, BELOW, ABOVE, UNKNOWN = "", "<", ">", "?"
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Ratings:
    """Log strengths; the mean of all ratings that are not bounds is 0. `elo` gives the usual scale."""

    agents: np.ndarray  # [agent]
    agent_errors: np.ndarray
    agent_bounds: list[str]  # "<": the rating is below this, ">": above, "?": nothing is known, "": it is a rating
    seats: np.ndarray  # [seat]; empty if no seat effect was estimated
    seat_errors: np.ndarray
    seat_bounds: list[str]
    covariance: np.ndarray  # of the agents' ratings

    @property
    def elo(self) -> np.ndarray:
        return self.agents * ELO

    @property
    def elo_errors(self) -> np.ndarray:
        return self.agent_errors * ELO


def plackett_luce(
    seatings: Any,
    payoffs: Any,
    *,
    agents: int,
    kinds: Any = None,
    counts: Any = None,
    blocks: Any = None,
    orders: bool = False,
) -> Ratings:
    """Rate the agents of matches with seatings[match, seat] and payoffs[match, seat].

    If many matches are equal, both arrays hold one row for each kind of match, and `kinds[match]` is the row of a
    match; `counts` says how often each match occurred. `blocks[match]` is the number of the match's block; if it is
    given, the standard errors are those of the sandwich formula over blocks. With `orders`, whole orders are rated, not
    first places alone.
    """
    seatings, placed = np.asarray(seatings, int), places(np.asarray(payoffs, float), orders)
    at = np.arange(len(seatings)) if kinds is None else np.asarray(kinds)
    counts = np.ones(len(at)) if counts is None else np.asarray(counts, float)
    block = np.arange(len(at)) if blocks is None else np.unique(np.asarray(blocks), return_inverse=True)[1]
    weights = np.bincount(at, counts, len(seatings))
    seats = seatings.shape[1]
    chairs = np.broadcast_to(np.arange(seats), seatings.shape)
    bounds = tiers(seatings, placed, weights, agents, np.ones(seatings.shape, bool))
    known = np.array([bound == NONE for bound in bounds])
    seat_bounds = tiers(chairs, placed, weights, seats, known[seatings])
    data = Choices(seatings, placed, weights, agents, known)
    seated = data.tells_seats()
    values = np.zeros(agents + seats)
    for _ in range(STEPS):
        slope, curve, slopes = data.derivatives(values)
        slope[agents:] *= seated
        curve[agents:, :agents] *= seated
        curve[:agents, agents:] *= seated
        step = np.linalg.solve(curve, slope)
        if np.abs(step).max() < 1e-10:
            break
        values += step * min(1.0, 2.0 / np.abs(step).max())
    slopes[:, agents:] *= seated
    inverse = np.linalg.inv(curve)
    covariance = inverse if blocks is None else sandwich(inverse, slopes, at, counts, block)
    centred = centring(known, seats)
    covariance = centred @ covariance @ centred.T
    errors = np.sqrt(np.maximum(0.0, np.diag(covariance)))
    values = centred @ values
    strength = (
        np.exp(np.clip(values[seatings], -FAR, FAR)),
        np.exp(np.clip(values[agents:], -FAR, FAR)) * np.ones(seatings.shape),
    )
    spread = {"at": at, "counts": counts, "block": block}
    for number, bound in enumerate(bounds):
        if bound != NONE:
            values[number] = limit(data, strength[0], strength[1], seatings == number, bound, **spread)
    for seat, bound in enumerate(seat_bounds if seated else ()):
        if bound != NONE:
            values[agents + seat] = limit(data, strength[1], strength[0], chairs == seat, bound, **spread)
    bounds = [UNKNOWN if math.isnan(value) else bound for value, bound in zip(values[:agents], bounds, strict=True)]
    seat_bounds = [
        UNKNOWN if math.isnan(value) else bound for value, bound in zip(values[agents:], seat_bounds, strict=True)
    ]
    alone = known.sum() == 1  # the only agent with a rating is the origin of the scale and has no error
    errors[[bound != NONE or alone for bound in bounds] + [bound != NONE for bound in seat_bounds]] = math.nan
    last = agents + seats * seated
    return Ratings(
        values[:agents],
        errors[:agents],
        bounds,
        values[agents:last],
        errors[agents:last],
        seat_bounds if seated else [],
        covariance[:agents, :agents],
    )


def tiers(things: np.ndarray, placed: np.ndarray, weights: np.ndarray, count: int, present: np.ndarray) -> list[str]:
    """For every agent, or every seat: can its strength be estimated, or is only a bound known?

    `things[match, seat]` are the numbers of agents or seats, `present` says which of them to use. Two belong to one
    group if there are chains of wins from each to the other. All others are above or below the largest group, or were
    never compared with it.
    """
    beaten = np.eye(count, dtype=bool)  # [winner, loser]; two with the same place have beaten each other
    for row, place, there in zip(things[weights > 0], placed[weights > 0], present[weights > 0], strict=True):
        better = (place[:, None] <= place[None, :]) & there[:, None] & there[None, :]
        met = (place[:, None] == 0) | (place[:, None] < place[None, :])  # without orders, losers are not compared
        winner, loser = np.nonzero(better & met)
        beaten[row[winner], row[loser]] = True
    for middle in range(count):
        beaten |= beaten[:, middle : middle + 1] & beaten[middle]
    together = beaten & beaten.T
    main = together[int(np.argmax(together.sum(axis=1)))]
    first = int(np.argmax(main))
    return [
        NONE if main[each] else ABOVE if beaten[each, first] else BELOW if beaten[first, each] else UNKNOWN
        for each in range(count)
    ]


def limit(
    data: "Choices",
    theirs: np.ndarray,
    beside: np.ndarray,
    mine: np.ndarray,
    bound: str,
    *,
    at: np.ndarray,
    counts: np.ndarray,
    block: np.ndarray,
) -> float:
    """The rating at which an agent that never won, or always won, lies just inside the confidence interval over blocks.

    `mine[match, seat]` says where it sat, `theirs` and `beside` are the strengths of agents and of seats; to rate a
    seat, the two are exchanged. The agent is compared only with agents whose ratings are known.
    """
    others = data.known[data.seatings] & ~mine
    told = mine.any(axis=1) & others.any(axis=1) & ((data.placed == 0) & (mine | others)).any(axis=1)
    weight = data.weights * told
    blocks = len(np.unique(block[told[at] & (counts > 0)]))
    if bound == UNKNOWN or blocks < 2:
        return math.nan
    low, high = interval(np.full(blocks, float(bound == ABOVE)))
    aim = (low if bound == ABOVE else high) * weight.sum()
    rest = np.where(others, theirs * beside, 0.0).sum(axis=1)
    own = np.where(mine, beside, 0.0).sum(axis=1)
    below, above = -FAR, FAR
    for _ in range(60):
        rating = (below + above) / 2
        part = math.exp(rating) * own
        below, above = (rating, above) if (part / (part + rest)) @ weight < aim else (below, rating)
    return rating


def sandwich(
    inverse: np.ndarray, slopes: np.ndarray, at: np.ndarray, counts: np.ndarray, block: np.ndarray
) -> np.ndarray:
    """The covariance of the estimated ratings by the sandwich formula over blocks.

    If all blocks are equal, their variance cannot be estimated, and each block counts as one match.
    """
    blocks, size = int(block.max(initial=-1)) + 1, len(inverse)
    if blocks < 2:
        return np.full((size, size), math.nan)
    sums = np.column_stack([np.bincount(block, column[at] * counts, blocks) for column in slopes.T])
    sums -= sums.mean(axis=0)  # because of the prior the mean is not zero
    found = inverse @ (sums.T @ sums) @ inverse * (blocks / (blocks - 1))
    plain = inverse * (counts.sum() / blocks)
    alike = np.abs(sums).max() < 1e-9 * counts.max(initial=1.0)
    return np.asarray(plain if alike else found)


def centring(known: np.ndarray, seats: int) -> np.ndarray:
    """The matrix that subtracts the mean of the known ratings from all agents' values, and the mean of the seats from
    theirs.
    """
    agents = len(known)
    centred = np.eye(agents + seats)
    centred[:agents, :agents] -= known / max(1, known.sum())
    centred[agents:, agents:] -= 1 / seats
    return centred


class Choices:
    """The matches as choices: which agent was chosen for a place, and among which others; agents whose rating is a
    bound are left out.
    """

    def __init__(
        self, seatings: np.ndarray, placed: np.ndarray, weights: np.ndarray, agents: int, known: np.ndarray
    ) -> None:
        self.seatings, self.placed, self.weights, self.agents, self.known = seatings, placed, weights, agents, known
        matches, seats = seatings.shape
        self.features = np.zeros((matches, seats, agents + seats))  # which ratings make up the strength of a seat
        np.put_along_axis(self.features, seatings[:, :, None], 1.0, axis=2)
        self.features[:, np.arange(seats), agents + np.arange(seats)] = 1.0

    def tells_seats(self) -> bool:
        """Did the agents change seats, so that both effects can be told apart?"""
        curve = self.derivatives(np.zeros(self.features.shape[2]))[1] - PRIOR * np.eye(self.features.shape[2])
        seats = self.seatings.shape[1]
        rank = np.linalg.matrix_rank(curve, tol=1e-6 * max(1.0, float(np.abs(curve).max())))
        return bool(rank >= self.known.sum() - 1 + seats - 1)

    def derivatives(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The gradient of the log likelihood, its negative Hessian matrix, and the gradient of each match alone."""
        features, size = self.features, self.features.shape[2]
        strength = np.exp(np.clip(values[self.seatings] + values[self.agents :], -FAR, FAR))
        slopes, curve = np.zeros((len(features), size)), PRIOR * np.eye(size)
        left = self.known[self.seatings]
        for place in range(int(self.placed.max(initial=0))):
            first = left & (self.placed == place)
            choice = (first.any(axis=1) & (first.sum(axis=1) < left.sum(axis=1)))[:, None]
            share = np.where(left, strength, 0.0)
            share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
            chosen = first / np.maximum(1, first.sum(axis=1, keepdims=True))
            slopes += np.einsum("ms,msf->mf", (chosen - share) * choice, features)
            mean = np.einsum("ms,msf->mf", share, features)
            heavy = self.weights * choice[:, 0]
            curve += np.einsum("ms,msf,msg->fg", share * heavy[:, None], features, features, optimize=True)
            curve -= mean.T @ (mean * heavy[:, None])
            left &= ~first
        return slopes.T @ self.weights - PRIOR * values, curve, slopes
