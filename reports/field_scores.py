"""Charts of the scores of a field of strategies: how they are distributed, and what they are made of."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from reports.chart_style import (
    FIXED_BLACK,
    INK,
    PARTS,
    SECOND,
    Floats,
    Part,
    estimates,
    finish,
    floats,
    key_below,
    reach,
    rows_of,
    short_names,
    strategies_of,
)
from reports.game_plots import highest_shown, score_shares, score_step
from reports.plots import SKY, figure_of

_RIDGE, _RANGE = 0.62, 0.17
"""How high the highest distribution is drawn over its baseline, and how far below that is where scores lie; in rows."""

_MOST_STEPS: Final = 120
"""Points of a distribution; more show no more, and make a file large."""

_BAR, _TOTAL = 0.44, 0.4
"""Height of a bar of parts, and how far below its middle the mark of the score is; in rows."""


def score_ridges(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how often each score is made, a row for each strategy; below it where most scores lie, and the mean.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `histogram` of one number of players with the columns `mean_score`, `mean_score_low` and
        `mean_score_high` beside them.
    axes : Axes
        Drawn on.
    """
    rows = [(name, frame[frame["strategy"] == name]) for name in strategies_of(frame)]
    step = _coarse(score_step(min(int(each["games"].sum()) for _, each in rows)), int(np.ptp(frame["score"])))
    low, high = int(frame["score"].min()) // step - 1, int(frame["score"].max()) // step + 1
    middles = np.arange(low, high + 1) * step + (step - 1) / 2
    shares = [score_shares(each, low, high, step) for _, each in rows]
    highest = highest_shown(shares)
    for place, ((_, each), share) in enumerate(zip(rows, shares, strict=True)):
        height = place - _RIDGE * np.minimum(share, highest) / highest
        axes.fill(middles, height, facecolor=SKY, edgecolor=INK, linewidth=0.7, zorder=2)
        _range_below(each, place + _RANGE, axes)
    rows_of(axes, short_names([name for name, _ in rows]).values())
    axes.text(1.01, -0.55, "mean", transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    axes.set_ylim(len(rows) - 0.55, -0.8)
    axes.set_xlim(middles[0], middles[-1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("score (points)" + (f", counted in steps of {step}" if step > 1 else ""))
    finish(axes, frame, "How scores are distributed", "x")
    key_below(axes, _range_key(), columns=2)
    return figure_of(axes)


def _coarse(step: int, span: int) -> int:
    """Return the least of some steps, from one on, in which scores are counted so that not too many are drawn."""
    return next((wider for wider in (1, 2, 5, 10, 20, 50) if wider >= step and span / wider <= _MOST_STEPS), 100)


def quantile_of(rows: pd.DataFrame, share: float) -> int:
    """Return the smallest score that a share of all games does not exceed, from the rows of a histogram."""
    ordered = rows.sort_values("score")
    upto = np.cumsum(ordered["games"].to_numpy(dtype=np.int64))
    at = int(np.searchsorted(upto, min(max(np.ceil(share * upto[-1]), 1), upto[-1])))
    return int(ordered["score"].iloc[at])


def _range_below(rows: pd.DataFrame, y: float, axes: Axes) -> None:
    """Draw the middle 90 % and the middle half of scores, their median, and the mean with its interval."""
    ends = [quantile_of(rows, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)]
    axes.plot([ends[0], ends[4]], [y, y], color=SECOND, linewidth=1.2, solid_capstyle="butt", zorder=2)
    axes.plot([ends[1], ends[3]], [y, y], color=SECOND, linewidth=5, solid_capstyle="butt", zorder=2)
    axes.plot([ends[2]], [y], color=INK, marker="|", markersize=10, markeredgewidth=2, zorder=3)
    mean, low, high = (float(rows[f"mean_score{end}"].iloc[0]) for end in ("", "_low", "_high"))
    axes.errorbar(
        *([mean], [y]),
        xerr=reach(mean, low, high),
        **_MEAN,
        capsize=3,
        zorder=4,
    )
    axes.text(1.01, y, f"{mean:.1f}", transform=axes.get_yaxis_transform(), va="center", fontsize=8)


_MEAN: Final[dict[str, Any]] = {"fmt": "D", "color": INK, "markerfacecolor": "white", "markersize": 4.5}


def _range_key() -> Sequence[Any]:
    mean = {name: value for name, value in _MEAN.items() if name != "fmt"}
    return [
        Line2D([], [], color=SECOND, linewidth=1.2, label="5 % to 95 % of games"),
        Line2D([], [], color=SECOND, linewidth=5, label="middle half of games"),
        Line2D([], [], color=INK, linestyle="none", marker="|", markersize=10, markeredgewidth=2, label="median"),
        Line2D([], [], linestyle="none", marker="D", label="mean with its interval", **mean),
    ]


def points_by_part(frame: pd.DataFrame, axes: Axes, parts: Sequence[Part] = PARTS) -> Figure:
    """Stack what mean scores are made of, losses left of zero, and mark the whole with its interval.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `scores` of one number of players.
    axes : Axes
        Drawn on.
    parts : sequence of (column, words, colour, hatching)
        Of a score, in order from zero outwards.
    """
    places = np.arange(len(frame))
    right, left = np.zeros((2, len(frame)))
    handles: list[Any] = []
    for column, label, colour, hatch in parts:
        width = np.nan_to_num(floats(frame, column))
        style: dict[str, Any] = {
            "facecolor": colour,
            "hatch": hatch,
            "edgecolor": FIXED_BLACK if hatch else INK,
            "linewidth": 0.6,
        }
        axes.barh(places, width, _BAR, left=np.where(width >= 0, right, left), label=label, **style)
        handles.append(Patch(label=label, **style))
        right += np.maximum(width, 0.0)
        left += np.minimum(width, 0.0)
    mean, error = estimates(frame, "mean_score")
    axes.errorbar(mean, places + _TOTAL, xerr=error, **_MEAN, capsize=3)
    _totals(mean, error, places + _TOTAL, axes)
    mark = {name: value for name, value in _MEAN.items() if name != "fmt"}
    handles.append(Line2D([], [], linestyle="none", marker="D", label="score with its interval", **mark))
    rows_of(axes, short_names(strategies_of(frame)).values())
    axes.set_ylim(len(frame) - 0.35, -0.5)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("mean points in a game")
    finish(axes, frame, "What scores are made of", "x")
    key_below(axes, handles, columns=3)
    return figure_of(axes)


def _totals(mean: Floats, error: Floats, y: Any, axes: Axes) -> None:
    """Write mean scores beside their marks."""
    for value, above, place in zip(mean, np.nan_to_num(error[1]), y, strict=True):
        if value == value:  # noqa: PLR0124 - not a number: not known
            axes.annotate(
                f"{value:.1f}", (value + above, place), (6, 0), textcoords="offset points", va="center", fontsize=8
            )
