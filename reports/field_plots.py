"""Charts of who is better in a field of strategies.

Each takes a frame and axes and returns the figure; none saves or shows. So do those of :mod:`reports.field_grids`,
:mod:`reports.field_bids` and :mod:`reports.field_scores`.
"""

from itertools import cycle
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reports.chart_style import (
    FIXED_BLACK,
    GRID,
    INK,
    LINES,
    SECOND,
    Floats,
    estimates,
    finish,
    floats,
    ink_on,
    key_below,
    rows_of,
    short_names,
    strategies_of,
)
from reports.plots import BLUE, GREEN, ORANGE, SKY, figure_of

MEAN_RATING: Final = 1500
"""Rating of an average strategy of the field."""

_SOURCES: Final = {
    "strategy": (BLUE, ""),
    "opponents": (ORANGE, "///"),
    "seat": (GREEN, "xxx"),
    "deck and dice": (SKY, "\\\\\\"),
}
"""Colour and hatching of what makes scores differ."""

_WORDS: Final = 40
"""Letters of a strategy in a label."""

_ROOM: Final = 0.08
"""Share of a bar that a figure needs to be written into it."""


def standings_chart(frame: pd.DataFrame, axes: Axes, players: int | None = None) -> Figure:
    """Draw win shares with their intervals, the best on top, and which of them cannot be told apart.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `standings`.
    axes : Axes
        Drawn on.
    players : int, optional
        At every table: then an equal share of the victories is drawn. None if that differs.
    """
    _dots(frame, *estimates(frame, "win_share", 100), axes, 1)
    if players:
        _reference(axes, 100 / players, "equal share")
    _groups(frame, axes)
    axes.set_xlabel("win share (% of victories; a shared victory counts in parts)")
    finish(axes, frame, "Who wins how often", "x")
    return figure_of(axes)


def ratings_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw ratings with their intervals, in the order of the table `standings`, and the mean of the field."""
    _dots(frame, *estimates(frame, "rating"), axes, 0)
    _reference(axes, MEAN_RATING, "mean of the field")
    axes.set_xlabel("rating (points; 400 more: ahead ten times out of eleven)")
    finish(axes, frame, "Rating by finishing orders", "x")
    return figure_of(axes)


def win_share_by_players(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how much more than an equal share each strategy wins, for each number of players.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `seats`; those of all seats together are drawn.
    axes : Axes
        Drawn on.
    """
    together = frame[frame["seat"].isna()]
    equal = 100 / floats(together, "players")
    share, error = estimates(together, "win_share", 100)
    order = together.assign(over=share - equal).groupby("strategy", sort=False)["over"].mean()
    names = [str(name) for name in order.sort_values(ascending=False, kind="stable").index]
    _by_players(together, share - equal, error, names, axes)
    axes.axvline(0, color=SECOND, linestyle="--", linewidth=1)
    axes.set_xlabel("win share less an equal share (points of a hundred)")
    finish(axes, together, "Who wins more at small or at large tables", "x")
    return figure_of(axes)


def mixture_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how often to draw each strategy so that nobody gains by playing another one.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `mixture`; strategies that have no share with any number of players are counted, not drawn.
    axes : Axes
        Drawn on.
    """
    names = in_mixture(frame)
    shown = frame[frame["strategy"].isin(names)]
    _by_players(shown, *estimates(shown, "share", 100), names, axes)
    left_out = frame["strategy"].nunique() - len(names)
    note = f"; {left_out} more with no share" if left_out else ""
    axes.set(xlabel=f"share in the mixture (%){note}", xlim=(-3, 103))
    finish(axes, shown, "The mixture that nobody gains by leaving", "x")
    return figure_of(axes)


def in_mixture(frame: pd.DataFrame) -> list[str]:
    """Return the strategies that have, or could have, a share in a mixture of the table `mixture`."""
    there = (floats(frame, "share") > 0) | (floats(frame, "share_high") > 0)
    return strategies_of(frame[there])


def luck_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Stack what makes single scores differ, a bar for each number of players, intervals where parts end."""
    counts = [int(n) for n in dict.fromkeys(frame["players"])]
    sources = [str(name) for name in dict.fromkeys(frame["source"])]
    left = np.zeros(len(counts))
    for source in sources:
        colour, hatch = _SOURCES[source]
        rows = frame[frame["source"] == source].set_index("players").loc[counts]
        share, error = estimates(rows, "share", 100)
        bars = axes.barh(
            *(range(len(counts)), np.nan_to_num(share), 0.55, left),
            label=source,
            color=colour,
            hatch=hatch,
            edgecolor=FIXED_BLACK,
            linewidth=0.6,
        )
        for bar, value, (below, above) in zip(bars, share, error.T, strict=True):
            if value >= 100 * _ROOM:
                _inside(axes, bar, value, max(below, above), colour)
        left += np.nan_to_num(share)
    rows_of(axes, [f"{n} players" for n in counts])
    axes.set(xlabel="share of the variance of single scores (%)", xlim=(0, 100))
    finish(axes, pd.DataFrame(), "Luck and skill: what makes scores differ")
    key_below(axes, axes.containers, columns=len(sources))
    return figure_of(axes)


def ahead_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how far candidates are ahead of the first one among the same opponents (table `candidates`)."""
    first = str(frame["strategy"].iloc[0])
    _dots(frame, *_from_the_first(frame), axes, 1)
    _reference(axes, 0, "the first")
    axes.set_xlabel(f"win share less that of {short_names([first], _WORDS)[first]} (points of a hundred)")
    axes.xaxis.label.set_parse_math(False)
    finish(axes, frame, "How far ahead, among the same opponents", "x")
    return figure_of(axes)


def behind_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how much less candidates of a race win than the best of their stage (table `candidates` of find-best)."""
    behind, error = estimates(frame, "behind", 100)
    _dots(frame, -behind + 0.0, error[::-1], axes, 1)  # no negative zero for the best
    _reference(axes, 0, "the best of its stage")
    axes.set_xlabel("win share less that of the best of its stage (points of a hundred)")
    finish(axes, frame, "How far behind the best", "x")
    return figure_of(axes)


def settings_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw win shares in two settings, the second below the first (table `settings`)."""
    handles, places = [], np.arange(len(frame))
    for name, label, shift, style in (
        ("win_share", "first setting", -0.15, {"marker": "o", "color": INK}),
        ("win_share_then", "second setting", 0.15, {"marker": "s", "color": INK, "markerfacecolor": "white"}),
    ):
        share, error = estimates(frame, name, 100)
        look: dict[str, Any] = {"linestyle": "none", "markersize": 5, **style}
        axes.errorbar(share, places + shift, xerr=error, capsize=3, linewidth=1.2, **look)
        handles.append(Line2D([], [], label=label, **look))
    rows_of(axes, short_names(strategies_of(frame)).values())
    axes.set_xlabel("win share (% of victories)")
    finish(axes, frame, "Win shares in two settings, on the same deals", "x")
    key_below(axes, handles, columns=2)
    return figure_of(axes)


def places_chart(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw win shares, between which ends they are in other settings, and what is known of places (table `places`)."""
    low, high = (100 * floats(frame, name) for name in ("lowest_win_share", "highest_win_share"))
    share, error = estimates(frame, "win_share", 100)
    places = np.arange(len(frame))
    axes.hlines(places, low, high, color=SECOND, linewidth=4, label="in the other settings")
    look: dict[str, Any] = {"fmt": "o", "color": INK, "markersize": 5, "capsize": 3}
    axes.errorbar(share, places, xerr=error, label="in the first setting", **look)
    at = axes.get_yaxis_transform()
    for place, verdict in enumerate(frame["verdict"]):
        axes.text(1.01, place, f"place {verdict}", transform=at, va="center", fontsize=8)
    rows_of(axes, short_names(strategies_of(frame)).values())
    axes.set_xlabel("win share (% of victories)")
    finish(axes, frame, "Which places survive in other settings", "x")
    key_below(axes, axes.get_legend_handles_labels()[0], columns=2)
    return figure_of(axes)


def _from_the_first(frame: pd.DataFrame) -> tuple[Floats, Floats]:
    """Return by how much candidates are ahead of the first, who is ahead by nothing."""
    value, error = estimates(frame, "win_share_ahead", 100)
    return np.where(np.arange(len(frame)) == 0, 0.0, value), error


def _inside(axes: Axes, bar: Any, value: float, half: float, colour: str) -> None:
    """Write a share and its interval into a part of a bar."""
    known = f" ±{half:.1f}" if half == half else ""  # noqa: PLR0124 - not a number: no interval
    middle = bar.get_x() + bar.get_width() / 2
    axes.text(
        *(middle, bar.get_y() + bar.get_height() / 2, f"{value:.1f}{known}"),
        ha="center",
        va="center",
        fontsize=8,
        color=ink_on(colour),
        bbox={"facecolor": colour, "edgecolor": "none", "pad": 2.5},
    )


def _dots(frame: pd.DataFrame, value: Floats, error: Floats, axes: Axes, digits: int) -> None:
    """Draw a row for each strategy: a point, its interval, its figure."""
    names = short_names(strategies_of(frame))
    places = np.arange(len(names))
    axes.errorbar(value, places, xerr=error, fmt="o", color=INK, markersize=5, capsize=3, linewidth=1.3)
    ends = value + np.nan_to_num(error[1])
    for place, at, end in zip(places.tolist(), value, ends, strict=True):
        if at == at:  # noqa: PLR0124 - not a number: not known
            axes.annotate(
                f"{at:.{digits}f}".replace("-", "−"),
                (end, place),
                (6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
    rows_of(axes, names.values())
    axes.margins(x=0.09)


def _reference(axes: Axes, value: float, words: str) -> None:
    """Draw a line to compare with, and say above it what it is."""
    axes.axvline(value, color=SECOND, linestyle="--", linewidth=1, zorder=1)
    at: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
    axes.annotate(words, (value, 1), (3, 2), fontsize=8, va="bottom", **at)


def _groups(frame: pd.DataFrame, axes: Axes) -> None:
    """Bracket the strategies of a group beside their rows; a group that others interrupt has several brackets."""
    groups = frame["group"].astype("Int64").reset_index(drop=True)
    numbers = groups.fillna(0).to_numpy(dtype=np.int64)
    at = axes.get_yaxis_transform()
    for _, rows in groups.groupby(np.cumsum(np.diff(numbers, prepend=-1) != 0)):
        if pd.isna(rows.iloc[0]):
            continue
        first, last = rows.index[0] - 0.36, rows.index[-1] + 0.36
        bracket = ([1.005, 1.015, 1.015, 1.005], [first, first, last, last])
        axes.plot(*bracket, color=INK, linewidth=1.1, transform=at, clip_on=False)
        axes.text(1.025, (first + last) / 2, f"group {rows.iloc[0]}", transform=at, va="center", fontsize=9)


def _by_players(frame: pd.DataFrame, value: Floats, error: Floats, names: list[str], axes: Axes) -> None:
    """Draw a row for each strategy with a point for each number of players."""
    counts = sorted({int(n) for n in frame["players"]})
    row = {name: at for at, name in enumerate(names)}
    shifts = np.linspace(-0.26, 0.26, len(counts)) if len(counts) > 1 else np.zeros(1)
    players = frame["players"].to_numpy(dtype=np.int64)
    places = np.array([row[str(name)] for name in frame["strategy"]], float)
    handles = []
    for count, shift, (colour, marker, _) in zip(counts, shifts, cycle(LINES), strict=False):
        here = players == count
        style: dict[str, Any] = {"color": colour if len(counts) > 1 else INK, "marker": marker, "markersize": 4.5}
        axes.errorbar(
            value[here], places[here] + shift, xerr=error[:, here], linestyle="none", capsize=2, linewidth=1.1, **style
        )
        handles.append(Line2D([], [], linestyle="none", label=f"{count} players", **style))
    rows_of(axes, short_names(names).values())
    if len(counts) > 1:
        for between in range(1, len(names)):
            axes.axhline(between - 0.5, color=GRID, linewidth=0.8, zorder=0)
        key_below(axes, handles, columns=len(handles))
