"""When to stop: bounds that hold at every look, so that looking often does not make them wrong more often.

References
----------
.. [1] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit theory and asymptotic
   confidence sequences", Annals of Statistics 52 (2024) 2613-2640.
.. [2] H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics
   41 (1970) 1397-1409.
.. [3] J. C. Hsu, "Simultaneous confidence intervals for all distances from the best", Annals of Statistics 9 (1981)
   1026-1034.

Notes
-----
Like intervals of the central limit theorem the bounds of [1]_ are asymptotic. What is added to them for results not yet
seen (:func:`radius`) makes the stated errors hold from a first look after five games on, for win shares down to half a
percent (measured by the tests). Scores have no such bound on what is not yet seen: look at them later.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.means import StrategyMeans
from analyzer.results import IntArray
from analyzer.stats import Estimate, FloatArray

BoolArray = NDArray[np.bool_]

SHARE_SPAN: Final = 1.0
"""How far apart two observations of a win share can be."""
DIFFERENCE_SPAN: Final = 2.0
"""How far apart two observations of a difference of win shares can be."""


@dataclass(frozen=True)
class Verdict:
    """What a look at the figures decides.

    Parameters
    ----------
    stop : bool
        Whether the question is answered.
    intervals : list of Estimate
        The intervals it was answered by; they hold at all looks. Without bounds where no error is known yet.
    """

    stop: bool
    intervals: list[Estimate]


def boundary(n: IntArray, planned: int, alpha: float) -> FloatArray:
    """Return how many standard errors a mean of n observations may lie from the truth, at all n together [1]_ [2]_.

    Parameters
    ----------
    n : int64 array
        Where it is 0, nothing is known and the result is infinite.
    planned : int
        The n at which the bound is to be tightest; what is chosen does not affect its validity.
    alpha : float
        The chance that the truth is ever outside, between 0 and 1.

    Notes
    -----
    sqrt((1 + 1/x) (2 log(1/alpha) + log(1 + x))) with x = n r^2. It is smallest where the derivative of that is zero,
    x = 2 log(1/alpha) + log(1 + x), which sets r^2.
    """
    doubt = -2 * float(np.log(alpha))
    tightest = doubt
    for _ in range(60):  # a contraction by 1 / (1 + x)
        tightest = doubt + float(np.log1p(tightest))
    x = tightest * n / planned
    more = np.divide(1.0, x, out=np.full(x.shape, np.inf), where=x > 0)
    bound: FloatArray = np.sqrt((1 + more) * (doubt + np.log1p(x)))
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
        The same at the end.
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


def target_error(means: StrategyMeans, half_width: float, planned: int, level: float = 0.95) -> Verdict:
    """Say whether every win share is known up to an error.

    Parameters
    ----------
    means : StrategyMeans
        Win shares so far, after a whole batch.
    half_width : float
        The error of each that is small enough.
    planned : int
        Rotation blocks of each line-up for which the bounds are tuned, such as the most that will be played.
    level : float
        Coverage of each interval at all looks together.

    Returns
    -------
    Verdict
        With the interval of each strategy's win share.
    """
    radii = radius(np.sqrt(means.variances), means.games, means.blocks, planned, 1 - level, SHARE_SPAN)
    lows, highs = np.maximum(means.values - radii, 0.0), np.minimum(means.values + radii, 1.0)
    return Verdict(bool(np.all(radii <= half_width)), _estimates(means.values, lows, highs))


def sign_known(
    difference: float, error: float, n: int, planned: int, level: float = 0.95, span: float = DIFFERENCE_SPAN
) -> Verdict:
    """Say whether it is known which of two is better.

    Parameters
    ----------
    difference, error : float
        Mean paired difference of n observations and its standard error.
    n, planned : int
        Observations so far, and for which the bound is tuned.
    level : float
        The chance that the sign is right, at all looks together.
    span : float
        How far apart two observations can be; 0 if there is no bound, as for scores.

    Returns
    -------
    Verdict
        With the interval of the difference.
    """
    value = np.array([difference])
    half = radius(np.array([error]), np.array([n]), np.array([n]), planned, 1 - level, span)
    return Verdict(bool(np.all(np.abs(value) > half)), _estimates(value, value - half, value + half))


@dataclass(frozen=True, eq=False)
class Race:
    """Who can still be the best.

    Parameters
    ----------
    contenders : bool array, shape (S,)
        False for a strategy that another one certainly beats.
    behind : list of Estimate
        How far each lies behind the best, at most 0.
    decided : bool
        Whether one certainly beats all others.
    """

    contenders: BoolArray
    behind: list[Estimate]
    decided: bool


def race(
    means: StrategyMeans, planned: int, level: float = 0.95, started: int | None = None, span: float = DIFFERENCE_SPAN
) -> Race:
    """Say which strategies can still be the best.

    Parameters
    ----------
    means : StrategyMeans
        Win shares of those in the race, so far, after a whole batch. Who has no known error stays a contender.
    planned : int
        Rotation blocks of each line-up for which the bounds are tuned.
    level : float
        The chance that all of this is right, at all looks and in all stages together.
    started : int, optional
        How many strategies were in the race at first; those in it now if none was dropped.
    span : float
        How far apart two observations of a difference can be; 0 if there is no bound, as for margins.

    Notes
    -----
    Whichever strategy is truly the best, everything said here is right as long as its own differences from the others
    stay within their bounds at all looks. These are S - 1 differences, not all S (S - 1) / 2, so each gets an error of
    (1 - level) / (S - 1), although the best is only known afterwards (as in [3]_): the truly best one is never beaten;
    it is among the contenders, so each strategy's distance from it lies between the extremes over contenders; and who
    beats all others cannot be another one, nor one of two equally good ones.

    `find-best` may therefore drop whoever is no contender as soon as that is so, and spend nothing more on it: bounds
    hold at the look at which they are used, whatever was dropped when, and the error is shared out among the strategies
    that `started`. What is compared must stay the same when others are dropped, such as win shares against a fixed
    field. Where those dropped also leave the tables of the others, "best" is meant on the average of the tables so far.
    """
    size = len(means.values)
    ahead, variances = means.differences()
    games, blocks = (np.minimum(counts[:, None], counts[None, :]) for counts in (means.games, means.blocks))
    alpha = (1 - level) / max((started or size) - 1, 1)
    radii = radius(np.sqrt(variances), games, blocks, planned, alpha, span)
    np.fill_diagonal(radii, 0.0)
    beaten = ahead < -radii
    contenders: BoolArray = ~np.any(beaten, axis=1)
    lows = np.minimum((ahead - radii)[:, contenders].min(axis=1), 0.0)
    highs = np.minimum((ahead + radii)[:, contenders].max(axis=1), 0.0)
    decided = bool(beaten.sum(axis=0).max() == size - 1)
    return Race(contenders, _estimates(ahead.min(axis=1), lows, highs), decided)


def until_decided(means: StrategyMeans, planned: int, level: float = 0.95) -> Verdict:
    """Say whether the best strategy is distinguished from all others.

    Parameters
    ----------
    means, planned, level
        As for :func:`race`.

    Returns
    -------
    Verdict
        With the interval of how far each strategy lies behind the best.
    """
    found = race(means, planned, level)
    return Verdict(found.decided, found.behind)


def _estimates(values: FloatArray, lows: FloatArray, highs: FloatArray) -> list[Estimate]:
    return [
        Estimate(value, None if np.isnan(low) else low, None if np.isnan(high) else high)
        for value, low, high in np.stack([values, lows, highs], axis=-1).tolist()
    ]
