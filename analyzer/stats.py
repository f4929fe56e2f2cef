"""Intervals and checks of simulated shares."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def wilson(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share (E. B. Wilson, JASA 22, 1927).

    Parameters
    ----------
    count, n : int
        Successes and trials, 0 <= count <= n, n >= 1.
    level : float
        Coverage, between 0 and 1.
    """
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = count / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    # At the ends the interval reaches 0 or 1 exactly; rounding must not leave a gap.
    return (0.0 if count == 0 else centre - half), (1.0 if count == n else centre + half)


def z_score(count: int, n: int, p: float) -> float | None:
    """Return how many exact standard errors a count lies from n * p; None where p is 0 or 1 and there is no error."""
    if not 0 < p < 1:
        return None
    return (count - n * p) / float(np.sqrt(n * p * (1 - p)))


def outside_probability(n: int, p: float, limit: float) -> float:
    """Return the exact chance that :func:`z_score` of a binomial count lies outside ±limit.

    For large n * p this is the normal distribution's share, but not for rare events: the binomial tails are summed, as
    incomplete beta functions because SciPy's binomial ones end at n = 2**31.
    """
    from scipy.special import betainc, betaincc

    if not 0 < p < 1:
        return 0.0
    centre, half = n * p, limit * float(np.sqrt(n * p * (1 - p)))
    low, high = np.ceil(centre - half) - 1, np.floor(centre + half)
    under = float(betaincc(low + 1, n - low, p)) if low >= 0 else 0.0
    over = float(betainc(high + 1, n - high, p)) if high < n else 0.0
    return under + over
