"""Tests that may be looked at while they run.

The generalised sequential probability ratio test compares two hypotheses about the mean block score of one agent and stops as soon
as one is clearly better. The scale of the bounds must be named, for the same numbers mean different things on each:

- `share`: the mean block score itself; parity at n seats is 1/n;
- `elo`: the logistic scale, `share = 10^(e/400) / (10^(e/400) + n - 1)` against n - 1 equals; at two seats the usual Elo;
- `effect`: (share - 1/n) over the standard deviation of a block score;
- `nelo`: normalised Elo, `effect · 800 / (ln 10 · √2)` for blocks of two games.

    A. Wald. Sequential Tests of Statistical Hypotheses. 1945. M. Van den Bergh. The Generalized Sequential Probability Ratio Test.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter

SCALES = ("share", "elo", "effect", "nelo")
NELO = 800 / (math.log(10) * math.sqrt(2))


def wald_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Below the first the null is taken, above the second the alternative."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def elo_share(elo: float, seats: int = 2) -> float:
    """The share of one agent that is so many Elo above n - 1 equals."""
    strength = 10 ** (elo / 400)
    return float(strength / (strength + seats - 1))


def share_elo(share: float, seats: int = 2) -> float:
    """Its inverse."""
    return 400 * math.log10(share * (seats - 1) / (1 - share))


@dataclass(frozen=True)
class Verdict:
    """Where a sequential test stands."""

    llr: float
    low: float
    high: float

    @property
    def answer(self) -> str:
        return "alternative" if self.llr >= self.high else "null" if self.llr <= self.low else "open"


def gsprt(
    mean: float,
    variance: float,
    blocks: int,
    bounds: tuple[float, float],
    *,
    scale: str,
    seats: int = 2,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Verdict:
    """The log likelihood ratio of the two bounds for blocks with this mean and variance of their scores.

    On `share` and `elo` the Gaussian form with the measured variance; on `effect` and `nelo` the variance is unknown under both
    hypotheses and the ratio takes the exact form of Van den Bergh.
    """
    if scale not in SCALES:
        raise BadParameter(f"expected a scale of {', '.join(SCALES)}, got '{scale}'; the same bounds mean different things on each")
    low, high = wald_bounds(alpha, beta)
    if blocks < 2 or variance <= 0:
        return Verdict(0.0, low, high)
    first, second = bounds
    if scale in ("share", "elo"):
        if scale == "elo":
            first, second = elo_share(first, seats), elo_share(second, seats)
        return Verdict(blocks * (second - first) * (2 * mean - first - second) / (2 * variance), low, high)
    if scale == "nelo":
        first, second = first / NELO, second / NELO
    effect = (mean - 1 / seats) / math.sqrt(variance)
    return Verdict(blocks / 2 * math.log((1 + (effect - first) ** 2) / (1 + (effect - second) ** 2)), low, high)


def moments(scores: Any, counts: Any = None) -> tuple[float, float, int]:
    """Mean, variance and number of block scores, given one by one or as values with their counts."""
    scores = np.asarray(scores, float)
    counts = np.ones(len(scores)) if counts is None else np.asarray(counts, float)
    total = counts.sum()
    if not total:
        return 0.0, 0.0, 0
    mean = float(scores @ counts / total)
    return mean, float((scores - mean) ** 2 @ counts / total), int(total)


def anytime(scores: Any, alpha: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """Intervals after each block that hold the true mean at all times at once with chance 1 - alpha, for scores between 0 and 1.

    One may look after every block and stop whenever one likes. The price is about twice the width.

        I. Waudby-Smith, A. Ramdas. Estimating Means of Bounded Random Variables by Betting. JRSS B 86, 2024 (theorem 2).
    """
    scores = np.asarray(scores, float)
    if len(scores) and not (scores.min() >= 0 and scores.max() <= 1):
        raise BadParameter(f"expected block scores from 0 to 1, got {scores.min():g} to {scores.max():g}")
    time = np.arange(1, len(scores) + 1)
    means = (0.5 + np.cumsum(scores)) / (time + 1)
    variances = (0.25 + np.cumsum((scores - means) ** 2)) / (time + 1)
    before_mean, before_variance = np.r_[0.5, means[:-1]], np.r_[0.25, variances[:-1]]
    bets = np.minimum(0.5, np.sqrt(2 * math.log(2 / alpha) / (before_variance * time * np.log(1 + time))))
    cost = (-np.log(1 - bets) - bets) * (scores - before_mean) ** 2
    total = np.cumsum(bets)
    centre, half = np.cumsum(bets * scores) / total, (math.log(2 / alpha) + np.cumsum(cost)) / total
    return np.maximum.accumulate(np.clip(centre - half, 0, 1)), np.minimum.accumulate(np.clip(centre + half, 0, 1))
