"""Sequential tests, whose result may be looked at while matches are still played.

The generalised sequential probability ratio test compares two hypotheses about the mean block score of one agent and
stops as soon as one of them is clearly better. The scale of the bounds must be named, because the same numbers mean
different things on each scale:

- `share`: the mean block score itself; parity at n seats is 1/n;
- `elo`: the logistic scale, `share = 10^(e/400) / (10^(e/400) + n - 1)` against n - 1 agents of equal strength; at two
  seats the usual Elo;
- `effect`: (share - 1/n) over the standard deviation of a block score;
- `nelo`: normalised Elo, `effect · 800 / (ln 10 · √2)` for blocks of two games.

    A. Wald. Sequential Tests of Statistical Hypotheses. 1945. M. Van den Bergh. The Generalized Sequential
    Probability Ratio Test.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter

SCALES = ("share", "elo", "effect", "nelo")
NELO = 800 / (math.log(10) * math.sqrt(2))
CARE = 0.8  # with this factor, error rates in simulations stay at or below alpha and beta (test_sequential.py)


def wald_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """The two bounds of the log likelihood ratio: below the first the null is accepted, above the second the
    alternative.
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def elo_share(elo: float, seats: int = 2) -> float:
    """The share of an agent that is rated so many Elo above n - 1 agents of equal strength."""
    strength = 10 ** (elo / 400)
    return float(strength / (strength + seats - 1))


@dataclass(frozen=True)
class Verdict:
    """The state of a sequential test: the log likelihood ratio and its two bounds."""

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

    The variance is unknown under both hypotheses, and the ratio has the exact form of Van den Bergh for normally
    distributed scores. Scores of few or skewed blocks are not normal, so Wald's bounds are computed for somewhat
    smaller error rates than `alpha` and `beta` (`CARE`).
    """
    if scale not in SCALES:
        raise BadParameter(
            f"expected a scale of {', '.join(SCALES)}, got '{scale}'; the same bounds mean different things on each"
        )
    low, high = wald_bounds(CARE * alpha, CARE * beta)
    if blocks < 2 or variance <= 0:
        return Verdict(0.0, low, high)
    deviation = math.sqrt(variance)
    if scale in ("share", "elo"):
        shares = bounds if scale == "share" else (elo_share(bounds[0], seats), elo_share(bounds[1], seats))
        first, second = ((share - 1 / seats) / deviation for share in shares)
    else:
        first, second = (bound / (NELO if scale == "nelo" else 1.0) for bound in bounds)
    effect = (mean - 1 / seats) / deviation
    return Verdict(blocks / 2 * math.log((1 + (effect - first) ** 2) / (1 + (effect - second) ** 2)), low, high)


def anytime(scores: Any, alpha: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """A confidence sequence: an interval after each block, such that all of them together contain the true mean with
    probability 1 - alpha, for scores between 0 and 1.

    So one may look after every block and stop at any time. In return, the intervals are about twice as wide.

        I. Waudby-Smith, A. Ramdas. Estimating Means of Bounded Random Variables by Betting. JRSS B 86, 2024 (theorem
        2).
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


def look_level(blocks: int, planned: float, alpha: float = 0.05) -> float:
    """The level at which a test of the mean of so many blocks may be judged, such that looks after every block together
    err with probability alpha; the loss of power is least after about `planned` blocks.

    This is a confidence sequence for means of many blocks, so it needs no more than a mean and its error. With few
    blocks the level is to be used with Student's t.

        I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A. Ramdas. Time-Uniform Central Limit Theory and Asymptotic
        Confidence Sequences. Annals of Statistics 52, 2024 (theorem 2.2).
    """
    from scipy.special import ndtr

    least = -2 * math.log(alpha)
    spent = max(1, blocks) * (least + math.log(least + 1)) / planned
    errors = math.sqrt(2 * (spent + 1) / spent * math.log(math.sqrt(spent + 1) / alpha))
    return 2 * float(ndtr(-errors))


def widened(blocks: int, planned: float, alpha: float = 0.05) -> float:
    """How many times as wide as the usual 95 % interval over blocks one is that holds at every look."""
    from scipy.special import stdtrit

    if blocks < 2:
        return math.inf
    return float(stdtrit(blocks - 1, look_level(blocks, planned, alpha) / 2) / stdtrit(blocks - 1, 0.025))
