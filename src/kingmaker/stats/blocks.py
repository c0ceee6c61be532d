"""Intervals and tests for blocks: what is independent is the start, not the game.

A block is one deal or start, played by every arrangement of the agents over the seats. Its games share their luck, so
100 deals in 24 seatings are 100 observations and not 2,400. Everything here takes one number a block, or one a block
and seat.
"""

import math
from typing import Any

import numpy as np

from kingmaker.stats.intervals import wilson


def interval(scores: Any, sizes: Any = None, *, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of sum(scores) / sum(sizes) over blocks, between 0 and 1; `sizes` are 1 if not given.

    The spread of the blocks around the common rate tells how many independent trials they are worth; Wilson's interval
    for so many, with Student's t for the normal. Blocks that are all alike say nothing about their spread and count as
    one trial each.

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
    """The two-sided chance of so large a mean difference if there were none: Student's t over blocks.

    Where all blocks differ by the same amount there is no spread to divide by, and their signs alone are counted.
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


def holm(chances: Any) -> list[float]:
    """The same chances, raised so that one of all of them being wrong is as rare as each claims.

    S. Holm. A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6, 1979.
    """
    chances = np.asarray(chances, float)
    order = np.argsort(chances, kind="stable")
    raised = np.maximum.accumulate(chances[order] * np.arange(len(chances), 0, -1))
    answer = np.empty_like(raised)
    answer[order] = np.minimum(1.0, raised)
    return [float(value) for value in answer]


def seat_balance(wins: Any) -> float:
    """The chance of wins so uneven over the seats if no seat had an advantage; wins[block, seat].

    If no seat has one, the wins of a block might as well have gone to its seats in any other order. That gives the
    spread of the seats' sums, however much the games of a block share their luck; Friedman's test, with wins in place
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
