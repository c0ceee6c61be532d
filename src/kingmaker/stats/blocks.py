"""Confidence intervals and tests for a block design: starts are independent of each other, single games are not.

A block is one deal or start, played by every arrangement of the agents over the seats. Its games share their random
events, so 100 deals in 24 seatings are 100 observations and not 2,400. All functions here take one number per block, or
one number per block and seat.
"""

import math
from typing import Any

import numpy as np

from kingmaker.stats.intervals import wilson


def interval(scores: Any, sizes: Any = None, *, confidence: float = 0.95) -> tuple[float, float]:
    """The confidence interval of sum(scores) / sum(sizes) over blocks, between 0 and 1; `sizes` are 1 if not given.

    The variance of the blocks around the common rate gives the effective number of independent trials. The result is
    Wilson's interval for that number, with Student's t in place of the normal distribution. If all blocks are equal,
    their variance cannot be estimated, and each counts as one trial.

        E. Korn, B. Graubard. Confidence Intervals for Proportions with Small Expected Number of Positive Counts
        Estimated from Survey Data. Survey Methodology 24, 1998.
    """
    from scipy.special import stdtrit

    scores = np.asarray(scores, float)
    sizes = np.ones_like(scores) if sizes is None else np.asarray(sizes, float)
    scores, sizes = scores[sizes > 0], sizes[sizes > 0]
    blocks = len(scores)
    if blocks < 2:
        return 0.0, 1.0
    total = float(sizes.sum())
    rate = float(scores.sum()) / total
    rest = scores - rate * sizes
    variance = float(rest @ rest) * blocks / (blocks - 1) / total**2
    alike = np.abs(rest).max() < 1e-9 * sizes.max()
    trials = blocks if alike else rate * (1 - rate) / variance
    return wilson(rate * trials, trials, float(stdtrit(blocks - 1, (1 + confidence) / 2)))


def paired(differences: Any) -> float:
    """The two-sided p-value of Student's t-test over blocks, for the hypothesis that the mean difference is 0.

    If all blocks differ by the same amount, there is no variance to divide by, and the sign test is used.
    """
    from scipy.stats import t

    differences = np.asarray(differences, float)
    count = len(differences)
    if count < 2 or not differences.any():
        return 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(count)
    if error < 1e-12:
        return float(min(1.0, 2 * 0.5**count))
    return float(2 * t.sf(abs(differences.mean()) / error, count - 1))


def difference(differences: Any, *, confidence: float = 0.95) -> tuple[float, float]:
    """The confidence interval of a mean difference of shares over blocks, by Student's t.

    If all blocks are equal, their variance cannot be estimated: the interval is then as wide above and below as
    Wilson's for shares that never differed in so many trials.
    """
    from scipy.special import stdtrit

    differences = np.asarray(differences, float)
    count = len(differences)
    if count < 2:
        return -1.0, 1.0
    mean, wide = float(differences.mean()), float(stdtrit(count - 1, (1 + confidence) / 2))
    error = float(differences.std(ddof=1)) / math.sqrt(count)
    half = wide * error if error > 1e-12 else wide**2 / (count + wide**2)
    return max(-1.0, mean - half), min(1.0, mean + half)


def holm(chances: Any) -> list[float]:
    """The p-values after Holm's correction for several tests.

    S. Holm. A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6, 1979.
    """
    chances = np.asarray(chances, float)
    order = np.argsort(chances, kind="stable")
    raised = np.maximum.accumulate(chances[order] * np.arange(len(chances), 0, -1))
    answer = np.empty_like(raised)
    answer[order] = np.minimum(1.0, raised)
    return [float(value) for value in answer]


def seat_balance(wins: Any) -> float:
    """The p-value for the hypothesis that no seat has an advantage, from wins[block, seat].

    If no seat has an advantage, every order of a block's wins over its seats is equally likely. That gives the variance
    of the seats' sums, even if the games of a block depend on each other. This is Friedman's test, with wins in place
    of ranks.

        M. Friedman. The Use of Ranks to Avoid the Assumption of Normality. Journal of the American Statistical
        Association 32, 1937.
    """
    from scipy.special import chdtrc

    wins = np.asarray(wins, float)
    lead = wins - wins.mean(axis=1, keepdims=True)
    squares, seats = float((lead**2).sum()), wins.shape[1]
    if not squares:
        return 1.0
    return float(chdtrc(seats - 1, (seats - 1) * float((lead.sum(axis=0) ** 2).sum()) / squares))
