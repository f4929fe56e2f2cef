"""Charts of tournaments: functions of a frame and an axes; they neither save nor show."""

import re
import textwrap
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reports.plots import drawable

_NUMBERED: Final = re.compile(r" \([0-9]+\)$")
"""What stands behind a name that is there twice."""

_VALUE: Final = re.compile(r"(?<=[:,])(\w+)=(-?[0-9.]+(?:e-?[0-9]+)?)")
TITLE_WIDTH: Final = 100


def swept_parameter(specs: pd.Series) -> tuple[str, np.ndarray] | None:
    """Return the one parameter in which specs differ, and its values; None if that is not all that differs."""
    specs = specs.str.replace(_NUMBERED, "", regex=True)
    frames = {_VALUE.sub(r"\1=", spec) for spec in specs}
    values = [dict(_VALUE.findall(spec)) for spec in specs]
    different = [name for name in values[0] if len({each.get(name) for each in values}) > 1]
    if len(frames) > 1 or len(different) != 1:
        return None
    return different[0], np.array([float(each[different[0]]) for each in values])


def win_share_by_parameter(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw the win share of candidates against the parameter in which they differ, with 95 % intervals.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `candidates`; an equal share of the victories is drawn if there is a column `players`.
    axes : Axes
    """
    swept = swept_parameter(frame["strategy"])
    share = frame["win_share"].to_numpy(dtype=float)
    if swept is None:
        label, x = "strategy", np.arange(len(frame), dtype=float)
        axes.set_xticks(x, [drawable(spec) for spec in frame["strategy"]], rotation=30, ha="right", fontsize=8)
    else:
        label, x = swept
        if all(value == int(value) for value in x):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    low, high = (frame[f"win_share_{end}"].to_numpy(dtype=float) for end in ("low", "high"))
    error = np.nan_to_num(np.stack([share - low, high - share])) * 100
    joined = "o" if swept is None else "o-"  # different strategies are no line
    axes.errorbar(x, share * 100, error, fmt=joined, color="black", capsize=4, markersize=5, linewidth=1.2)
    if "players" in frame:
        equal = 100 / frame["players"].iloc[0]
        axes.axhline(equal, color="0.45", linestyle="--", linewidth=1)
        axes.annotate("an equal share", (1, equal), (-4, 4), xycoords=("axes fraction", "data"),
                      textcoords="offset points", ha="right", fontsize=8)  # fmt: skip
    axes.set(xlabel=label, ylabel="win share (%)")
    axes.grid(axis="y", color="0.85")
    axes.set_axisbelow(True)
    for text in axes.get_xticklabels():
        text.set_parse_math(False)
    figure = axes.figure
    assert isinstance(figure, Figure)
    return figure


def sweep_figure(frame: pd.DataFrame, title: str) -> Figure:
    """Return the picture of a sweep."""
    figure = Figure(figsize=(9.5, 5.2), layout="constrained")
    win_share_by_parameter(frame, figure.subplots())
    figure.suptitle(textwrap.fill(title, TITLE_WIDTH, break_on_hyphens=False), fontsize=11).set_parse_math(False)
    return figure
