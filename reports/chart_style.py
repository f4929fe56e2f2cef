"""What charts of strategies have in common: inks, lines, names, titles, keys.

A page that is dark changes black, white and plain greys to inks of its own. So what is written on a coloured cell, and
the hatching of a coloured bar, has a black or a white that is none of those: it stays as it is.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from reports.plots import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, YELLOW, drawable
from reports.words import apart

Floats = NDArray[np.float64]

INK, GRID, SECOND = "#000000", "0.85", "0.45"
"""Text and what matters most, grids, and secondary marks."""

FIXED_BLACK, FIXED_WHITE = "#010101", "#fefefe"
"""Inks on colours; no page changes them."""

LINES: Final[tuple[tuple[str, str, Any], ...]] = (
    (BLUE, "o", "-"),
    (VERMILION, "s", (0, (5, 2))),
    (GREEN, "^", (0, (6, 1.5, 1, 1.5))),
    (INK, "D", (0, (1, 1.2))),
    (PURPLE, "v", (0, (9, 3))),
    (ORANGE, "P", (0, (3, 1.2, 1, 1.2, 1, 1.2))),
)
"""Colour, marker and dashes of the lines of a chart; more cannot be told apart."""

Part = tuple[str, str, str, str]

PARTS: Final[tuple[Part, ...]] = (
    ("white", "white sheep", "#f2f2f2", ""),
    ("black", "black sheep", "#404040", ""),
    ("three_seven_zero", "3-7-0", BLUE, "///"),
    ("zero_zero_seven", "0-0-7", SKY, "\\\\\\"),
    ("dogs", "single dog", ORANGE, ""),
    ("most_dogs", "most dogs", VERMILION, "xxx"),
    ("bone", "bone", GREEN, "--"),
    ("chips", "chips", YELLOW, ".."),
)
"""Column, words, colour and hatching of each part of a score."""

NAME_WIDTH: Final = 32
"""Letters of a strategy beside its row."""

_LINE_NAME_WIDTH: Final = 42
"""Letters of a strategy in a key."""


def reach(value: Any, low: Any, high: Any) -> Floats:
    """Return how far intervals reach below and above, shape (2, n); nothing where there is no interval."""
    middle, start, end = (np.atleast_1d(np.asarray(x, dtype=float)) for x in (value, low, high))
    return np.maximum([middle - start, end - middle], 0.0)  # below 0 by rounding alone


def floats(frame: pd.DataFrame, column: str) -> Floats:
    """Return a column of figures; what is missing is nan."""
    return frame[column].to_numpy(dtype=float, na_value=np.nan)


def estimates(frame: pd.DataFrame, name: str, scale: float = 1.0) -> tuple[Floats, Floats]:
    """Return figures and how far their intervals reach below and above, shapes (n,) and (2, n)."""
    value, low, high = (scale * floats(frame, name + end) for end in ("", "_low", "_high"))
    return value, reach(value, low, high)


def strategies_of(frame: pd.DataFrame) -> list[str]:
    """Return the strategies of a frame in order."""
    return [str(name) for name in dict.fromkeys(frame["strategy"])]


def short_names(names: Iterable[str], width: int = NAME_WIDTH) -> dict[str, str]:
    """Return what to write for each name: at most `width` signs that the font has, and no two alike."""
    drawn: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text, number = drawable(name), 1
        while text in drawn.values():
            number += 1
            text = f"({number}) {drawable(name)}"
        drawn[name] = text
    short = apart(list(drawn.values()), width)
    return {name: short[text] for name, text in drawn.items()}


def ink_on(colour: Any) -> str:
    """Return the ink that is read best on a colour, by its luminance as WCAG 2 defines it."""
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ (0.2126, 0.7152, 0.0722))
    return FIXED_BLACK if (luminance + 0.05) ** 2 > 1.05 * 0.05 else FIXED_WHITE


def finish(axes: Axes, frame: pd.DataFrame, title: str, grid: str = "") -> None:
    """Set the title, with the number of players if the frame is of one; and a grid along x or y."""
    if "players" in frame and frame["players"].nunique() == 1:
        title += f" – {int(frame['players'].iloc[0])} players"
    axes.set_title(title, fontsize=11, loc="left", weight="bold")
    if grid == "x":
        axes.xaxis.grid(color=GRID)
    elif grid == "y":
        axes.yaxis.grid(color=GRID)
    axes.set_axisbelow(True)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_parse_math(False)


def rows_of(axes: Axes, names: Iterable[str]) -> None:
    """Write a name beside each row, the first on top."""
    names = list(names)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def key_of(names: Iterable[str]) -> list[Line2D]:
    """Return the entries of a key for strategies with lines of their own."""
    short = short_names(names, _LINE_NAME_WIDTH)
    return [
        Line2D([], [], label=name, color=colour, marker=marker, linestyle=dashes, linewidth=1.3, markersize=5)
        for name, (colour, marker, dashes) in zip(short.values(), LINES, strict=False)
    ]


def key_below(axes: Axes, handles: Iterable[Any], columns: int | None = None, away: float = 4.6) -> None:
    """Draw a key below the axes and their label, as many entries side by side as fit; `away` in letters."""
    handles = list(handles)
    labels = [str(handle.get_label()) for handle in handles]
    if columns is None:
        columns = max(1, min(len(labels), 3, 115 // (max(map(len, labels), default=1) + 8)))
    key = axes.legend(
        handles=handles,
        labels=[f" {label}" if label.startswith("_") else label for label in labels],  # else it would be left out
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        borderaxespad=away,
        ncols=columns,
        frameon=False,
        fontsize=9,
        handlelength=3.4,
        handleheight=1.2,
        columnspacing=1.4,
    )
    for text in key.get_texts():
        text.set_parse_math(False)
