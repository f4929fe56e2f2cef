"""Comparisons of each strategy with each other: p values, tie groups, and results at the tables where both sit."""

from collections.abc import Sequence
from itertools import combinations
from typing import Self

import numpy as np

from analyzer.bounds import DIFFERENCE_SPAN, ORDINARY, Bounds
from analyzer.design import EVERY_LINE_UP, Design
from analyzer.line_up_sums import LineUpSums
from analyzer.means import LineUpMeans, StrategyMeans, degrees_of_freedom
from analyzer.results import IntArray
from analyzer.rows import Row, columns
from analyzer.stats import FloatArray


def holm(p: FloatArray) -> FloatArray:
    """Return adjusted p values: the smallest error for all cases together at which Holm's procedure rejects each.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979) 65-70.
    """
    order = np.argsort(p, kind="stable")
    stepwise = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepwise), 1.0)
    return adjusted


def tie_groups(means: StrategyMeans, bounds: Bounds = ORDINARY, candidates: int | None = None) -> list[int | None]:
    """Return each strategy's tie group: 1 for the best and those not distinguishable from it, and again with the rest.

    All pairs are tested together, because which one is the best is read from the same figures: with a probability of
    at least the level every strategy is truly worse than the best of each group above its own. None for strategies
    without games; and where only the first so many `candidates` meet the same opponents, for the others, and for a
    candidate that is alone (:class:`analyzer.design.Design`).
    """
    if candidates is not None:
        found: list[int | None] = [None] * len(means.values)
        if candidates > 1:
            found[:candidates] = tie_groups(means.only(np.arange(candidates)), bounds)
        return found
    distinct = _adjusted(means.p_values(bounds, DIFFERENCE_SPAN)) <= bounds.alpha
    groups: list[int | None] = [None] * len(means.values)
    left, group = [int(s) for s in np.argsort(-means.values, kind="stable") if means.games[s]], 0
    while left:
        best, group = left[0], group + 1
        for strategy in left:
            if not distinct[best, strategy]:
                groups[strategy] = group
        left = [strategy for strategy in left if groups[strategy] is None]
    return groups


def _adjusted(p: FloatArray) -> FloatArray:
    """Return Holm's adjusted p values of all pairs as a symmetric matrix; 1 on the diagonal."""
    pairs = np.triu_indices(len(p), 1)
    adjusted = np.ones_like(p)
    adjusted[pairs] = holm(p[pairs])
    return np.minimum(adjusted, adjusted.T)


def pairwise(
    sums: Sequence[LineUpSums], names: Sequence[str], bounds: Bounds = ORDINARY, design: Design = EVERY_LINE_UP
) -> list[Row]:
    """Return how each two strategies do at the tables where both sit.

    Parameters
    ----------
    sums : sequence of LineUpSums
        One for each player count.
    names : sequence of str
        Of the strategies.
    bounds : Bounds
        Of each interval and p value.
    design : Design
        How the line-ups were chosen.

    Returns
    -------
    list of rows
        strategy, opponent, games (rotation blocks), difference of win shares (positive where the first does better) and
        of scores, each with its interval; p value of the former and the one adjusted by :func:`holm` over all pairs;
        and `pairing`: by what factor meeting at the same tables made the variance of the former smaller than that of
        two win shares from independent games (below 1 where one's victory is the other's defeat), None where it has
        none. Tables weigh the same; of several copies of a strategy the mean counts. No row for who never meet.
    """
    rows = head_to_head([LineUpMeans.win_shares(part) for part in sums], names, bounds, design)
    if not rows:
        return rows
    scores, index = _Meetings.of([LineUpMeans.scores(part) for part in sums], len(names)), _index(names)
    values, variances, freedom, _ = scores.differences(sampled=design.sampled)
    games, blocks = scores.observations(sampled=design.sampled)
    for row in rows:
        at = index[str(row["strategy"])], index[str(row["opponent"])]
        points = bounds.mean(values[at], variances[at], int(games[at]), int(blocks[at]), freedom=freedom[at])
        row.update(columns("score", points))
    return rows


def head_to_head(
    parts: Sequence[LineUpMeans], names: Sequence[str], bounds: Bounds = ORDINARY, design: Design = EVERY_LINE_UP
) -> list[Row]:
    """Return what :func:`pairwise` does of win shares, without scores.

    Parameters
    ----------
    parts : sequence of LineUpMeans
        Of win shares, one for each player count.
    names, bounds, design
        As for :func:`pairwise`.
    """
    size = len(names)
    wins = _Meetings.of(parts, size)
    met = [pair for pair in combinations(range(size), 2) if wins.tables[pair]]
    if not met:
        return []
    win, win_variance, win_freedom, apart = wins.differences(sampled=design.sampled)
    counts = wins.observations(sampled=design.sampled)
    at = tuple(np.array(met).T)
    p = bounds.p_values(win[at], win_variance[at], counts[0][at], counts[1][at], DIFFERENCE_SPAN, win_freedom[at])
    rows: list[Row] = []
    for pair, p_value, adjusted in zip(met, p.tolist(), holm(p).tolist(), strict=True):
        games, blocks = (int(count[pair]) for count in counts)
        row: Row = {"strategy": names[pair[0]], "opponent": names[pair[1]], "games": int(wins.games[pair])}
        share = bounds.mean(win[pair], win_variance[pair], games, blocks, DIFFERENCE_SPAN, freedom=win_freedom[pair])
        row |= columns("win_share", share)
        row |= {"p": p_value, "p_holm": adjusted}
        factor = float(apart[pair] / win_variance[pair]) if win_variance[pair] > 0 else None
        rows.append(row | {"pairing": factor})
    return rows


def _index(names: Sequence[str]) -> dict[str, int]:
    return {name: at for at, name in enumerate(names)}


class _Meetings:
    """Sums over line-ups for each pair of strategies that both have.

    Every pair of a player of the one and a player of the other counts 1 / (copies of one * copies of other): together
    the pairs of a line-up count 1, and their differences add up to the difference of the means over copies.
    """

    def __init__(self, strategies: int) -> None:
        self.tables, self._difference, self._squares, self._apart = np.zeros((4, strategies, strategies))
        self._variance, self._doubts = np.zeros((2, strategies, strategies))
        self.games = np.zeros((strategies, strategies), np.int64)
        self.blocks = np.full((strategies, strategies), np.iinfo(np.int64).max)

    @classmethod
    def of(cls, parts: Sequence[LineUpMeans], strategies: int) -> Self:
        """Return the sums over all line-ups."""
        meetings = cls(strategies)
        for part in parts:
            meetings.add(part)
        return meetings

    def observations(self, *, sampled: bool) -> tuple[IntArray, IntArray]:
        """Return the independent observations behind each pair, and of each line-up; `sampled` line-ups are both."""
        return (np.rint(self.tables).astype(np.int64),) * 2 if sampled else (self.games, self.blocks)

    def add(self, part: LineUpMeans) -> None:
        """Add the line-ups of one player count."""
        copies = part.copies()
        share = 1 / copies.sum(axis=2)
        weight = share[:, :, None] * share[:, None, :]
        # The covariance of a player with the mean over the copies of its strategy.
        own = (part.covariance * copies * share[:, None, :]).sum(axis=2)
        size = len(self.tables)
        self.tables += part.by_pair(weight, size)
        blocks = part.blocks[:, None, None]
        self.games += np.rint(part.by_pair(weight * blocks, size)).astype(np.int64)
        np.minimum.at(self.blocks, (part.line_ups[:, :, None], part.line_ups[:, None, :]), blocks)
        apart = weight * (own[:, :, None] + own[:, None, :])
        here = weight * (part.values[:, :, None] - part.values[:, None, :])
        # Of the two strategies' copies at a table together, known to each two players of them.
        difference, variance = (copies @ figure @ copies for figure in (here, apart - 2 * weight * part.covariance))
        self._difference += part.by_pair(here, size)
        self._squares += part.by_pair(weight * difference**2, size)
        self._apart += part.by_pair(apart, size)
        self._variance += part.by_pair(weight * variance, size)
        self._doubts += part.by_pair(weight * variance**2 / np.maximum(blocks - 1, 1), size)

    def differences(self, *, sampled: bool) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return mean differences, their variances, the degrees of freedom of these, and what they would be apart.

        The last are the variances that differences would have were the two independent. `sampled` line-ups are a
        random choice: variances are then those of the mean over line-ups.
        """
        tables = np.where(self.tables > 0, self.tables, np.nan)
        means = self._difference / tables
        if sampled:
            freedom = tables - 1
            spread = (self._squares - tables * means**2) * tables / np.where(freedom > 0.5, freedom, np.nan)
        else:
            spread = self._variance
            freedom = degrees_of_freedom(spread, self._doubts)
        return means, np.maximum(spread, 0.0) / tables**2, freedom, self._apart / tables**2
