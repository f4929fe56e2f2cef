"""How far figures may lie from the truth: intervals and p values, after a number of games fixed beforehand or at any.

Whoever looks at the results to decide when to stop is wrong more often than an ordinary interval says. Bounds that hold
at all looks together are wrong no more often than they say, however often one looks and whatever made one stop.

References
----------
.. [1] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit theory and asymptotic
   confidence sequences", Annals of Statistics 52 (2024) 2613-2640.
.. [2] H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics
   41 (1970) 1397-1409.
.. [3] R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always valid inference: continuous monitoring of A/B tests",
   Operations Research 70 (2022) 1806-1821.

Notes
-----
Like intervals of the central limit theorem the bounds of [1]_ are asymptotic. What is added to them for results not yet
seen (:func:`radius`) makes the stated errors hold from a first look after five games on, for win shares down to half a
percent (measured by the tests). Scores have no such bound on what is not yet seen: look at them later.

After a number of games fixed beforehand intervals and tests are Student's, since the spread is estimated from few
games, too. Figures that have not varied yet are not certain for that. If the truth were t off, among observations that
can be `span` apart each would have had a chance of 1 - t / span at most to be as it was (Markov's inequality), and all
n of them, of that line-up that is off the most, that to the power of n. Of scores, which have no span, nothing is said.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from analyzer.results import IntArray
from analyzer.stats import Estimate, FloatArray, wilson, z_of

SHARE_SPAN: Final = 1.0
"""How far apart two observations of a win share can be."""
DIFFERENCE_SPAN: Final = 2.0
"""How far apart two observations of a difference of win shares can be."""
NO_SPAN: Final = 0.0
"""Of scores, whose bounds are too far apart to tell anything."""

_ROUNDING: Final = 1e-12
"""Differences of win shares below this are rounding: millions of games have steps of 1e-9."""
_NO_VARIANCE: Final = {False: 1e-12, True: 1e-18}
"""Variances below this are rounding, by whether there is a span: of means of scores, and of shares."""


@cache
def _tightest(alpha: float) -> float:
    """Return the x at which :func:`boundary` is smallest."""
    doubt = -2 * float(np.log(alpha))
    x = doubt
    for _ in range(60):  # a contraction by 1 / (1 + x)
        x = doubt + float(np.log1p(x))
    return x


def boundary(n: IntArray, planned: int, alpha: float) -> FloatArray:
    """Return how many standard errors a mean of n observations may lie from the truth, at all n together [1]_ [2]_.

    Parameters
    ----------
    n : int64 array
        Where it is 0, nothing is known and the result is infinite.
    planned : int
        The n at which the bound is to be tightest; what is chosen does not affect its validity, as long as it is the
        same at all looks. Before it the bound soon becomes wide, long after it hardly.
    alpha : float
        The chance that the truth is ever outside, between 0 and 1.

    Notes
    -----
    sqrt((1 + 1/x) (2 log(1/alpha) + log(1 + x))) with x = n r^2. It is smallest where the derivative of that is zero,
    x = 2 log(1/alpha) + log(1 + x), which sets r^2.
    """
    x = _tightest(alpha) * n / planned
    bound: FloatArray = np.sqrt((1 + _inverse(x)) * (-2 * np.log(alpha) + np.log1p(x)))
    return bound


def radius(errors: FloatArray, games: IntArray, n: IntArray, planned: int, alpha: float, span: float) -> FloatArray:
    """Return how far means may lie from the truth, at all looks together.

    Parameters
    ----------
    errors : float64 array
        Standard errors of the means; where one is nan, so is the result.
    games : int64 array
        Rotation blocks behind each.
    n : int64 array
        Rotation blocks of each line-up so far (:func:`boundary`).
    planned : int
        At how many of these the radius is to be tightest.
    alpha : float
        The chance that the truth is ever outside, for each mean.
    span : float
        How far apart two observations can be; 0 if there is no bound.

    Notes
    -----
    Results not seen yet are missing in a standard error. One of probability q has not been seen in log(1/alpha) / q
    games with a chance below alpha, and it moves a mean by q times `span` at most. So the variance is that of the
    observations and of log(1/alpha) more of them that lie `span` off: the radius is then never less than that move,
    and with many games it makes no difference.
    """
    unseen = np.log(1 / alpha) * (span / np.maximum(games, 1)) ** 2
    radii: FloatArray = boundary(n, planned, alpha) * np.sqrt(errors**2 + unseen)
    return radii


@dataclass(frozen=True)
class Bounds:
    """How intervals and p values are made.

    Parameters
    ----------
    level : float
        Coverage of each interval, and of all tests of a family together.
    planned : int, optional
        None if the number of games was fixed beforehand. Else the results decide, or may decide, when to stop:
        everything holds at all looks together, and is tightest after so many rotation blocks of each line-up.
    """

    level: float = 0.95
    planned: int | None = None

    @property
    def alpha(self) -> float:
        """The chance of an error."""
        return 1 - self.level

    def radii(
        self,
        variances: FloatArray,
        games: IntArray,
        blocks: IntArray,
        span: float = NO_SPAN,
        tests: int = 1,
        freedom: FloatArray | None = None,
    ) -> FloatArray:
        """Return how far means may lie from the truth to both sides; nan where a variance is, or that is not known.

        Parameters
        ----------
        variances : float64 array
        games, blocks : int64 array
            Rotation blocks behind each mean, and of each line-up (of those with fewest).
        span : float
            How far apart two observations can be, 0 if there is no bound (:func:`radius`).
        tests : int
            Among how many means the error is shared out.
        freedom : float64 array, optional
            Degrees of freedom of the variances, after a fixed number of games; `blocks` - 1 if left out.
        """
        errors, alpha = np.sqrt(variances), self.alpha / tests
        constant = variances <= _NO_VARIANCE[span > 0]
        if self.planned is None:
            radii = _student(1 - alpha / 2, blocks, freedom) * errors
            unvaried: FloatArray = span * (1 - (alpha / 2) ** (1 / np.maximum(blocks, 1)))
        else:
            radii = unvaried = radius(errors, games, blocks, self.planned, alpha, span)
        return np.where(constant, unvaried if span else np.nan, radii)

    def share(
        self, value: float, variance: float, games: int, blocks: int, *, freedom: float | None = None
    ) -> Estimate | None:
        """Return a share with an interval that stays between 0 and 1; nan is what is not known.

        Parameters
        ----------
        value, variance : float
            A mean over rotation blocks and its variance.
        games, blocks : int
            Rotation blocks behind it, and of each line-up.
        freedom : float, optional
            As for :meth:`radii`.

        Notes
        -----
        After a fixed number of games Wilson's interval for as many independent trials as tell as much about it (see
        :func:`analyzer.stats.independent_trials`), or `games` where all observations were the same. It depends on z^2
        by trials alone, so fewer trials make Student's quantile of it.
        """
        if self.planned is not None or np.isnan(variance):
            return self.mean(value, variance, games, blocks, SHARE_SPAN)
        trials = float(games)
        if variance > _NO_VARIANCE[True] and 0 < value < 1:
            student = float(_student(0.5 + self.level / 2, np.asarray(blocks), freedom))
            trials = float(value * (1 - value) / variance) * (z_of(self.level) / student) ** 2
        return Estimate(float(value), *wilson(float(value) * trials, trials, self.level))

    def mean(
        self,
        value: float,
        variance: float,
        games: int,
        blocks: int,
        span: float = NO_SPAN,
        *,
        freedom: float | None = None,
    ) -> Estimate | None:
        """Return a mean with an interval to both sides alike, as far as it can be; nan is what is not known.

        Parameters
        ----------
        value, variance, games, blocks, freedom
            As for :meth:`share`.
        span : float
            As for :meth:`radii`. What has one lies between 1 - span and 1: shares, and differences of shares.
        """
        if np.isnan(value):
            return None
        if np.isnan(variance):
            return Estimate(float(value), None, None)
        counts = np.asarray(games), np.asarray(blocks)
        half = float(self.radii(np.asarray(variance), *counts, span, 1, None if freedom is None else np.array(freedom)))
        if np.isnan(half):
            return Estimate(float(value), None, None)
        low, high = float(value) - half, float(value) + half
        return Estimate(float(value), max(low, 1 - span), min(high, 1.0)) if span else Estimate(float(value), low, high)

    def p_values(
        self,
        differences: FloatArray,
        variances: FloatArray,
        games: IntArray,
        blocks: IntArray,
        span: float = NO_SPAN,
        freedom: FloatArray | None = None,
    ) -> FloatArray:
        """Return p values of differences, two-sided.

        After a fixed number of games, how likely a difference at least so large is where there is none (Student's
        distribution; of one without variance, the bound of the module's notes). Else the smallest error at which the
        bounds leave out zero: where there is no difference, the chance that p is at most a at any look is at most a
        [3]_. No difference is no evidence, whatever its variance; where the variance is not known (nan), nothing is: 1.
        A difference of scores without variance is none either.

        Parameters
        ----------
        differences, variances : float64 array
        games, blocks, span, freedom
            As for :meth:`radii`.
        """
        known = (np.abs(differences) > _ROUNDING) & ~np.isnan(variances) & (games > 0)
        constant = variances <= _NO_VARIANCE[span > 0]
        if not span:
            known &= ~constant
        if self.planned is None:
            p = _student_p(differences, variances, blocks, freedom)
            if span:
                p = np.where(constant, np.minimum(2 * (1 - np.abs(differences) / span) ** blocks, 1.0), p)
        else:
            x = _tightest(self.alpha) * blocks / self.planned
            p = _always_valid_p(differences, variances, span / np.maximum(games, 1), x)
        return np.where(known, p, 1.0)


ORDINARY: Final = Bounds()
"""95 % after a number of games fixed beforehand."""


def _freedom(blocks: IntArray, freedom: FloatArray | float | None) -> FloatArray:
    """Return degrees of freedom that scipy takes: nan where there are none."""
    known = np.asarray(blocks - 1 if freedom is None else freedom, np.float64)
    return np.where(known > 0, known, np.nan)


def _student(quantile: float, blocks: IntArray, freedom: FloatArray | float | None) -> FloatArray:
    """Return a quantile of Student's distribution."""
    from scipy.special import stdtrit

    found: FloatArray = np.asarray(stdtrit(_freedom(blocks, freedom), quantile), np.float64)
    return found


def _student_p(
    differences: FloatArray, variances: FloatArray, blocks: IntArray, freedom: FloatArray | None
) -> FloatArray:
    """Return the chance of a difference at least so large to either side; 1 where the spread is not known."""
    from scipy.special import stdtr

    errors = np.sqrt(variances)
    t = np.divide(np.abs(differences), errors, out=np.zeros(np.shape(errors)), where=errors > 0)
    p = np.asarray(2 * stdtr(_freedom(blocks, freedom), -t), np.float64)
    return np.where(np.isnan(p), 1.0, p)


def _always_valid_p(differences: FloatArray, variances: FloatArray, moves: FloatArray, x: FloatArray) -> FloatArray:
    """Return the alpha at which :func:`radius`, its x unchanged, equals the difference; 1 if there is none.

    With l = log(1/alpha) that is d^2 = (1 + 1/x) (v + l m^2) (2 l + log(1 + x)), where m is what a result not yet seen
    moves a mean by: a quadratic equation, whose larger root is written so that nothing cancels.
    """
    doubt = np.log1p(x)
    square = 2 * moves**2
    linear = 2 * variances + moves**2 * doubt
    rest = differences**2 / (1 + _inverse(x)) - variances * doubt
    root = np.sqrt(np.maximum(linear**2 + 4 * square * rest, 0.0))
    logs = np.divide(2 * rest, linear + root, out=np.full(np.shape(rest), np.inf), where=linear + root > 0)
    p: FloatArray = np.exp(-np.maximum(logs, 0.0))
    return p


def _inverse(x: FloatArray) -> FloatArray:
    inverse: FloatArray = np.divide(1.0, x, out=np.full(np.shape(x), np.inf), where=np.asarray(x) > 0)
    return inverse
