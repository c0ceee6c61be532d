"""Intervals for rates."""

import math


def wilson(count: float, total: int, z: float = 1.96) -> tuple[float, float]:
    """The interval that holds the true rate with 95 % chance (z = 1.96), of `count` successes in `total` independent trials.

    E. Wilson. Probable Inference, the Law of Succession, and Statistical Inference. JASA 22, 1927.
    """
    if total == 0:
        return 0.0, 1.0
    rate = count / total
    shrink = 1 + z * z / total
    centre = (rate + z * z / (2 * total)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)
