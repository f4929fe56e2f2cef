"""Means of a tournament per game, by line-up and by strategy, and how they vary together.

Within a line-up the players' observations depend on each other, because they share deck, dice and victory; how much,
the sums of products tell. Line-ups are independent of each other. A strategy's mean is the mean over its appearances (a
player of a line-up is one), each of the same weight: its variance is the sum over line-ups of what it has there.

Where the line-ups are a random choice, that is only a part: another choice would seat a strategy with others. Its
variance is then estimated from how its results differ between line-ups, which holds both parts [1]_: a mean over
appearances is a ratio, and its error is that of the sum of what each line-up adds to it, (total there - mean *
appearances there) / appearances in all. As if line-ups were drawn with replacement: rather too large than too small.

References
----------
.. [1] W. G. Cochran, Sampling Techniques, 3rd ed. (1977), sections 6.4 (ratios) and 9A.1 (units of unequal size).
.. [2] F. E. Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2
   (1946) 110-114.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from analyzer.bounds import NO_SPAN, Bounds
from analyzer.line_up_sums import SEAT_SCORE, SEAT_SCORE_SQUARE, SEAT_WIN, SEAT_WIN_SQUARE, LineUpSums
from analyzer.results import WHOLE_WIN, BoolArray, IntArray
from analyzer.stats import Estimate, FloatArray


def covariance_of_means(totals: IntArray, products: IntArray, n: IntArray) -> FloatArray:
    """Return the covariance matrices of means of n observations, from whole numbers.

    Parameters
    ----------
    totals : shape (..., k)
        Sums over n observations of k things.
    products : shape (..., k, k)
        Sums of their products.
    n : shape (...)
        At least 1.

    Returns
    -------
    float64 array, shape (..., k, k)
        nan where n is 1.

    Notes
    -----
    Observations are first centred on the whole number next to their mean. That is exact, does not overflow where the
    product of n and a sum would, and leaves nothing to cancel: the variance of whole numbers is at least f * (1 - f),
    where f, at most a half, is the distance of their mean from that number, and what is then subtracted is f * f.
    """
    n = n[..., None]
    centre = np.rint(totals / n).astype(np.int64)
    rest = totals - n * centre
    cross = centre[..., :, None] * totals[..., None, :]
    centred = products - cross - cross.swapaxes(-1, -2) + n[..., None] * centre[..., :, None] * centre[..., None, :]
    n = n[..., None]
    spread: FloatArray = centred - rest[..., :, None] * (rest[..., None, :] / n)
    return spread / n / np.where(n > 1, n - 1, np.nan)


@dataclass(frozen=True, eq=False)
class LineUpMeans:
    """Means per game of the players of line-ups that have played, at tables of k; over all batches.

    Parameters
    ----------
    line_ups : int64 array, shape (L, k)
        Index of each player's strategy.
    blocks : int64 array, shape (L,)
        Rotation blocks, at least 1.
    values : float64 array, shape (L, k)
    covariance : float64 array, shape (L, k, k)
        Of the values; nan after a single rotation block.
    """

    line_ups: IntArray
    blocks: IntArray
    values: FloatArray
    covariance: FloatArray

    @classmethod
    def win_shares(cls, sums: LineUpSums) -> Self:
        """Return win shares: 1 for a victory, 1 / m for one shared by m players."""
        sums = sums.total()
        return cls._per_game(sums, sums.wins, sums.win_products, WHOLE_WIN)

    @classmethod
    def scores(cls, sums: LineUpSums) -> Self:
        """Return scores."""
        sums = sums.total()
        return cls._per_game(sums, sums.scores, sums.score_products, 1)

    @classmethod
    def margins(cls, sums: LineUpSums) -> Self:
        """Return margins: a player's score less the mean of the others at the table."""
        scores, k = cls.scores(sums), sums.players
        less_others = (k * np.eye(k) - 1) / (k - 1)
        covariance = less_others @ scores.covariance @ less_others
        return cls(scores.line_ups, scores.blocks, scores.values @ less_others, covariance)

    @classmethod
    def _per_game(cls, sums: LineUpSums, totals: IntArray, products: IntArray, scale: int) -> Self:
        """Divide sums by rotation blocks, seatings and scale."""
        played = sums.played
        blocks, totals, scale = sums.blocks[played], totals[played], scale * sums.players
        covariance = covariance_of_means(totals, products[played], blocks) / scale**2
        return cls(sums.line_ups[played], blocks, totals / (blocks[:, None] * scale), covariance)

    def by_strategy(self, weights: FloatArray | IntArray, strategies: int) -> FloatArray:
        """Return the sums by strategy of something that each player has; shape (L, k) -> (strategies,)."""
        each = np.broadcast_to(weights, self.line_ups.shape).ravel()
        return np.bincount(self.line_ups.ravel(), each, strategies).astype(np.float64)

    def by_pair(self, weights: FloatArray, strategies: int) -> FloatArray:
        """Return the sums by two strategies of something two players have; (L, k, k) -> (strategies, strategies)."""
        pairs = self.line_ups[:, :, None] * strategies + self.line_ups[:, None, :]
        sums = np.bincount(pairs.ravel(), weights.ravel(), strategies**2).astype(np.float64)
        return sums.reshape(strategies, strategies)

    def from_games(self, strategies: int, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the covariance of weighted sums of the strategies, the line-ups as they are, and its doubts.

        Parameters
        ----------
        strategies : int
        weights : float64 array, shape (strategies,)

        Returns
        -------
        float64 array, shape (strategies, strategies)
        float64 array, shape (strategies, strategies)
            Of variances, and beside the diagonal of those of differences: sum over line-ups of the square of a variance
            there by its degrees of freedom (:func:`degrees_of_freedom`).
        """
        copies, firsts = self.copies(), self.first_copies()
        by_two, scale = firsts[:, :, None] * firsts[:, None, :], weights[self.line_ups]
        own = (copies @ self.covariance @ copies) * scale[:, :, None] * scale[:, None, :]
        variances = own.diagonal(axis1=1, axis2=2)
        freedom = np.maximum(self.blocks - 1, 1)
        alone = self.by_strategy(firsts * variances**2 / freedom[:, None], strategies)
        one, other = variances[:, :, None], variances[:, None, :]
        together = ((one + other - 2 * own) ** 2 - one**2 - other**2) / freedom[:, None, None]
        doubts = alone[:, None] + alone[None, :] + self.by_pair(by_two * together, strategies)
        np.fill_diagonal(doubts, alone)
        return self.by_pair(by_two * own, strategies), doubts

    def from_line_ups(self, strategies: int, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the same for line-ups that are a random choice; nan where a strategy sits in one only."""
        there = self.by_strategy(self.first_copies(), strategies)
        appearances = self.by_strategy(np.ones(1), strategies)
        means = self.by_strategy(self.values, strategies) / np.where(appearances > 0, appearances, np.nan)
        # Each strategy's line-ups have n - 1 degrees of freedom; as a factor of its own, to keep variances positive.
        factors = np.sqrt(there / np.where(there > 1, there - 1, np.nan)) * weights
        added = (self.values - means[self.line_ups]) * factors[self.line_ups]
        covariance = self.by_pair(added[:, :, None] * added[:, None, :], strategies)
        fewer = np.maximum(np.minimum.outer(there, there) - 1, 1)
        return covariance, variances_of(covariance) ** 2 / fewer

    @cached_property
    def mixed(self) -> BoolArray:
        """Which line-ups have several strategies, shape (L,); copies alone share every victory."""
        several: BoolArray = np.any(self.line_ups != self.line_ups[:, :1], axis=1)
        return several

    def share(self, at: int, weights: FloatArray, bounds: Bounds) -> Estimate | None:
        """Return a weighted mean of the win shares in a line-up; where copies alone sit, it is known without error.

        Parameters
        ----------
        at : int
            Number of the line-up.
        weights : float64 array, shape (k,)
            Of the players; they add up to 1.
        bounds : Bounds
        """
        value, blocks = float(weights @ self.values[at]), int(self.blocks[at])
        if not self.mixed[at]:
            return Estimate.exactly(value)
        return bounds.share(value, float(weights @ self.covariance[at] @ weights), blocks, blocks)

    def copies(self) -> FloatArray:
        """Return 1 where two players have the same strategy, else 0; shape (L, k, k)."""
        same: FloatArray = (self.line_ups[:, :, None] == self.line_ups[:, None, :]).astype(np.float64)
        return same

    def first_copies(self) -> IntArray:
        """Return 1 for the first player of each strategy in a line-up and 0 for its further copies; shape (L, k)."""
        return np.diff(self.line_ups, axis=1, prepend=-1).astype(bool).astype(np.int64)


def seat_win_shares(sums: LineUpSums) -> tuple[FloatArray, FloatArray]:
    """Return mean win shares by player and seat and their variances, shape (L, k, k), of line-ups that have played."""
    return _seat_means(sums, SEAT_WIN, SEAT_WIN_SQUARE, WHOLE_WIN)


def seat_scores(sums: LineUpSums) -> tuple[FloatArray, FloatArray]:
    """Return the same for scores."""
    return _seat_means(sums, SEAT_SCORE, SEAT_SCORE_SQUARE, 1)


def _seat_means(sums: LineUpSums, field: int, square: int, scale: int) -> tuple[FloatArray, FloatArray]:
    sums = sums.total()
    played = sums.played
    totals, squares = sums.seats[played][..., field], sums.seats[played][..., square]
    n = sums.blocks[played][:, None, None]
    variances = covariance_of_means(totals[..., None], squares[..., None, None], n)[..., 0, 0]
    return totals / (n * scale), variances / scale**2


@dataclass(frozen=True, eq=False)
class StrategyMeans:
    """Means of the strategies per game.

    Parameters
    ----------
    games : int64 array, shape (S,)
        Rotation blocks in which a strategy took part.
    blocks : int64 array, shape (S,)
        Rotation blocks of that line-up of a strategy that has played fewest; 0 where there were no games.
    values : float64 array, shape (S,)
        nan where there were no games.
    covariance : float64 array, shape (S, S)
        Of the values; nan where a line-up of the strategy has played a single rotation block, or there is a single one
        of a random choice.
    freedom : float64 array, shape (S, S), optional
        Degrees of freedom of each variance on the diagonal, and beside it of those of differences [2]_; nan where there
        is no variance at all. As of `blocks` if left out.
    line_ups : int64 array, shape (S,), optional
        Line-ups of each strategy where they are a random choice: its independent observations.
    """

    games: IntArray
    blocks: IntArray
    values: FloatArray
    covariance: FloatArray
    freedom: FloatArray | None = None
    line_ups: IntArray | None = None

    @classmethod
    def of(cls, parts: Sequence[LineUpMeans], strategies: int, *, sampled: bool = False) -> Self:
        """Return the means over all appearances at tables of one or several sizes.

        Parameters
        ----------
        parts : sequence of LineUpMeans
        strategies : int
        sampled : bool
            Whether the line-ups are a random choice, which errors are to include.
        """
        games, totals, line_ups = np.zeros((3, strategies))
        covariance, doubts = np.zeros((2, strategies, strategies))
        appearances = sum((part.by_strategy(np.ones(1), strategies) for part in parts), np.zeros(strategies))
        weights = 1 / np.where(appearances > 0, appearances, np.nan)
        fewest = np.full(strategies, np.iinfo(np.int64).max)
        for part in parts:
            np.minimum.at(fewest, part.line_ups, part.blocks[:, None])
            games += part.by_strategy(part.first_copies() * part.blocks[:, None], strategies)
            totals += part.by_strategy(part.values, strategies)
            line_ups += part.by_strategy(part.first_copies(), strategies)
            spread, doubt = (part.from_line_ups if sampled else part.from_games)(strategies, weights)
            covariance += spread
            doubts += doubt
        covariance[~(appearances > 0)] = covariance[:, ~(appearances > 0)] = np.nan
        return cls(
            games.astype(np.int64),
            np.where(games > 0, fewest, 0),
            totals * weights,
            covariance,
            degrees_of_freedom(variances_of(covariance), doubts),
            line_ups.astype(np.int64) if sampled else None,
        )

    def only(self, strategies: IntArray) -> Self:
        """Return the means of some strategies."""
        covariance = self.covariance[np.ix_(strategies, strategies)]
        return type(self)(
            self.games[strategies],
            self.blocks[strategies],
            self.values[strategies],
            covariance,
            None if self.freedom is None else self.freedom[np.ix_(strategies, strategies)],
            None if self.line_ups is None else self.line_ups[strategies],
        )

    @property
    def observations(self) -> tuple[IntArray, IntArray]:
        """Independent observations behind each value, and of each line-up: of a random choice, line-ups are both."""
        return (self.games, self.blocks) if self.line_ups is None else (self.line_ups, self.line_ups)

    @property
    def variances(self) -> FloatArray:
        """Variances of the values."""
        return np.maximum(np.diagonal(self.covariance), 0.0)

    def differences(self) -> tuple[FloatArray, FloatArray]:
        """Return row's value less column's, and the variances of that."""
        variances = np.maximum(variances_of(self.covariance), 0.0)
        np.fill_diagonal(variances, 0.0)
        return self.values[:, None] - self.values[None, :], variances

    def shortest(self) -> tuple[IntArray, IntArray]:
        """Return the observations of each two strategies: the fewer."""
        games, blocks = self.observations
        return np.minimum.outer(games, games), np.minimum.outer(blocks, blocks)

    def p_values(self, bounds: Bounds, span: float = NO_SPAN) -> FloatArray:
        """Return the p value of each difference, shape (S, S) (:meth:`analyzer.bounds.Bounds.p_values`)."""
        return bounds.p_values(*self.differences(), *self.shortest(), span, self.freedom)

    def estimates(self, bounds: Bounds) -> list[Estimate | None]:
        """Return each value with its interval."""
        return [bounds.mean(*figures, freedom=freedom) for *figures, freedom in self._figures()]

    def shares(self, bounds: Bounds) -> list[Estimate | None]:
        """Return each value, a share, with an interval that stays between 0 and 1."""
        return [bounds.share(*figures, freedom=freedom) for *figures, freedom in self._figures()]

    def _figures(self) -> Iterator[tuple[Any, ...]]:
        """Yield value, variance, observations behind it and of each line-up, and degrees of freedom."""
        freedom = [None] * len(self.values) if self.freedom is None else np.diagonal(self.freedom)
        return zip(self.values, self.variances, *self.observations, freedom, strict=True)


def variances_of(covariance: FloatArray) -> FloatArray:
    """Return variances from their covariance matrix, and beside the diagonal those of differences."""
    own = np.diagonal(covariance)
    variances: FloatArray = own[:, None] + own[None, :] - 2 * covariance
    np.fill_diagonal(variances, own)
    return variances


def degrees_of_freedom(variances: FloatArray, doubts: FloatArray) -> FloatArray:
    """Return those of sums of variances; `doubts` are the sums of their squares, each by its own [2]_."""
    return variances**2 / np.where(doubts > 0, doubts, np.nan)


def mean_win_shares(sums: Sequence[LineUpSums], strategies: int, *, sampled: bool = False) -> StrategyMeans:
    """Return the strategies' mean win shares from the sums of one or several player counts, all batches together.

    `sampled` is as for :meth:`StrategyMeans.of`.
    """
    return StrategyMeans.of([LineUpMeans.win_shares(part) for part in sums], strategies, sampled=sampled)


def mean_margins(sums: Sequence[LineUpSums], strategies: int, *, sampled: bool = False) -> StrategyMeans:
    """Return the strategies' mean margins in the same way."""
    return StrategyMeans.of([LineUpMeans.margins(part) for part in sums], strategies, sampled=sampled)
