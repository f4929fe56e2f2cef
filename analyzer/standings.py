"""Standings of a tournament: who is better, by how much, how sure that is; and from which seat."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from analyzer.bounds import ORDINARY, Bounds
from analyzer.comparisons import tie_groups
from analyzer.line_up_sums import LineUpSums
from analyzer.means import (
    LineUpMeans,
    StrategyMeans,
    mean_margins,
    mean_win_shares,
    seat_scores,
    seat_win_shares,
)
from analyzer.results import IntArray
from analyzer.rows import Row, columns
from analyzer.stats import Estimate, FloatArray


def standings(
    sums: Sequence[LineUpSums],
    names: Sequence[str],
    bounds: Bounds = ORDINARY,
    ratings: Sequence[Estimate | None] | None = None,
) -> list[Row]:
    """Return the standings, the highest win share first.

    Parameters
    ----------
    sums : sequence of LineUpSums
        One for each player count.
    names : sequence of str
        Of the strategies.
    bounds : Bounds
        Of each interval but those of ratings, and of all tests of the tie groups together.
    ratings : sequence of Estimate or None, optional
        Of each strategy.

    Returns
    -------
    list of rows
        strategy, games (rotation blocks in which it took part), win share, margin (score less the mean of the others
        at the table) and rating, each with its interval, and tie group (:func:`analyzer.comparisons.tie_groups`).
    """
    wins, margins = mean_win_shares(sums, len(names)), mean_margins(sums, len(names))
    shares, leads, groups = wins.shares(bounds), margins.estimates(bounds), tie_groups(wins, bounds)
    order = np.argsort(-wins.values, kind="stable").tolist()
    return [
        {"strategy": names[at], "games": int(wins.games[at])}
        | columns("win_share", shares[at])
        | columns("margin", leads[at])
        | columns("rating", ratings[at] if ratings else None)
        | {"group": groups[at]}
        for at in order
    ]


def by_seat(sums: Sequence[LineUpSums], names: Sequence[str], bounds: Bounds = ORDINARY) -> list[Row]:
    """Return how each strategy does with each number of players, over all seats and from each of them.

    Parameters
    ----------
    sums, names, bounds
        As for :func:`standings`.

    Returns
    -------
    list of rows
        strategy, players, seat (from 0; None for all), games (rotation blocks), win share and mean
        score with their intervals. Only of strategies that have games.

    Notes
    -----
    Copies of a strategy sit on a seat one after the other on the same deck and dice. How far their results there depend
    on each other is not kept; they count as fully dependent, so their intervals are rather too wide than too narrow.
    """
    rows: list[Row] = []
    for part in map(LineUpSums.total, sums):
        wins, win_variances, games = _by_seat(LineUpMeans.win_shares(part), seat_win_shares(part), len(names))
        scores, score_variances, _ = _by_seat(LineUpMeans.scores(part), seat_scores(part), len(names))
        blocks = int(part.blocks[part.blocks > 0].min(initial=np.iinfo(np.int64).max))
        for at, seat in product(np.flatnonzero(games).tolist(), range(part.players + 1)):
            share = bounds.share(wins[seat, at], win_variances[seat, at], games[at], blocks)
            score = bounds.mean(scores[seat, at], score_variances[seat, at], games[at], blocks)
            place: Row = {"players": part.players, "seat": seat - 1 if seat else None, "games": int(games[at])}
            rows.append({"strategy": names[at]} | place | columns("win_share", share) | columns("score", score))
    return rows


def _by_seat(
    part: LineUpMeans, seats: tuple[FloatArray, FloatArray], strategies: int
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return means and variances over all seats (first row) and from each, shape (k + 1, strategies), and games."""
    over_all = StrategyMeans.of([part], strategies)
    appearances = part.by_strategy(np.ones(1), strategies)
    appearances[appearances == 0] = np.nan
    copies, values, variances = part.copies(), [over_all.values], [over_all.variances]
    for means_at, variances_at in zip(*(np.moveaxis(array, -1, 0) for array in seats), strict=True):
        values.append(part.by_strategy(means_at, strategies) / appearances)
        errors = np.sqrt(variances_at)
        dependent = errors * np.einsum("lij,lj->li", copies, errors)
        variances.append(part.by_strategy(dependent, strategies) / appearances**2)
    return np.array(values), np.array(variances), over_all.games
