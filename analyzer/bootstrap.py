"""Resampling a tournament's batches: how much its figures would differ, had other games been played."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.stats import Estimate, FloatArray

RESAMPLES: Final = 400
"""An end of a 95 % interval then varies by about a tenth of a standard error from seed to seed."""

SEED: Final = 1988
"""Resampling has a seed of its own: the same sums give the same intervals, bit for bit."""

_TOGETHER: Final = 4_000_000


def batch_weights(played: NDArray[np.bool_], resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return how much each batch of each line-up counts in resamples of a tournament.

    Line-ups are strata. Of a line-up's B batches B - 1 are drawn with replacement and count B / (B - 1) each: drawing B
    would make variances too small by the factor (B - 1) / B, which for few batches is a lot.

    Parameters
    ----------
    played : bool array, shape (batches, line-ups)
        Which batches each line-up has played, at least two.
    resamples : int
    rng : Generator

    Returns
    -------
    float64 array, shape (resamples, line-ups, batches)
        Sums to the number of played batches over each line-up's.

    Notes
    -----
    J. N. K. Rao, C. F. J. Wu, "Resampling inference with complex survey data", JASA 83 (1988) 231-241.
    """
    counts = played.sum(axis=0)
    weights = np.zeros((resamples, played.shape[1], len(played)))
    for n in np.unique(counts):
        (rows,) = np.nonzero(counts == n)
        columns = np.nonzero(played.T[rows])[1].reshape(len(rows), n)
        cells = np.arange(resamples * len(rows)).reshape(resamples, len(rows), 1) * n
        drawn = cells + rng.integers(n, size=(resamples, len(rows), n - 1))
        times = np.bincount(drawn.ravel(), minlength=cells.size * n).reshape(resamples, len(rows), n)
        weights[:, rows[:, None], columns] = times * (n / (n - 1))
    return weights


def chunks(numbers: int) -> Iterator[int]:
    """Yield how many resamples, of so many numbers each, to have in memory together; all add up to RESAMPLES."""
    size = max(1, _TOGETHER // numbers)
    for start in range(0, RESAMPLES, size):
        yield min(size, RESAMPLES - start)


def percentiles(values: FloatArray, samples: FloatArray, level: float) -> list[Estimate]:
    """Return figures with the middle share `level` of what they were in resamples.

    Parameters
    ----------
    values : shape (n,)
    samples : shape (resamples, n)
    level : float
    """
    # Of n resamples and the truth, any is as likely as another to be the lowest: n + 1 ranks, not n - 1 steps.
    low, high = np.quantile(samples, [(1 - level) / 2, (1 + level) / 2], axis=0, method="weibull")
    return [Estimate(float(v), float(a), float(b)) for v, a, b in zip(values, low, high, strict=True)]
