"""How many blocks are needed to detect a difference."""

import math

from kingmaker.core.errors import BadParameter


def blocks_needed(difference: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Blocks with which a two-sided test at level `alpha` detects a true difference of block scores with probability
    `power`.

    `deviation` is the standard deviation of the difference in one block; thirty blocks are enough to estimate it.
    """
    from scipy.stats import norm

    if difference == 0:
        raise BadParameter("no number of blocks shows a difference of 0; name the smallest difference that matters")
    reach = float(norm.ppf(1 - alpha / 2) + norm.ppf(power))
    return max(2, math.ceil((reach * deviation / difference) ** 2 + float(norm.ppf(1 - alpha / 2)) ** 2 / 2))
