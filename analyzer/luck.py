"""What chance does: how much of a score is luck, and how much less of it is left by playing duplicate games."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from analyzer.line_up_sums import LineUpSums
from analyzer.means import LineUpMeans, StrategyMeans, seat_scores, seat_win_shares
from analyzer.rows import Row, columns
from analyzer.stats import Estimate, FloatArray

SOURCES: Final = ("strategy", "opponents", "seat", "deck and dice")
"""What the variance of a score is divided into, in this order."""

_GROUPS: Final = 20
"""The most groups of batches that a jackknife leaves out one by one: enough for an interval, and still quick."""

_LEAST_GROUPS: Final = 5


def duplicate_factors(sums: Sequence[LineUpSums], names: Sequence[str]) -> list[Row]:
    """Return by what factor duplicate games have less variance than as many independent ones.

    Parameters
    ----------
    sums : sequence of LineUpSums
        One for each player count.
    names : sequence of str
        Of the strategies.

    Returns
    -------
    list of rows
        strategy (None in the last row: all players together) and the factors of win_share and score: the variance of
        the mean of an appearance if each rotation had its own deck and dice, over the one it has, both summed over
        appearances. None where nothing varies or only one rotation block was played. Tables of copies alone do not
        count: who shares every victory with copies varies with no deal, whatever is rotated.
    """
    totals = [part.total() for part in sums]
    wins = _factors([(LineUpMeans.win_shares(part), seat_win_shares(part)[1]) for part in totals], len(names))
    scores = _factors([(LineUpMeans.scores(part), seat_scores(part)[1]) for part in totals], len(names))
    return [
        {"strategy": name, "win_share": win, "score": score}
        for name, win, score in zip([*names, None], wins, scores, strict=True)
    ]


def _factors(parts: Sequence[tuple[LineUpMeans, FloatArray]], strategies: int) -> list[float | None]:
    """Return the factor of each strategy and of all players, from means and the variances by seat of each part."""
    apart, together = np.zeros((2, strategies))
    for part, seat_variances in parts:
        mixed = part.mixed[:, None]
        apart += part.by_strategy(mixed * seat_variances.mean(axis=2) / part.line_ups.shape[1], strategies)
        together += part.by_strategy(mixed * _own(part), strategies)
    sums = zip([*apart, apart.sum()], [*together, together.sum()], strict=True)
    return [float(a / t) if t > 0 else None for a, t in sums]


def luck_and_skill(sums: LineUpSums, level: float = 0.95) -> list[Row]:
    """Divide the variance of single scores at tables of one size among strategy, opponents, seat, and deck and dice.

    Parameters
    ----------
    sums : LineUpSums
        With batches for intervals.
    level : float
        Coverage of each interval.

    Returns
    -------
    list of rows
        players, source (:data:`SOURCES`), share with its interval; the shares add up to 1. None where a line-up has
        played a single rotation block, or no score differs from another; no interval with less than five batches.

    Notes
    -----
    The law of total variance, applied one condition after the other: the share of the strategy is that of the variance
    of the strategies' mean scores, and so on; every appearance weighs the same. Means of few games differ by chance
    alone; what that adds is known from their errors and subtracted, so more games do not change what is estimated. A
    source found to be less than nothing counts as nothing.

    Intervals are those of the jackknife that leaves out groups of batches (B. Efron, C. Stein, "The jackknife estimate
    of variance", Annals of Statistics 9 (1981) 586-596), with Student's t.
    """
    total = sums.total()
    components = np.maximum(_components(total), 0.0)
    if not components.sum() > 0:
        estimates: list[Estimate | None] = [None] * len(SOURCES)
    else:
        halves = _jackknife_halves(sums, total, level)
        estimates = [
            Estimate(share, None, None)
            if np.isnan(half)
            else Estimate(share, max(share - half, 0.0), min(share + half, 1.0))
            for share, half in zip((components / components.sum()).tolist(), halves.tolist(), strict=True)
        ]
    rows: list[Row] = []
    for source, estimate in zip(SOURCES, estimates, strict=True):
        head: Row = {"players": sums.players, "source": source}
        rows.append(head | columns("share", estimate))
    return rows


def _components(sums: LineUpSums) -> FloatArray:
    """Return the unbiased components of the variance of single scores in the order of the sources."""
    part, (seat_values, seat_variances) = LineUpMeans.scores(sums), seat_scores(sums)
    if not part.values.size:
        return np.full(len(SOURCES), np.nan)
    strategies = int(part.line_ups.max()) + 1
    means = StrategyMeans.of([part], strategies)
    weights = part.by_strategy(np.full(1, 1 / part.values.size), strategies)
    values = np.where(weights > 0, means.values, 0.0)
    covariance = np.where(np.outer(weights, weights) > 0, means.covariance, 0.0)
    # Variance of the true means and, above it, what their errors add at each stage.
    own, by_strategy = _own(part).mean(), weights @ np.diagonal(covariance)
    between_strategies = weights @ (values - weights @ values) ** 2
    between_line_ups = ((part.values - values[part.line_ups]) ** 2).mean()
    between_seats = ((seat_values - part.values[:, :, None]) ** 2).mean()
    return np.array(
        [
            between_strategies - (by_strategy - weights @ covariance @ weights),
            between_line_ups - (own - by_strategy),
            between_seats - (seat_variances.mean() - own),
            (seat_variances * part.blocks[:, None, None]).mean(),
        ]
    )


def _own(part: LineUpMeans) -> FloatArray:
    """Return the variance of each player's mean; shape (L, k)."""
    return np.diagonal(part.covariance, axis1=1, axis2=2)


def _jackknife_halves(sums: LineUpSums, total: LineUpSums, level: float) -> FloatArray:
    """Return the half widths of the intervals of the sources' shares; nan where there are too few batches."""
    groups = sums.groups(_GROUPS)
    if len(groups) < _LEAST_GROUPS:
        return np.full(len(SOURCES), np.nan)
    from scipy.special import stdtrit

    components, n = np.array([_components(total - group) for group in groups]), len(groups)
    sums_of_all = components.sum(axis=1, keepdims=True)
    shares = components / np.where(sums_of_all > 0, sums_of_all, np.nan)
    halves: FloatArray = float(stdtrit(n - 1, 0.5 + level / 2)) * np.sqrt((n - 1) * shares.var(axis=0))
    return halves
