"""Figures of simulations with their intervals, and checks of simulated shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def wilson(count: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share (E. B. Wilson, JASA 22, 1927).

    Parameters
    ----------
    count, n : float
        Successes and trials, 0 <= count <= n, n > 0.
    level : float
        Coverage, between 0 and 1.
    """
    z = z_of(level)
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


def z_of(level: float) -> float:
    """Return how many standard errors an interval of some coverage reaches to each side."""
    return NormalDist().inv_cdf(0.5 + level / 2)


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval.

    Parameters
    ----------
    value : float
    low, high : float or None
        None where so few games tell nothing about the error.
    """

    value: float
    low: float | None
    high: float | None

    @classmethod
    def exactly(cls, value: float) -> Self:
        """Return a figure that is known without error."""
        return cls(value, value, value)

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def widened(self, factor: float) -> Self:
        """Return the same figure with an interval that reaches so many times as far."""
        if self.low is None or self.high is None:
            return self
        low, high = (self.value + factor * (end - self.value) for end in (self.low, self.high))
        return type(self)(self.value, low, high)


def mean_variance(total: int, squares: int, n: int) -> float:
    """Return the variance of single observations from their sum and the sum of their squares; n is at least 2.

    Whole numbers as long as possible: nothing is lost by cancelling.
    """
    return (squares * n - total * total) / (n * (n - 1))


def mean(total: int, squares: int, n: int, scale: float = 1.0, level: float = 0.95) -> Estimate:
    """Return a mean with the interval of the central limit theorem.

    Parameters
    ----------
    total, squares : int
        Sum of n independent observations and of their squares.
    n : int
        At least 1.
    scale : float
        What the mean is divided by.
    level : float
        Coverage.
    """
    value = total / n
    if n == 1:
        return Estimate(value / scale, None, None)
    half = z_of(level) * float(np.sqrt(mean_variance(total, squares, n) / n))
    return Estimate(value / scale, (value - half) / scale, (value + half) / scale)


def independent_trials(total: int, squares: int, n: int, scale: int) -> float:
    """Return how many independent trials of yes or no tell as much about a share as observations between 0 and `scale`.

    With ties (shares of a half) or several games in one observation that is more than n (the design effect of survey
    statistics: L. Kish, "Survey Sampling", 1965). Where all observations are the same, n.
    """
    share = total / (n * scale)
    if n > 1:
        variance = mean_variance(total, squares, n) / scale**2
        if variance > 0:
            return share * (1 - share) / variance * n
    return float(n)


def mean_share(total: int, squares: int, n: int, scale: int, level: float = 0.95) -> Estimate:
    """Return the mean of observations between 0 and `scale` as a share, with an interval that stays between 0 and 1.

    Wilson's interval, for as many trials as :func:`independent_trials` says.
    """
    share, trials = total / (n * scale), independent_trials(total, squares, n, scale)
    low, high = wilson(share * trials, trials, level)
    return Estimate(share, 0.0 if total == 0 else low, 1.0 if total == n * scale else high)


def holm_lower_bounds(cases: Sequence[tuple[float, float, float]], level: float = 0.95) -> list[float]:
    """Return a lower bound for the share in each of several cases: it lies over the case's null only if Holm says so.

    Parameters
    ----------
    cases : sequence of (share, trials, null)
        What was observed, in how many independent trials (:func:`independent_trials`), and the share, between 0 and 1,
        that is to be surpassed.
    level : float
        One-sided, for all cases together: the chance that no bound lies over its null where the true share does not.

    Returns
    -------
    list of float
        One-sided Wilson bounds. The clearest of m cases has coverage 1 - (1 - level) / m, the next one
        1 - (1 - level) / (m - 1), and so on; after a case whose bound is not over its null, no other bound is.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979) 65-70. Wilson's
    bound lies over the null exactly when the score test rejects it.
    """
    clear = [(share - null) * (trials / (null * (1 - null))) ** 0.5 for share, trials, null in cases]
    bounds, holds, left = [0.0] * len(cases), True, len(cases)
    for at in sorted(range(len(cases)), key=lambda case: -clear[case]):
        share, trials, null = cases[at]
        bound = wilson(share * trials, trials, 1 - 2 * (1 - level) / left)[0]
        holds = holds and bound > null
        bounds[at] = bound if holds else min(bound, null)
        left -= 1
    return bounds


def ratio(counts: int, points: int, counts_2: int, product: int, points_2: int, level: float = 0.95) -> Estimate | None:
    """Return points / counts, both summed over games, with the interval of a ratio of sums (linearised).

    Parameters
    ----------
    counts, points, counts_2, product, points_2 : int
        Sums over games of N, P, N * N, N * P and P * P.

    Returns
    -------
    Estimate or None
        None where nothing was counted; without an interval where all of it was counted in one game, or nothing varied.

    Notes
    -----
    W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, section 2.11; games are independent, rounds of one game are not.
    The number n of games in which something was counted is not known: counts**2 / counts_2 is their effective number
    (Kish), at most n, and 1 only for one game.
    """
    if counts == 0:
        return None
    value = points / counts
    if counts_2 == counts**2:
        return Estimate(value, None, None)
    # Whole numbers: nothing is lost by cancelling.
    spread = (points_2 * counts**2 - 2 * points * counts * product + points**2 * counts_2) / counts**2
    if spread == 0:
        return Estimate(value, None, None)
    n = counts**2 / counts_2
    half = z_of(level) * float(np.sqrt(spread * n / (n - 1))) / counts
    return Estimate(value, value - half, value + half)


def histogram_sd(
    counts: NDArray[np.int64], lowest: int, level: float = 0.95, dependence: float = 1.0
) -> Estimate | None:
    """Return the standard deviation of a histogram of whole numbers from `lowest` on, with its interval.

    None for a single number, which does not tell it. `dependence` is by what factor the numbers are fewer than they
    seem, if they depend on each other.

    From the fourth moment, without assuming a normal distribution (M. G. Kendall, A. Stuart, "The Advanced Theory of
    Statistics" I, section 10.8).
    """
    n = int(counts.sum())
    if n == 1:
        return None
    numbers = lowest + np.arange(len(counts))
    deviation = numbers - (counts @ numbers) / n
    second, fourth = (float(counts @ deviation**power) / n for power in (2, 4))
    sd = float(np.sqrt(second * n / (n - 1)))
    error = float(np.sqrt(max(fourth - second**2, 0.0) * dependence / n)) / (2 * sd) if sd else 0.0
    half = z_of(level) * error
    return Estimate(sd, max(sd - half, 0.0), sd + half)


def histogram_quantile(
    counts: NDArray[np.int64], lowest: int, q: float, level: float = 0.95, dependence: float = 1.0
) -> Estimate:
    """Return a quantile of a histogram of whole numbers, with the interval between two ranks.

    The smallest number that a share q of all does not exceed; an end for which there are too few numbers is None;
    `dependence` as for :func:`histogram_sd`. For the interval see H. A. David, H. N. Nagaraja, "Order Statistics", 3rd
    ed. 2003, section 7.1 (ranks by the normal distribution).
    """
    n, upto = int(counts.sum()), np.cumsum(counts)
    half = z_of(level) * float(np.sqrt(n * q * (1 - q) * dependence))

    def at_rank(rank: float) -> float | None:
        return float(lowest + np.searchsorted(upto, np.ceil(rank))) if 1 <= np.ceil(rank) <= n else None

    value = float(lowest + np.searchsorted(upto, max(np.ceil(q * n), 1)))
    low, high = at_rank(np.floor(q * n - half)), at_rank(q * n + half + 1)
    return Estimate(value, None if low is None else min(low, value), None if high is None else max(high, value))
