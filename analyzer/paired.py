"""Comparing what happens at tables that play the same games: candidates among the same opponents, or other settings.

A unit has one table for each thing that is compared. The tables share decks and dice, so the difference between two of
them is an observation of its own, with much less luck in it. Units play different games: they are independent strata.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from analyzer.bounds import DIFFERENCE_SPAN, NO_SPAN, ORDINARY, Bounds
from analyzer.comparisons import holm
from analyzer.means import StrategyMeans, covariance_of_means, degrees_of_freedom, variances_of
from analyzer.results import WHOLE_WIN, BoolArray, IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.stats import Estimate, FloatArray
from analyzer.tally import Tally

WINS, SCORES = 0, 1

Chosen = Callable[[IntArray], FloatArray]
"""From line-ups of shape (L, tables, players), which places count for what is compared: 0 or 1 in an array of shape
(compared, L, tables * players)."""


CANDIDATE_COLUMNS: Final = (
    *("strategy", "games"),
    *with_interval("win_share", "score", "win_share_ahead", "score_ahead"),
    *("p", "pairing"),
)
"""Of :func:`candidate_rows`: ahead of the first candidate; p of the win share ahead; pairing is the factor by which
playing the same games made its variance smaller. A game is a deal in all rotations of the seats."""

SETTING_COLUMNS: Final = (
    *("strategy", "games"),
    *(
        column
        for figure in ("win_share", "score")
        for column in (
            *with_interval(figure, f"{figure}_then", f"{figure}_change"),
            f"{figure}_p",
            f"{figure}_pairing",
        )
    ),
)
"""Of :func:`setting_rows`: in the first setting, in the second (then), and the change from one to the other."""


PLACE_COLUMNS: Final = (
    *("strategy", "place", "settings", "best_place", "worst_place", "same_place"),
    *with_interval("win_share", "lowest_win_share", "highest_win_share"),
    *("games", "verdict"),
)
"""Of :func:`place_rows`: place in the first setting; over the others the best and the worst place and in what part of
them the place is the same. Places of close strategies change by chance alone, too: the verdict says what is known."""

SURVIVES, CHANGES, NOT_KNOWN = "survives", "changes", "not known"
"""Verdicts on a place: it is the same in all settings, or another one in some, beyond chance; or neither is known."""


def compared_means(tally: Tally, what: int, chosen: Chosen) -> StrategyMeans:
    """Return mean win shares or scores per game of what is compared, with their covariance.

    Parameters
    ----------
    tally : Tally
    what : int
        :data:`WINS` or :data:`SCORES`.
    chosen : callable
        Which places count; every place weighs the same.
    """
    counts_of = [chosen(_tables(line_ups)) for line_ups in tally.plan.line_ups]
    compared = len(counts_of[0])
    games, places, totals = np.zeros((3, compared))
    parts, fewest = [], np.iinfo(np.int64).max
    for part, line_ups, counted in zip(tally.parts, tally.plan.line_ups, counts_of, strict=True):
        blocks = part["blocks"].sum(axis=0)
        played = (blocks > 0) & counted.any(axis=(0, 2))
        n, counts = blocks[played], counted[:, played]
        if not len(n):
            continue
        scale = (WHOLE_WIN if what == WINS else 1) * line_ups.shape[-1]
        sums: IntArray = part["seats"].sum(axis=0)[played][..., 2 * what].sum(axis=2)
        products: IntArray = part["products"].sum(axis=0)[played][:, what]
        games += (counts.any(axis=2) * n).sum(axis=1)
        places += counts.sum(axis=(1, 2))
        totals += np.einsum("clp,lp->c", counts, sums / n[:, None]) / scale
        parts.append((counts, covariance_of_means(sums, products, n) / scale**2, n))
        fewest = min(fewest, int(n.min()))
    places[places == 0] = np.nan
    covariance, doubts = np.zeros((2, compared, compared))
    for counts, own, n in parts:
        for at in range(len(n)):
            weights = counts[:, at] / places[:, None]
            here = weights @ own[at] @ weights.T
            covariance += here
            doubts += variances_of(here) ** 2 / max(n[at] - 1, 1)
    blocks_each = np.where(games > 0, fewest, 0)
    freedom = degrees_of_freedom(variances_of(covariance), doubts)
    return StrategyMeans(games.astype(np.int64), blocks_each, totals / places, covariance, freedom)


def never_differ(tally: Tally, tables: BoolArray | None = None) -> bool:
    """Return whether in every deal all places had the same win share and the same score at each of the tables.

    Exactly: the sums of squares of the differences from the first table, in whole numbers, are 0. `tables` says which
    ones are compared, all if it is left out.
    """
    for part, line_ups in zip(tally.parts, tally.plan.line_ups, strict=True):
        products: IntArray = part["products"].sum(axis=(0, 1))
        players, there = line_ups.shape[-1], np.arange(products.shape[-1])
        if tables is not None:
            there = there[np.repeat(tables, players)]
        first = there[there % players]  # the same place at the first of the tables
        squares = np.diagonal(products, axis1=1, axis2=2)
        if np.any(squares[:, first] + squares[:, there] - 2 * products[:, first, there]):
            return False
    return True


def first_places(line_ups: IntArray) -> FloatArray:
    """Return that the first place of each table counts, where a candidate sits (:data:`Chosen`)."""
    n, tables, players = line_ups.shape
    counts = np.zeros((tables, n, tables * players))
    counts[np.arange(tables), :, np.arange(tables) * players] = 1
    return counts


def all_opponents(field: Sequence[int], players: int) -> IntArray:
    """Return every multiset of a field that may sit beside one player, shape (multisets, players - 1)."""
    return np.array(list(combinations_with_replacement(sorted(field), players - 1)), np.int64)


def candidate_tables(candidates: Sequence[int] | IntArray, opponents: IntArray) -> IntArray:
    """Return a table for each candidate with the same opponents, for all opponents given.

    Parameters
    ----------
    candidates : sequence of int
        Each has the first place of its table.
    opponents : int64 array, shape (n, players - 1)

    Returns
    -------
    int64 array, shape (n, candidates, players)
    """
    n, others = opponents.shape
    tables = np.empty((n, len(candidates), others + 1), np.int64)
    tables[:, :, 0] = candidates
    tables[:, :, 1:] = opponents[:, None]
    return tables


def in_each_setting(strategy: int) -> Chosen:
    """Return that the places of a strategy count, for each table."""

    def chosen(line_ups: IntArray) -> FloatArray:
        n, tables, players = line_ups.shape
        counts = np.zeros((tables, n, tables, players))
        for table in range(tables):
            counts[table, :, table] = line_ups[:, table] == strategy
        return counts.reshape(tables, n, tables * players)

    return chosen


@dataclass(frozen=True)
class Difference:
    """What one of two has more than the other.

    Parameters
    ----------
    estimate : Estimate or None
        None where there were no games.
    p : float
        Two-sided (:meth:`analyzer.bounds.Bounds.p_values`).
    pairing : float or None
        By what factor playing the same games made the variance smaller than independent games would have it.
    """

    estimate: Estimate | None
    p: float
    pairing: float | None


def difference(means: StrategyMeans, one: int, other: int, bounds: Bounds, span: float = NO_SPAN) -> Difference:
    """Return a mean less another, with its interval.

    Parameters
    ----------
    means : StrategyMeans
    one, other : int
    bounds : Bounds
    span : float
        How far apart two observations of the difference can be; 0 if there is no bound, as for scores.
    """
    ahead, variances = means.differences()
    (games, blocks), freedom = means.shortest(), means.freedom
    at, variance = (one, other), float(variances[one, other])
    apart = float(means.variances[one] + means.variances[other])
    return Difference(
        bounds.mean(ahead[at], variance, games[at], blocks[at], span, freedom=None if freedom is None else freedom[at]),
        float(means.p_values(bounds, span)[at]),
        apart / variance if variance > 0 else None,
    )


def candidate_rows(
    tally: Tally, names: Sequence[str], bounds: Bounds = ORDINARY, exact: Collection[int] = ()
) -> list[Row]:
    """Return how candidates do among the same opponents, and how far they are ahead of the first.

    Parameters
    ----------
    tally : Tally
        Of a plan with a table for each candidate, who has the first place there.
    names : sequence of str
        Of the candidates.
    bounds : Bounds
        Of each interval and p value.
    exact : collection of int
        Candidates that sit beside copies of their own only, who share every victory with them (:func:`with_exact`).

    Returns
    -------
    list of rows
        :data:`CANDIDATE_COLUMNS`.
    """
    wins, scores = (compared_means(tally, what, first_places) for what in (WINS, SCORES))
    win_shares, rows = with_exact(wins.shares(bounds), exact), list[Row]()
    for at, name in enumerate(names):
        shares, points = difference(wins, at, 0, bounds, DIFFERENCE_SPAN), difference(scores, at, 0, bounds)
        head: Row = {"strategy": name, "games": int(wins.games[at])}
        head |= columns("win_share", win_shares[at]) | columns("score", scores.estimates(bounds)[at])
        head |= columns("win_share_ahead", shares.estimate if at else None)
        head |= columns("score_ahead", points.estimate if at else None)
        rows.append(head | {"p": shares.p if at else None, "pairing": shares.pairing if at else None})
    return rows


def with_exact(shares: Sequence[Estimate | None], exact: Collection[int]) -> list[Estimate | None]:
    """Return win shares, of which some vary with no deal because copies alone share every victory."""
    return [Estimate.exactly(share.value) if share and at in exact else share for at, share in enumerate(shares)]


def setting_rows(tally: Tally, names: Sequence[str], bounds: Bounds = ORDINARY) -> list[Row]:
    """Return how strategies do in the second of two settings against the first, on the same deals.

    Parameters
    ----------
    tally : Tally
        Of a plan with two tables that seat the same line-up.
    names : sequence of str
        Of the strategies.
    bounds : Bounds
        Of each interval and p value.

    Returns
    -------
    list of rows
        :data:`SETTING_COLUMNS`.
    """
    rows: list[Row] = []
    for at, name in enumerate(names):
        row: Row = {"strategy": name}
        for what, figure in ((WINS, "win_share"), (SCORES, "score")):
            means = compared_means(tally, what, in_each_setting(at))
            row["games"] = int(means.games[0])
            figures = means.shares(bounds) if what == WINS else means.estimates(bounds)
            change = difference(means, 1, 0, bounds, DIFFERENCE_SPAN if what == WINS else NO_SPAN)
            row |= columns(figure, figures[0]) | columns(f"{figure}_then", figures[1])
            row |= columns(f"{figure}_change", change.estimate)
            row |= {f"{figure}_p": change.p, f"{figure}_pairing": change.pairing}
        rows.append(row)
    return rows


def at_table(table: int, strategies: int) -> Chosen:
    """Return that the places of a strategy at one table count, for each strategy."""

    def chosen(line_ups: IntArray) -> FloatArray:
        n, tables, players = line_ups.shape
        counts = np.zeros((strategies, n, tables, players))
        counts[:, :, table] = line_ups[:, table] == np.arange(strategies)[:, None, None]
        return counts.reshape(strategies, n, tables * players)

    return chosen


def known_places(means: Sequence[StrategyMeans], bounds: Bounds) -> tuple[IntArray, IntArray]:
    """Return between which places each strategy certainly is in each setting, shape (strategies, settings).

    Whoever is certainly better is before it, whoever is certainly worse after it: by differences of win shares of all
    pairs in all settings, tested together (Holm), so that all of this is right with a probability of the level.
    """
    size = len(means[0].values)
    pairs = np.triu_indices(size, 1)
    p = holm(np.concatenate([each.p_values(bounds, DIFFERENCE_SPAN)[pairs] for each in means]))
    first, last = np.ones((2, size, len(means)), np.int64)
    for setting, (each, clear) in enumerate(zip(means, np.split(p <= bounds.alpha, len(means)), strict=True)):
        known = np.zeros((size, size), bool)
        known[pairs] = clear
        ahead = (known | known.T) & (each.values[:, None] > each.values)
        first[:, setting] = 1 + ahead.sum(axis=0)
        last[:, setting] = size - ahead.sum(axis=1)
    return first, last


def verdict(first: IntArray, last: IntArray) -> str:
    """Say whether a place survives, from between which places it certainly is in each setting."""
    if np.all(first == first[0]) and np.all(last == first[0]):
        return SURVIVES
    return CHANGES if np.any((first[1:] > last[0]) | (last[1:] < first[0])) else NOT_KNOWN


def place_rows(tally: Tally, names: Sequence[str], bounds: Bounds = ORDINARY) -> list[Row]:
    """Return which places in the standings survive in other settings, the best of the first setting first.

    Parameters
    ----------
    tally : Tally
        Of a plan with a table for each setting that seat the same line-up; the first is what the others vary.
    names : sequence of str
        Of the strategies.
    bounds : Bounds
        Of each interval, and of all verdicts together (:func:`known_places`).

    Returns
    -------
    list of rows
        :data:`PLACE_COLUMNS`.
    """
    means = [compared_means(tally, WINS, at_table(table, len(names))) for table in range(len(tally.plan.settings))]
    estimates, (first, last) = [each.shares(bounds) for each in means], known_places(means, bounds)
    shares = np.array([each.values for each in means]).T
    places = (shares[None] > shares[:, None]).sum(axis=1) + 1
    rows: list[Row] = []
    for at in np.argsort(-shares[:, 0], kind="stable").tolist():
        others = places[at, 1:]
        row: Row = {"strategy": names[at], "place": int(places[at, 0]), "settings": len(others)}
        row |= {"best_place": int(others.min()), "worst_place": int(others.max())}
        row["same_place"] = float((others == places[at, 0]).mean())
        ends = {"": 0, "lowest_": 1 + int(shares[at, 1:].argmin()), "highest_": 1 + int(shares[at, 1:].argmax())}
        for end, setting in ends.items():
            row |= columns(f"{end}win_share", estimates[setting][at])
        rows.append(row | {"games": int(means[0].games[at]), "verdict": verdict(first[at], last[at])})
    return rows


def _tables(line_ups: IntArray) -> IntArray:
    """Return line-ups with an axis of tables."""
    return line_ups.reshape(len(line_ups), -1, line_ups.shape[-1])
