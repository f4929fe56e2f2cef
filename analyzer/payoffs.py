"""The pay-off table of a field: what each strategy wins at each table."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from analyzer.bounds import ORDINARY, Bounds
from analyzer.means import LineUpMeans
from analyzer.rows import Row, columns, with_interval

PAYOFF_COLUMNS: Final = ("players", "line_up", "strategy", "opponents", "games", *with_interval("win_share"))
"""Columns of :func:`payoff_rows`."""

BESIDE: Final = " + "
"""What stands between the names of opponents."""


def payoff_rows(parts: Sequence[LineUpMeans], names: Sequence[str], bounds: Bounds = ORDINARY) -> list[Row]:
    """Return what each strategy wins beside each choice of opponents.

    Parameters
    ----------
    parts : sequence of LineUpMeans
        Of win shares, one for each player count; line-ups ascending.
    names : sequence of str
        Of the strategies.
    bounds : Bounds
        Of each interval.

    Returns
    -------
    list of rows
        One for each strategy of each line-up: players, line_up (its number for this player count), strategy, opponents
        (with two players one; else their names with :data:`BESIDE` between them), games (rotation blocks) and win_share
        of one player with its interval; of several copies of a strategy the mean.
    """
    rows: list[Row] = []
    for part in parts:
        k = part.line_ups.shape[1]
        for at, line_up in enumerate(part.line_ups.tolist()):
            for strategy in dict.fromkeys(line_up):
                weights = np.array([who == strategy for who in line_up]) / line_up.count(strategy)
                others = list(line_up)
                others.remove(strategy)
                share = part.share(at, weights, bounds)
                row: Row = {"players": k, "line_up": at, "strategy": names[strategy]}
                row |= {"opponents": BESIDE.join(names[who] for who in others), "games": int(part.blocks[at])}
                rows.append(row | columns("win_share", share))
    return rows
