"""Confidence intervals for rates of independent trials."""

import math


def wilson(count: float, total: float, z: float = 1.96) -> tuple[float, float]:
    """Wilson's confidence interval for the rate of `count` successes in `total` independent trials; of 95 % if z is
    1.96.

    E. Wilson. Probable Inference, the Law of Succession, and Statistical Inference. JASA 22, 1927.
    """
    if total == 0:
        return 0.0, 1.0
    rate = count / total
    shrink = 1 + z * z / total
    centre = (rate + z * z / (2 * total)) / shrink
    half = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)


def exact(count: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact confidence interval: it never covers the true rate less often than `confidence`, and so it is wider.

    C. Clopper, E. Pearson. The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial. Biometrika
    26, 1934.
    """
    if total == 0:
        return 0.0, 1.0
    from scipy.stats import binomtest

    interval = binomtest(count, total).proportion_ci(confidence, method="exact")
    return float(interval.low), float(interval.high)
