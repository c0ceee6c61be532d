"""Plackett-Luce: one strength an agent, and the chance to come first is its part of the strengths at the table.

The log strength of agent a on seat s is rating[a] + seat[s]; both are estimated together, so that a good seat is not taken for a
good agent. Whoever comes first is a choice among all; where whole orders count, the second is a choice among the rest, and so
on. Those who share a place share that choice.

    R. Plackett. The Analysis of Permutations. Applied Statistics 24, 1975. D. Hunter. MM Algorithms for Generalized Bradley-Terry Models.
    Annals of Statistics 32, 2004.

Ratings assume that strength is one number. Games in which somebody else decides who wins break that, so the table of
line-ups belongs beside it.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

PRIOR = 1e-3  # weight of one drawn game against an average agent: keeps the rating of one who never lost finite
STEPS = 60


@dataclass(frozen=True)
class Ratings:
    """Log strengths with mean 0; `elo` gives the usual scale."""

    agents: np.ndarray  # [agent]
    agent_errors: np.ndarray
    seats: np.ndarray  # [seat]
    seat_errors: np.ndarray
    covariance: np.ndarray  # of the agents' ratings

    @property
    def elo(self) -> np.ndarray:
        return self.agents * 400 / math.log(10)

    @property
    def elo_errors(self) -> np.ndarray:
        return self.agent_errors * 400 / math.log(10)


def plackett_luce(
    seatings: Any, payoffs: Any, *, agents: int, kinds: Any = None, counts: Any = None, blocks: Any = None, orders: bool = False
) -> Ratings:
    """Rate the agents of matches with seatings[match, seat] and payoffs[match, seat].

    Where many matches are alike, the two hold one row a kind and `kinds[match]` says which; `counts` says how often each match occurred.
    `blocks[match]` names what is independent, and then the errors are those of the sandwich formula over blocks. `orders` rates by
    whole orders, not by first places alone.
    """
    seatings, places = np.asarray(seatings, int), placed(np.asarray(payoffs, float), orders)
    seats = seatings.shape[1]
    distinct, at = np.unique(np.hstack([seatings, places]) @ mixing(seats, agents), return_inverse=True)
    first = np.zeros(len(distinct), int)
    first[at] = np.arange(len(seatings))
    at = at if kinds is None else at[np.asarray(kinds)]
    matches = len(at)
    counts = np.ones(matches) if counts is None else np.asarray(counts, float)
    weights = np.bincount(at, counts, len(distinct))
    values = np.zeros(agents + seats)
    for _ in range(STEPS):
        slope, curve, scores = derivatives(seatings[first], places[first], weights, values, agents)
        step = np.linalg.solve(curve, slope)
        if np.abs(step).max() < 1e-10:
            break
        values += step * min(1.0, 2.0 / np.abs(step).max())
    inverse = np.linalg.inv(curve)
    if blocks is not None and matches:
        names, block = np.unique(np.asarray(blocks), return_inverse=True)
        sums = np.column_stack([np.bincount(block, column[at] * counts, len(names)) for column in scores.T])
        inverse = inverse @ (sums.T @ sums) @ inverse * (len(names) / max(1, len(names) - 1))
    centred = centring(agents, seats)
    covariance = centred @ inverse @ centred.T
    errors = np.sqrt(np.maximum(0.0, np.diag(covariance)))
    values = centred @ values
    return Ratings(values[:agents], errors[:agents], values[agents:], errors[agents:], covariance[:agents, :agents])


def placed(payoffs: np.ndarray, orders: bool) -> np.ndarray:
    """The place of every seat, 0 the best; without `orders` all others have place 1."""
    if not orders:
        return np.asarray(payoffs < payoffs.max(axis=1, keepdims=True), int)
    return np.asarray((payoffs[:, None, :] > payoffs[:, :, None]).sum(axis=2), int)


def mixing(seats: int, agents: int) -> np.ndarray:
    """Factors that turn seating and places of a match into one whole number, a different one for each kind of match."""
    radix = [agents] * seats + [seats] * seats
    factors = [math.prod(radix[:i]) for i in range(len(radix))]
    odd = 0x9E3779B97F4A7C15 if factors[-1] * radix[-1] >= 2**63 else 1  # beyond 63 bits: scrambled, so that kinds still differ
    return np.array([(factor if odd == 1 else pow(odd, i + 1, 2**64)) % 2**63 for i, factor in enumerate(factors)], np.int64)


def centring(agents: int, seats: int) -> np.ndarray:
    """Takes the mean off the agents' values and off the seats'."""
    centred = np.zeros((agents + seats, agents + seats))
    centred[:agents, :agents] = np.eye(agents) - 1 / agents
    centred[agents:, agents:] = np.eye(seats) - 1 / seats
    return centred


def derivatives(
    seatings: np.ndarray, places: np.ndarray, weights: np.ndarray, values: np.ndarray, agents: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Slope of the log likelihood, minus its curvature, and the slope of each match alone."""
    matches, seats = seatings.shape
    size = agents + seats
    shape = (matches, seats, size)
    features = np.zeros(shape)  # which ratings make up the strength of a seat
    np.put_along_axis(features, seatings[:, :, None], 1.0, axis=2)
    features[:, np.arange(seats), agents + np.arange(seats)] = 1.0
    strength = np.exp(values[seatings] + values[agents:])
    scores, curve = np.zeros((matches, size)), PRIOR * np.eye(size)
    left = np.ones(seatings.shape, bool)
    for place in range(int(places.max(initial=0))):
        first = left & (places == place)
        choice = (first.any(axis=1) & (first.sum(axis=1) < left.sum(axis=1)))[:, None]
        share = np.where(left, strength, 0.0)
        share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
        chosen = first / np.maximum(1, first.sum(axis=1, keepdims=True))
        scores += np.einsum("ms,msf->mf", (chosen - share) * choice, features)
        mean = np.einsum("ms,msf->mf", share, features)
        heavy = weights * choice[:, 0]
        curve += np.einsum("ms,msf,msg->fg", share * heavy[:, None], features, features, optimize=True)
        curve -= mean.T @ (mean * heavy[:, None])
        left &= ~first
    return scores.T @ weights - PRIOR * values, curve, scores
