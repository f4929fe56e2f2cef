"""Ratings from finishing orders by the Plackett-Luce model.

Each strategy has a strength. Whoever wins is taken from the table with a probability in proportion to the strengths of
those there, then the next one from those who remain, and so on (R. L. Plackett, "The analysis of permutations", Appl.
Statist. 24 (1975) 193-202; R. D. Luce, "Individual Choice Behavior", 1959). Line-ups of any size, with a strategy
sitting several times, are fitted together, from counts of the sets of players that remained
(:attr:`analyzer.line_up_sums.LineUpSums.orders`): the library choix takes single rankings only, which millions of games
are too many for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer import bootstrap
from analyzer.results import WHOLE_WIN, IntArray
from analyzer.stats import Estimate, FloatArray, z_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PRIOR: Final = 0.5
"""Games that each strategy is taken to have won, and as many lost, against an imaginary opponent of average strength.

Without them a strategy that always wins would be infinitely strong, and two fields that never met not comparable.
"""

MEAN_RATING: Final = 1500.0
"""Mean rating of a field."""

POINTS: Final = 400 / np.log(10)
"""Points of rating for each unit of log-strength: who has 400 points more beats the other ten times out of eleven."""

_MAX_STEPS: Final = 200
_NEGLIGIBLE: Final = 1e-12
"""Of a log-likelihood, whose error of 1 standard error is 1/2: another step would change no digit that counts."""


class FinishingOrders(Protocol):
    """What ratings need of :class:`analyzer.line_up_sums.LineUpSums`."""

    @property
    def line_ups(self) -> IntArray:
        """Strategy index of each player of a line-up, shape (line-ups, k)."""

    @property
    def orders(self) -> IntArray:
        """60 times how often a set of players remained, shape (..., line-ups, 2**k)."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The strengths that explain finishing orders best.

    Parameters
    ----------
    log_strengths : float64 array, shape (strategies,)
        The imaginary opponent has 0.
    information : float64 array, shape (strategies, strategies)
        Curvature of the penalised log-likelihood there. Its inverse is the covariance if games are independent; only
        differences of strengths are known to more than the prior tells.
    log_likelihood : float
        Of the games alone.
    """

    log_strengths: FloatArray
    information: FloatArray
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of a field, with mean 1500.

    Parameters
    ----------
    estimates : list of Estimate
        By strategy. 400 points more mean ten times the strength: finishing before the other in ten games of eleven.
    covariance : float64 array, shape (strategies, strategies), or None
        Of the ratings, for the error of a difference; None where the batches tell no error.
    """

    estimates: list[Estimate]
    covariance: FloatArray | None


def rate(tables: Sequence[FinishingOrders], strategies: int, level: float = 0.95) -> Ratings:
    """Return the ratings of a field with their intervals.

    Parameters
    ----------
    tables : sequence of LineUpSums
        One for each player count; batches along the first axis.
    strategies : int
        Size of the field. Who did not play is rated as the imaginary opponent, with an interval that says so.
    level : float
        Coverage of each interval.

    Returns
    -------
    Ratings
        Without intervals where a line-up has played only one batch.

    Notes
    -----
    Intervals are percentiles of a bootstrap over batches of rotation blocks
    (:func:`analyzer.bootstrap.batch_weights`), each resample being one Newton step from the estimate (R. Davidson,
    J. G. MacKinnon, "Bootstrap testing in nonlinear models", Int. Econ. Rev. 40 (1999) 487-508). The games against the
    imaginary opponent are resampled too, with exponential weights (M. A. Newton, A. E. Raftery, JRSS B 56 (1994) 3-26);
    that keeps the interval wide where they are all that bounds a rating. For few batches the distance to each end is
    stretched like Student's t against the normal distribution, with as many degrees of freedom as the line-ups that a
    strategy shares with others have batches, less one for each.
    """
    in_order = map(_Stratum.of, sorted(tables, key=lambda table: table.line_ups.shape[1]))
    strata = [stratum for stratum in in_order if len(stratum.line_ups)]
    log_strengths = _maximum(strata, strategies).log_strengths
    values = MEAN_RATING + POINTS * (log_strengths - log_strengths.mean())
    if any((stratum.played.sum(axis=0) < 2).any() for stratum in strata):
        return Ratings([Estimate(float(value), None, None) for value in values], None)
    steps = np.concatenate(list(_resampled_steps(strata, log_strengths)))
    moved = POINTS * (steps - steps.mean(axis=1, keepdims=True))
    covariance = np.atleast_2d(np.cov(moved, rowvar=False))
    stretched = moved * _stretch(strata, strategies, level)
    return Ratings(bootstrap.percentiles(values, values + stretched, level), covariance)


def fit(tables: Sequence[FinishingOrders], strategies: int, prior: float = PRIOR) -> Fit:
    """Return the strengths of the largest likelihood.

    Parameters
    ----------
    tables : sequence of LineUpSums
    strategies : int
        Size of the field.
    prior : float
        Wins, and losses, of each strategy against an imaginary opponent of log-strength 0; over 0.

    Notes
    -----
    The prior is that of H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, "Modelling rankings in R: the PlackettLuce
    package", Comput. Stat. 35 (2020) 1027-1057, and its weight the same. The likelihood is concave in the
    log-strengths: Newton's method with halved steps finds its only maximum.
    """
    return _maximum([_Stratum.of(table) for table in tables], strategies, prior)


@dataclass(frozen=True, eq=False)
class _Stratum:
    """The line-ups of one player count that have games, in the same order whatever order they came in.

    Parameters
    ----------
    line_ups : shape (line-ups, k)
    games : shape (batches, line-ups)
    stages : shape (batches, line-ups, 2**k - 1)
        How often a set of players remained, from set 1 on.
    members : shape (2**k - 1, k)
        Which players are in a set.
    """

    line_ups: IntArray
    games: FloatArray
    stages: FloatArray
    members: FloatArray

    @classmethod
    def of(cls, table: FinishingOrders) -> "_Stratum":
        k = table.line_ups.shape[1]
        orders = table.orders.reshape(-1, *table.orders.shape[-2:])
        in_order = np.lexsort(table.line_ups.T[::-1])
        kept = in_order[orders[:, in_order, -1].any(axis=0)]
        stages = orders[:, kept, 1:] / WHOLE_WIN
        members = ((np.arange(1, 2**k)[:, None] >> np.arange(k)) & 1).astype(np.float64)
        return cls(table.line_ups[kept], stages[..., -1], stages, members)

    @property
    def played(self) -> NDArray[np.bool_]:
        """Which batches each line-up has played, shape (batches, line-ups)."""
        return self.games > 0

    def total(self) -> "_Stratum":
        """Return the same with all batches in one."""
        games, stages = (array.sum(axis=0, keepdims=True) for array in (self.games, self.stages))
        return _Stratum(self.line_ups, games, stages, self.members)

    def log_likelihood(self, log_strengths: FloatArray) -> float:
        """Return the log-probability of the finishing orders."""
        own = log_strengths[self.line_ups]
        together = np.log(np.exp(own) @ self.members.T)
        return float((self.games * own.sum(axis=-1)).sum() - (self.stages * together).sum())

    def derivatives(self, log_strengths: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return gradient and negative second derivative of the log-likelihood by the players of each line-up.

        Shapes (batches, line-ups, k) and (batches, line-ups, k, k).
        """
        strengths = np.exp(log_strengths[self.line_ups])
        together = strengths @ self.members.T
        expected = strengths * ((self.stages / together) @ self.members)  # how often each should have been taken
        k = strengths.shape[-1]
        both = (self.members[:, :, None] * self.members[:, None, :]).reshape(-1, k * k)
        joint = ((self.stages / together**2) @ both).reshape(*self.stages.shape[:-1], k, k)
        products = strengths[:, :, None] * strengths[:, None, :]
        return self.games[..., None] - expected, expected[..., None] * np.eye(k) - products * joint

    def pairs(self, strategies: int) -> IntArray:
        """Return where two players' strategies meet in a flat matrix of all strategies; shape (line-ups, k, k)."""
        return self.line_ups[:, :, None] * strategies + self.line_ups[:, None, :]


def _maximum(strata: Sequence[_Stratum], strategies: int, prior: float = PRIOR) -> Fit:
    totals = [stratum.total() for stratum in strata]

    def objective(log_strengths: FloatArray) -> float:
        against_average = log_strengths - 2 * np.logaddexp(0, log_strengths)
        games = sum(stratum.log_likelihood(log_strengths) for stratum in totals)
        return games + prior * float(against_average.sum())

    at, value = np.zeros(strategies), objective(np.zeros(strategies))
    for _ in range(_MAX_STEPS):
        gradient, information = _prior_derivatives(at, prior, prior)
        for stratum in totals:
            slopes, curvatures = stratum.derivatives(at)
            gradient += np.bincount(stratum.line_ups.ravel(), slopes.ravel(), strategies)
            flat = np.bincount(stratum.pairs(strategies).ravel(), curvatures.ravel(), strategies**2)
            information += flat.reshape(strategies, strategies)
        step = np.linalg.solve(information, gradient)
        if gradient @ step < _NEGLIGIBLE:
            at = at + step
            return Fit(at, information, sum(stratum.log_likelihood(at) for stratum in totals))
        # The last digits of large sums are noise; the value need not grow by less than that.
        while (new_value := objective(at + step)) < value - _NEGLIGIBLE * abs(value):
            step /= 2
        at, value = at + step, new_value
    raise RuntimeError("the ratings did not converge")


def _prior_derivatives(
    log_strengths: FloatArray, wins: FloatArray | float, losses: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Return gradient and information of games against the imaginary opponent; any leading axes of resamples."""
    beaten = 1 / (1 + np.exp(-log_strengths))
    curvature = (wins + losses) * beaten * (1 - beaten)
    return wins * (1 - beaten) - losses * beaten, curvature[..., None] * np.eye(len(log_strengths))


def _resampled_steps(strata: Sequence[_Stratum], log_strengths: FloatArray) -> Iterator[FloatArray]:
    """Yield the Newton steps from the estimate to the estimates of resamples, some resamples at a time."""
    strategies = len(log_strengths)
    sums = [_batch_derivatives(stratum, log_strengths) for stratum in strata]
    rng = np.random.default_rng(bootstrap.SEED)
    for n in bootstrap.chunks(sum(stratum.games.size for stratum in strata) + strategies**2):
        wins, losses = PRIOR * rng.exponential(size=(2, n, strategies))
        gradient, information = _prior_derivatives(log_strengths, wins, losses)
        for stratum, batches in zip(strata, sums, strict=True):
            weights = bootstrap.batch_weights(stratum.played, n, rng).reshape(n, -1)
            resampled: FloatArray = np.asarray(batches @ weights.T).T
            gradient += resampled[:, :strategies]
            information += resampled[:, strategies:].reshape(n, strategies, strategies)
        yield np.asarray(np.linalg.solve(information, gradient[..., None])[..., 0], np.float64)


def _batch_derivatives(stratum: _Stratum, log_strengths: FloatArray) -> "csr_array[np.float64]":
    """Return gradient and information (rows, one below the other) of each batch of each line-up (columns).

    Sparse: a line-up has few of the field's strategies.
    """
    from scipy.sparse import coo_array

    strategies = len(log_strengths)
    batches, line_ups = stratum.games.shape
    columns = np.arange(line_ups) * batches + np.arange(batches)[:, None]
    rows = np.concatenate([stratum.line_ups, strategies + stratum.pairs(strategies).reshape(line_ups, -1)], axis=1)
    slopes, curvatures = stratum.derivatives(log_strengths)
    entries = np.concatenate([slopes, curvatures.reshape(batches, line_ups, -1)], axis=2)
    where = (np.broadcast_to(rows, entries.shape).ravel(), np.broadcast_to(columns[..., None], entries.shape).ravel())
    return coo_array((entries.ravel(), where), shape=(strategies + strategies**2, columns.size)).tocsr()


def _stretch(strata: Sequence[_Stratum], strategies: int, level: float) -> FloatArray:
    """Return by what factor few batches make an interval wider than many; 1 for who has not played."""
    from scipy.special import stdtrit

    freedom = np.zeros(strategies)
    for stratum in strata:
        sits = np.zeros((len(stratum.line_ups), strategies), bool)
        np.put_along_axis(sits, stratum.line_ups, True, axis=1)
        telling = sits.sum(axis=1) > 1  # a strategy among its copies says nothing about its strength
        freedom += (sits & telling[:, None]).T @ (stratum.played.sum(axis=0) - 1)
    quantiles = stdtrit(freedom, 0.5 + level / 2)
    return np.where(freedom > 0, quantiles / z_of(level), 1.0)
