"""How many blocks it takes to see a difference."""

import math

from kingmaker.core.errors import BadParameter


def blocks_needed(difference: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Blocks after which a two-sided test at `alpha` finds a true difference of block scores with chance `power`.

    `deviation` is the standard deviation of the difference in one block; a pilot of thirty blocks gives it.
    """
    from scipy.stats import norm

    if difference == 0:
        raise BadParameter("no number of blocks shows a difference of 0; name the smallest difference that matters")
    reach = float(norm.ppf(1 - alpha / 2) + norm.ppf(power))
    return max(2, math.ceil((reach * deviation / difference) ** 2 + float(norm.ppf(1 - alpha / 2)) ** 2 / 2))


def power_of(blocks: int, difference: float, deviation: float, *, alpha: float = 0.05) -> float:
    """The chance that so many blocks find a true difference."""
    from scipy.stats import nct, t

    if blocks < 2 or deviation <= 0:
        return 0.0
    edge, shift = float(t.ppf(1 - alpha / 2, blocks - 1)), abs(difference) / deviation * math.sqrt(blocks)
    return float(nct.sf(edge, blocks - 1, shift) + nct.cdf(-edge, blocks - 1, shift))
