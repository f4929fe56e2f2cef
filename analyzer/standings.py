"""Standings of a tournament: who is better, by how much, how sure that is; and from which seat."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from analyzer.bounds import ORDINARY, Bounds
from analyzer.comparisons import tie_groups
from analyzer.design import EVERY_LINE_UP, Design
from analyzer.line_up_sums import LineUpSums
from analyzer.means import (
    LineUpMeans,
    StrategyMeans,
    mean_margins,
    mean_win_shares,
    seat_scores,
    seat_win_shares,
)
from analyzer.rows import Row, columns
from analyzer.stats import Estimate, FloatArray


def standings(
    sums: Sequence[LineUpSums],
    names: Sequence[str],
    bounds: Bounds = ORDINARY,
    ratings: Sequence[Estimate | None] | None = None,
    design: Design = EVERY_LINE_UP,
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
    design : Design
        How the line-ups were chosen.

    Returns
    -------
    list of rows
        strategy, games (rotation blocks in which it took part), win share, margin (score less the mean of the others
        at the table) and rating, each with its interval, and tie group (:func:`analyzer.comparisons.tie_groups`); None
        while some line-ups have not played: then the strategies have had different opponents.
    """
    wins, margins = (of(sums, len(names), sampled=design.sampled) for of in (mean_win_shares, mean_margins))
    shares, leads = wins.shares(bounds), margins.estimates(bounds)
    groups: list[int | None] = [None] * len(names)
    if all_have_played(sums):
        groups = tie_groups(wins, bounds, design.candidates)
    order = np.argsort(-wins.values, kind="stable").tolist()
    return [
        {"strategy": names[at], "games": int(wins.games[at])}
        | columns("win_share", shares[at])
        | columns("margin", leads[at])
        | columns("rating", ratings[at] if ratings else None)
        | {"group": groups[at]}
        for at in order
    ]


def all_have_played(sums: Sequence[LineUpSums]) -> bool:
    """Return whether every line-up has games."""
    return all(part.played.all() for part in sums)


def by_seat(
    sums: Sequence[LineUpSums], names: Sequence[str], bounds: Bounds = ORDINARY, design: Design = EVERY_LINE_UP
) -> list[Row]:
    """Return how each strategy does with each number of players, over all seats and from each of them.

    Parameters
    ----------
    sums, names, bounds, design
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
        wins = _by_seat(LineUpMeans.win_shares(part), seat_win_shares(part), len(names), design)
        scores = _by_seat(LineUpMeans.scores(part), seat_scores(part), len(names), design)
        shares, points = [at.shares(bounds) for at in wins], [at.estimates(bounds) for at in scores]
        for at, seat in product(np.flatnonzero(wins[0].games).tolist(), range(part.players + 1)):
            place: Row = {"players": part.players, "seat": seat - 1 if seat else None, "games": int(wins[0].games[at])}
            figures = columns("win_share", shares[seat][at]) | columns("score", points[seat][at])
            rows.append({"strategy": names[at]} | place | figures)
    return rows


def _by_seat(
    part: LineUpMeans, seats: tuple[FloatArray, FloatArray], strategies: int, design: Design
) -> list[StrategyMeans]:
    """Return the means over all seats, and from each."""
    means = [StrategyMeans.of([part], strategies, sampled=design.sampled)]
    copies = part.copies()
    for means_at, variances_at in zip(*(np.moveaxis(array, -1, 0) for array in seats), strict=True):
        errors = np.sqrt(variances_at)
        dependent = copies * errors[:, :, None] * errors[:, None, :]
        here = replace(part, values=means_at, covariance=dependent)
        means.append(StrategyMeans.of([here], strategies, sampled=design.sampled))
    return means
