"""Who beats whom in circles, head to head."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.bounds import ORDINARY, Bounds
from analyzer.rows import Row, with_interval

CYCLE_COLUMNS: Final = ("cycle", "clear", "strategy", "opponent", "games", *with_interval("win_share"), "p_holm", "won")
"""Columns of :func:`cycle_rows`."""


def cycle_rows(pairs: Sequence[Row], bounds: Bounds = ORDINARY) -> list[Row]:
    """Return the circles of three in which each has more victories than the next, at the tables where both sit.

    Parameters
    ----------
    pairs : sequence of rows
        As :func:`analyzer.comparisons.head_to_head` gives them.
    bounds : Bounds
        Says which differences are clear.

    Returns
    -------
    list of rows
        Three for each circle, in its order: cycle (its number from 1 on, the clearest first), clear ("yes" where all
        three differences are), strategy, opponent, games (rotation blocks where both sit), win_share (by how much the
        strategy's is larger) with its interval, p_holm (over all pairs of the field), and won: "clearly" or "perhaps by
        chance". Circles that are not clear may be mere chance: among n strategies that are alike a quarter of all
        triples are circles.
    """
    names = list(dict.fromkeys(str(row[which]) for row in pairs for which in ("strategy", "opponent")))
    index = {name: at for at, name in enumerate(names)}
    ahead, links = np.zeros((len(names), len(names)), bool), dict[tuple[int, int], Row]()
    for row in pairs:
        a, b, difference = index[str(row["strategy"])], index[str(row["opponent"])], row["win_share"]
        if isinstance(difference, float) and difference:
            pair = (a, b) if difference > 0 else (b, a)
            ahead[pair], links[pair] = True, row if difference > 0 else _turned(row)
    found = [[links[a, b], links[b, c], links[c, a]] for a, b, c in three_cycles(ahead)]
    found.sort(key=lambda circle: max(_p(link) for link in circle))
    rows: list[Row] = []
    for at, circle in enumerate(found, 1):
        clear = "yes" if all(_p(link) < bounds.alpha for link in circle) else "no"
        for link in circle:
            won = "clearly" if _p(link) < bounds.alpha else "perhaps by chance"
            told: Row = {"cycle": at, "clear": clear, **link, "won": won}
            rows.append({name: told[name] for name in CYCLE_COLUMNS})
    return rows


def _turned(row: Row) -> Row:
    """Return a comparison of two seen from the other side."""
    value, low, high = (row[f"win_share{end}"] for end in ("", "_low", "_high"))
    turned = [-each if isinstance(each, float) else None for each in (value, high, low)]
    names = {"strategy": row["opponent"], "opponent": row["strategy"]}
    return row | names | dict(zip(with_interval("win_share"), turned, strict=True))


def _p(row: Row) -> float:
    p = row["p_holm"]
    return p if isinstance(p, float) else 1.0


def three_cycles(beats: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return all triples of strategies that beat each other in a circle: a beats b, b beats c, c beats a.

    Parameters
    ----------
    beats : bool array, shape (strategies, strategies)
        Whether the first is better than the second head to head.

    Returns
    -------
    list of (a, b, c)
        Each circle once, beginning with its first strategy, in ascending order.
    """
    circles = np.argwhere(beats[:, :, None] & beats[None, :, :] & beats.T[:, None, :])
    return [(int(a), int(b), int(c)) for a, b, c in circles if a < min(b, c)]
