"""Charts of a field of strategies cell by cell: head to head, by seat, by bid, by turn.

Few strategies have lines with intervals, more have a grid of cells: dark for less and light for more, which is blue and
yellow in colour, so that a grid is read in grey too; and the figure in a cell has its sign.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from reports.chart_style import (
    GRID,
    INK,
    LINES,
    NAME_WIDTH,
    Floats,
    estimates,
    finish,
    floats,
    ink_on,
    key_below,
    key_of,
    rows_of,
    short_names,
    strategies_of,
)
from reports.plots import figure_of

LESS_OR_MORE: Final = LinearSegmentedColormap.from_list(
    "less-or-more", ["#06294f", "#2f6596", "#83a0b5", "#c9c6bd", "#ecd68a", "#f9dc4a", "#ffee9e"], N=41
)
"""Dark blue for less, light yellow for more; so few steps that a colour bar of it stays a drawing."""

_SIZES: Final = ((10, 8.0), (12, 7.0), (14, 6.5))
"""Columns up to which cells have room for figures with a tenth, of that size; beyond, figures are whole."""

_FIGURES_UP_TO, _SLANTED_UP_TO = 20, 6
"""Columns up to which cells have room for any figures, and names above columns for a slant."""

_COLUMN_NAME_WIDTH: Final = 22

_GAIN_LABEL: Final = "points gained in a round (mean)"
_SEAT_LABEL: Final = "win share from the seat less that from all\n(points of a hundred)"

ALPHA: Final = 0.05
"""Chance of an error up to which a difference counts as clear."""

_HAIR: Final = 1e-9
"""So that a range of colours is never empty."""

_APART: Final = 0.12
"""How far beside each other lines are drawn."""

_POINTS: Final = {f"points{end}": f"figure{end}" for end in ("", "_low", "_high")}

Flags = NDArray[np.bool_]


def head_to_head(frame: pd.DataFrame, axes: Axes, order: Sequence[str] | None = None) -> Figure:
    """Draw how much more a strategy wins than another where both sit: row less column.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `pairs`.
    axes : Axes
        Drawn on.
    order : sequence of str, optional
        The strategies from the top; by default those that are further ahead of the others first.
    """
    ahead, doubt = matrix_of(frame, "win_share", -100.0), matrix_of(frame, "p_holm", 1.0)
    if order is None:
        order = [str(name) for name in ahead.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    values, p = (table.loc[list(order), list(order)].to_numpy(dtype=float) for table in (ahead, doubt))
    columns = list(short_names(order, _COLUMN_NAME_WIDTH).values())
    label = "win share of the row\nless that of the column\n(points of a hundred)"
    unclear = ~(p <= ALPHA)
    _cells(values, axes, list(order), columns, label, unclear)
    axes.xaxis.tick_top()
    upright = len(columns) > _SLANTED_UP_TO
    for text in axes.get_xticklabels():
        text.set(rotation=90 if upright else 40, ha="center" if upright else "left")
        text.set_rotation_mode(None if upright else "anchor")
    axes.set_xlabel(
        f"{_mark(len(columns))}: not clear beyond chance (Holm, {ALPHA:.0%} for all pairs together)", fontsize=9
    )
    finish(axes, frame, "Head to head: how much more the row wins than the column")
    return figure_of(axes)


def matrix_of(frame: pd.DataFrame, column: str, turned: float) -> pd.DataFrame:
    """Return a figure of the table `pairs` for both orders of each pair: `turned` times as much seen from the other."""
    names = list(dict.fromkeys([*frame["strategy"], *frame["opponent"]]))
    values = pd.DataFrame(np.nan, index=names, columns=names)
    for one, other, value in zip(frame["strategy"], frame["opponent"], floats(frame, column), strict=True):
        values.loc[one, other], values.loc[other, one] = abs(turned) * value, turned * value
    return values


def win_share_by_seat(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how much more a strategy wins from a seat than from all seats together, for one number of players.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `seats`.
    axes : Axes
        Drawn on.
    """
    together = frame["seat"].isna()
    usual = frame[together].set_index("strategy")["win_share"]
    seats = less(frame[~together], "win_share", usual.loc[list(frame[~together]["strategy"])].to_numpy(dtype=float))
    by_key(seats, "seat", axes, _SEAT_LABEL, "seat (numbered from 0)", 100.0)
    finish(axes, frame, "Does the seat matter?", "y" if few(seats) else "")
    return figure_of(axes)


def gains_by_bid(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw the points that a round brings, by the bid made (table `bids`)."""
    by_key(frame.rename(columns=_POINTS), "bid", axes, _GAIN_LABEL, "bid made in the round")
    finish(axes, frame, "What a bid brings", "y" if few(frame) else "")
    return figure_of(axes)


def gains_by_turn(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw the points that a round brings, by the place in the turn order (table `turns`)."""
    by_key(frame.rename(columns=_POINTS), "place", axes, _GAIN_LABEL, "place in the turn order (1 goes first)")
    finish(axes, frame, "What going early or late brings", "y" if few(frame) else "")
    return figure_of(axes)


def few(frame: pd.DataFrame) -> bool:
    """Whether the strategies of a frame are so few that each can have a line of its own."""
    return frame["strategy"].nunique() <= len(LINES)


def less(frame: pd.DataFrame, name: str, usual: Floats) -> pd.DataFrame:
    """Return a frame with the columns `figure`, `figure_low`, `figure_high`: an estimate less what is usual."""
    return frame.assign(**{f"figure{end}": floats(frame, name + end) - usual for end in ("", "_low", "_high")})


def by_key(frame: pd.DataFrame, key: str, axes: Axes, label: str, key_label: str, scale: float = 1.0) -> None:
    """Draw an estimate by strategy and something else: lines with intervals for few strategies, else cells.

    Parameters
    ----------
    frame : DataFrame
        Columns strategy, `key`, and figure with the ends of its interval.
    key : str
        A column of whole numbers or bids.
    axes : Axes
        Drawn on.
    label, key_label : str
        What the figure is, and its unit; what `key` is.
    scale : float
        What figures are multiplied with.
    """
    keys = keys_of(frame, key)
    if few(frame):
        lines(frame, key, axes, scale)
        axes.set(xlabel=key_label, ylabel=label)
        if axes.get_ylim()[0] < 0 < axes.get_ylim()[1]:
            axes.axhline(0, color=INK, linewidth=0.8)
        key_below(axes, key_of(strategies_of(frame)))
        return
    names, (value, low, high) = strategies_of(frame), (floats(frame, f"figure{end}") for end in ("", "_low", "_high"))
    rows, columns = ([names.index(str(name)) for name in frame["strategy"]], [keys.index(str(at)) for at in frame[key]])
    cells, unclear = np.full((len(names), len(keys)), np.nan), np.zeros((len(names), len(keys)), bool)
    cells[rows, columns], unclear[rows, columns] = scale * value, ~((low > 0) | (high < 0))
    _cells(cells, axes, names, keys, label, unclear)
    note = f"\n{_mark(len(keys))}: the interval holds 0, no difference" if unclear.any() else ""
    axes.set_xlabel(key_label + note, fontsize=9)


def lines(frame: pd.DataFrame, key: str, axes: Axes, scale: float = 1.0, *, joined: bool = True) -> Floats:
    """Draw the column `figure` by something else, side by side, in the style of each strategy.

    Returns
    -------
    float64 array
        Where along x each row of the frame is drawn.
    """
    keys, names = keys_of(frame, key), strategies_of(frame)
    at: Floats = np.array([keys.index(str(value)) for value in frame[key]], np.float64)
    shifts = _APART * (np.arange(len(names)) - (len(names) - 1) / 2)
    for name, shift, (colour, marker, dashes) in zip(names, shifts, LINES, strict=False):
        here = np.flatnonzero(frame["strategy"] == name)
        here = here[np.argsort(at[here])]
        at[here] += float(shift)
        value, error = estimates(frame.iloc[here], "figure", scale)
        axes.errorbar(
            *(at[here], value),
            yerr=error,
            marker=marker,
            markersize=4.5,
            color=colour,
            linestyle=dashes if joined else "none",
            linewidth=1.1,
            elinewidth=1.1,
            capsize=2.5,
        )
    axes.set_xticks(range(len(keys)), keys)
    axes.set_xticks(np.arange(len(keys) + 1) - 0.5, minor=True)
    axes.xaxis.grid(which="minor", color=GRID)
    axes.tick_params(axis="x", which="both", length=0)
    axes.set_xlim(-0.5, max(len(keys), 1) - 0.5)
    return at


def keys_of(frame: pd.DataFrame, key: str) -> list[str]:
    """Return what a frame is divided by, in order; 26+ comes after 26."""
    return sorted({str(value) for value in frame[key]}, key=lambda text: (int(text.rstrip("+")), text))


def _cells(values: Floats, axes: Axes, rows: Sequence[str], columns: Sequence[str], label: str, unclear: Flags) -> None:
    """Draw cells from dark for less to light for more, with signed figures; what is not clear is marked."""
    shades = np.where(unclear, 0.0, values) if np.nanmin(values, initial=0.0) < 0 else values
    shades = np.where(np.isnan(values), np.nan, shades)
    scale = _scale(shades[np.isfinite(shades)])
    edges = [np.arange(n + 1) - 0.5 for n in values.shape]
    mesh = axes.pcolormesh(
        *(edges[1], edges[0], np.ma.masked_invalid(shades)),
        cmap=LESS_OR_MORE,
        norm=scale,
        edgecolors="#ffffff",
        linewidth=1.0,
    )
    size = next((size for upto, size in _SIZES if len(columns) <= upto), None)
    for (y, x), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        ink = ink_on(LESS_OR_MORE(scale(shades[y, x])))
        if len(columns) > _FIGURES_UP_TO:
            if unclear[y, x]:
                axes.plot(x, y, marker="o", markersize=3.5, color=ink, markerfacecolor="none")
            continue
        text = signed(float(value), 1 if size else 0)
        text = f"({text})" if unclear[y, x] else text
        axes.text(x, y, text, ha="center", va="center", fontsize=size or _SIZES[-1][1], color=ink)
    rows_of(axes, short_names(rows, NAME_WIDTH).values())
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), list(columns), fontsize=9)
    axes.tick_params(axis="x", length=0)
    axes.spines["bottom"].set_visible(False)
    bar = figure_of(axes).colorbar(
        mesh, ax=axes, format=FuncFormatter(lambda at, _: f"{at:+g}"), fraction=0.04, aspect=40, pad=0.02
    )
    bar.set_label(label, fontsize=9)
    bar.outline.set_visible(False)


def _scale(values: Floats) -> Normalize:
    """Return from where to where colours go: as far below zero as above; or just as far as needed on one side of it."""
    low, high = (float(end) for end in (values.min(initial=0.0), values.max(initial=0.0)))
    if low < 0 < high or low == high:
        furthest = max(-low, high) or 1.0
        return Normalize(-furthest, furthest)
    return Normalize(float(values.min()) - _HAIR, float(values.max()) + _HAIR)


def signed(value: float, digits: int) -> str:
    """Write a figure with its sign; a true minus is as wide as a plus."""
    text = f"{value:+.{digits}f}"
    return text[1:] if not float(text) else text.replace("-", "−")


def _mark(columns: int) -> str:
    """Say how cells that are not clear are marked."""
    return "grey, in parentheses" if columns <= _FIGURES_UP_TO else "grey, with a circle"
