"""Charts of tournaments: functions of a frame and an axes; they neither save nor show."""

import re
import textwrap
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reports.plots import drawable
from reports.words import shortened

_NUMBERED: Final = re.compile(r" \([0-9]+\)$")
"""What stands behind a name that is there twice."""

_VALUE: Final = re.compile(r"(?<=[:,])(\w+)=(-?[0-9.]+(?:e-?[0-9]+)?)")
TITLE_WIDTH: Final = 100
NAME_WIDTH: Final = 40


def swept_parameter(specs: pd.Series) -> tuple[str, np.ndarray] | None:
    """Return the one parameter in which specs differ, and its values; None if that is not all that differs."""
    specs = specs.str.replace(_NUMBERED, "", regex=True)
    frames = {_VALUE.sub(r"\1=", spec) for spec in specs}
    values = [dict(_VALUE.findall(spec)) for spec in specs]
    different = [name for name in values[0] if len({each.get(name) for each in values}) > 1]
    if len(frames) > 1 or len(different) != 1:
        return None
    return different[0], np.array([float(each[different[0]]) for each in values])


def win_share_by_strategy(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw win shares with 95 % intervals: against the one parameter in which the strategies differ, if it is so.

    Parameters
    ----------
    frame : DataFrame
        Rows with `strategy` and `win_share`, as the tables of a run have them; where there is a `win_share_then`, with
        other cards or rules, it is drawn beside. An equal share of the victories is drawn if there is a column
        `players`.
    axes : Axes
    """
    swept = swept_parameter(frame["strategy"])
    if swept is None:
        label, x = "strategy", np.arange(len(frame), dtype=float)
        names = [drawable(shortened(spec, NAME_WIDTH)) for spec in frame["strategy"]]
        axes.set_xticks(x, names, rotation=30, ha="right", fontsize=8)
    else:
        label, x = swept
        order = np.argsort(x)
        frame, x = frame.iloc[order], x[order]
        if all(value == int(value) for value in x):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    form = "o" if swept is None else "o-"  # different strategies are no line
    both = "win_share_then" in frame
    apart = 0.006 * max(float(np.ptp(x)), 1.0) if both else 0.0
    _draw(frame, "win_share", x - apart, axes, form, "black", label="before" if both else None)
    if both:
        open_form = {"markerfacecolor": "white", "linestyle": "--" if swept else "none"}
        _draw(frame, "win_share_then", x + apart, axes, "s", "0.4", label="then", **open_form)
        axes.legend(frameon=False)
    if "players" in frame:
        equal = 100 / frame["players"].iloc[0]
        axes.axhline(equal, color="0.45", linestyle="--", linewidth=1)
        axes.annotate("an equal\nshare", (1, equal), (4, 0), xycoords=("axes fraction", "data"),
                      textcoords="offset points", va="center", fontsize=8)  # fmt: skip
    axes.set(xlabel=label, ylabel="win share (%)")
    axes.grid(axis="y", color="0.85")
    axes.set_axisbelow(True)
    for text in axes.get_xticklabels():
        text.set_parse_math(False)
    figure = axes.figure
    assert isinstance(figure, Figure)
    return figure


def _draw(frame: pd.DataFrame, name: str, x: np.ndarray, axes: Axes, form: str, color: str, **style: Any) -> None:
    """Draw a share in percent with its interval."""
    share, low, high = (frame[f"{name}{end}"].to_numpy(dtype=float) * 100 for end in ("", "_low", "_high"))
    error = np.nan_to_num(np.stack([share - low, high - share]))
    axes.errorbar(x, share, error, fmt=form, color=color, capsize=4, markersize=5, linewidth=1.2, **style)


def win_share_figure(frame: pd.DataFrame, title: str) -> Figure:
    """Return the picture of :func:`win_share_by_strategy`."""
    figure = Figure(figsize=(9.5, 5.2), layout="constrained")
    win_share_by_strategy(frame, figure.subplots())
    figure.suptitle(textwrap.fill(title, TITLE_WIDTH, break_on_hyphens=False), fontsize=11).set_parse_math(False)
    return figure
