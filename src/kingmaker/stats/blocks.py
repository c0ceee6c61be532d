"""Intervals and tests for blocks: what is independent is the start, not the game.

A block is one deal or start, played by every arrangement of the agents over the seats. Its games share their luck, so 100
deals in 24 seatings are 100 observations and not 2,400. Everything here takes one number a block.
"""

import math
from typing import Any

import numpy as np

from kingmaker.stats.intervals import wilson

MOST = 4096  # beyond, neighbouring blocks are merged: a sum of independent blocks is again one
RESAMPLES = 2000


def bootstrap(
    scores: Any, sizes: Any = None, *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float]:
    """The interval of sum(scores) / sum(sizes) when whole blocks are drawn again, between 0 and 1; `sizes` are 1 if not given.

    Percentiles, moved out as far as Student's t is wider than the normal; without it few blocks give too short an interval. Blocks that
    are all alike say nothing about their spread, and count then as one trial each.

        T. Hesterberg. What Teachers Should Know About the Bootstrap. The American Statistician 69, 2015.
    """
    from scipy.stats import norm, t

    scores, sizes = merged(scores, sizes)
    blocks = len(scores)
    if blocks < 2 or not sizes.sum():
        return 0.0, 1.0
    pairs, counts = np.unique(np.column_stack([scores, sizes]), axis=0, return_counts=True)
    if spread(scores, sizes) == 0:
        return wilson(blocks * float(scores.sum() / sizes.sum()), blocks, float(norm.ppf((1 + confidence) / 2)))
    drawn = np.random.default_rng(seed).multinomial(blocks, counts / blocks, size=resamples)
    ratios = np.sort(drawn @ pairs[:, 0] / np.maximum(drawn @ pairs[:, 1], 1e-300))
    tail = norm.cdf(t.ppf((1 - confidence) / 2, blocks - 1) * math.sqrt(blocks / (blocks - 1)))
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return max(0.0, float(low)), min(1.0, float(high))


def merged(scores: Any, sizes: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """The blocks as two arrays, neighbours added up where there are very many."""
    scores = np.asarray(scores, float)
    sizes = np.ones_like(scores) if sizes is None else np.asarray(sizes, float)
    keep = sizes > 0
    scores, sizes = scores[keep], sizes[keep]
    if len(scores) > MOST:
        edges = np.linspace(0, len(scores), MOST, endpoint=False).astype(int)
        scores, sizes = np.add.reduceat(scores, edges), np.add.reduceat(sizes, edges)
    return scores, sizes


def spread(scores: np.ndarray, sizes: np.ndarray) -> float:
    """The standard deviation of a block's score around the common rate."""
    rest = scores - sizes * (scores.sum() / sizes.sum())
    return 0.0 if np.abs(rest).max() < 1e-12 else float(rest.std(ddof=1) / sizes.mean())


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


def seat_balance(wins: Any, games: Any) -> float:
    """The chance of wins so uneven over the seats if no seat had an advantage; `wins` and `games` hold one number a seat."""
    from scipy.stats import chisquare

    wins, games = np.asarray(wins, float), np.asarray(games, float)
    if not wins.sum() or len(wins) < 2:
        return 1.0
    return float(chisquare(wins, games * (wins.sum() / games.sum())).pvalue)
