"""Charts. Each takes a frame and axes and returns the figure; none saves or shows.

Colours are from the palette of M. Okabe and K. Ito, which the colour-blind can tell apart; where two colours could look
alike in grey, hatching or markers tell them apart too.
"""

import textwrap
from itertools import cycle
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ticker import PercentFormatter

from analyzer.wool_rules.bid_table import SIMULATED
from analyzer.wool_rules.rules import STANDARD, Rules
from reports.words import cards_words, chips_words, describe, percent, under_words

BLUE, SKY, YELLOW, ORANGE, GREEN, VERMILION, PURPLE = (
    "#0072B2",
    "#56B4E9",
    "#F0E442",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
)
_MARKS: Final = ((VERMILION, "o"), (GREEN, "s"), (PURPLE, "^"), (ORANGE, "D"), (SKY, "v"))
_DASHES: Final = ("-", "--", "-.", ":")
"""Colours and markers of the lines of a chart, and dashes, in order."""

TITLE_WIDTH: Final = 90
"""Letters in a line of a title."""

_ATTEMPTS: Final = (
    ("p_three", "1st attempt", BLUE, ""),
    ("p_two", "2nd attempt", SKY, "///"),
    ("p_one", "3rd attempt", YELLOW, "..."),
)

CHANCE_COLOURS: Final = LinearSegmentedColormap.from_list("chance", ["#fff7ec", "#fdbb84", "#b2452c", "#3b0f2a"])
"""Light to dark, one hue range: readable in grey and by the colour-blind."""


def success_by_attempt(frame: pd.DataFrame, axes: Axes, rules: Rules = STANDARD) -> Figure:
    """Stack the chance of success by attempt over the bids of one rule, modifier and number of chips.

    Parameters
    ----------
    frame : DataFrame
        Rows of a bid table.
    axes : Axes
        Drawn on.
    rules : Rules
        The rules in force, here and in the other charts of a bid table.
    """
    bids = frame["bid"].tolist()
    bottom = np.zeros(len(bids))
    for (column, attempt, colour, hatch), cards in zip(_ATTEMPTS, rules.cards_per_attempt, strict=True):
        height = frame[column].to_numpy()
        label = f"{attempt}: {cards_words(cards)}"
        axes.bar(bids, height, bottom=bottom, label=label, color=colour, hatch=hatch, edgecolor="black", linewidth=0.6)
        bottom += height
    if _is_simulated(frame):
        low, high = frame["sim_p_success_low"], frame["sim_p_success_high"]
        error = np.array([bottom - low, high - bottom])
        axes.errorbar(bids, bottom, yerr=error, fmt="none", ecolor="black", capsize=3, label="95 % interval of success")
    above = frame["sim_p_success_high"].to_numpy() if _is_simulated(frame) else bottom
    for x, (top, clear) in enumerate(zip(bottom, above, strict=True)):
        axes.text(x, clear + 0.012, percent(float(top), 0), ha="center", va="bottom", fontsize=9)
    axes.plot(
        bids,
        frame["p_under_14"],
        color=VERMILION,
        marker="o",
        markersize=6,
        markeredgecolor="white",
        linestyle="--",
        label=f"failed {under_words(rules)}",
    )
    first = frame.iloc[0]
    axes.set(
        xlabel="bid",
        ylabel="chance",
        ylim=(0, 1.08),
    )
    _title(
        axes,
        f"How likely is a bid? {describe(first['modifier'], first['chips'])}, "
        f"hold rule {first['hold']} ({_how(frame)})",
        rules,
    )
    _percent_axis(axes)
    axes.legend(frameon=False, loc="upper right")
    return figure_of(axes)


def success_heat_map(frame: pd.DataFrame, axes: Axes, rules: Rules = STANDARD) -> Figure:
    """Draw the chance of success over bid and modifier, for one rule and number of chips."""
    grid = frame.pivot(index="modifier", columns="bid", values="p_success")
    grid = grid[list(dict.fromkeys(frame["bid"]))].sort_index(ascending=False)
    values = grid.to_numpy(dtype=float)
    image = axes.imshow(values, cmap=CHANCE_COLOURS, vmin=0, vmax=1, aspect="auto")
    for (y, x), value in np.ndenumerate(values):
        axes.text(x, y, percent(float(value), 0), ha="center", va="center", fontsize=8, color=_ink(value))
    axes.set_xticks(range(values.shape[1]), list(grid.columns))
    axes.set_yticks(range(values.shape[0]), [f"{modifier:+d}" if modifier else "0" for modifier in grid.index])
    first = frame.iloc[0]
    axes.set(
        xlabel="bid",
        ylabel="bonus or malus (points)",
    )
    title = f"Chance to make the bid: {chips_words(first['chips'])}, hold rule {first['hold']} ({_how(frame)})"
    _title(axes, title, rules)
    figure = figure_of(axes)
    bar = figure.colorbar(image, ax=axes, format=PercentFormatter(1.0))
    bar.set_label("chance to make the bid")
    return figure


def loss_against_best(frame: pd.DataFrame, axes: Axes, rules: Rules = STANDARD) -> Figure:
    """Draw how much less likely each hold rule makes a bid than the best decisions do.

    Parameters
    ----------
    frame : DataFrame
        Rows of one modifier and number of chips; the column `best` has the best chance for each.
    axes : Axes
        Drawn on.
    """
    styles = zip(cycle(_MARKS), cycle(_DASHES), strict=False)  # five marks and four dashes: twenty kinds of line
    for (rule, rows), ((colour, marker), dash) in zip(frame.groupby("hold", sort=False), styles, strict=False):
        loss = (rows["best"] - rows["p_success"]) * 100
        label = f"rule {rule}: at most {loss.max():.2f} ({_how(rows)})"  # a label must not begin with _
        axes.plot(rows["bid"].tolist(), loss, color=colour, marker=marker, linestyle=dash, label=label)
        if _is_simulated(rows):
            low, high = (100 * (rows["best"] - rows[f"sim_p_success_{end}"]) for end in ("high", "low"))
            error = np.array([loss - low, high - loss])
            axes.errorbar(rows["bid"].tolist(), loss, yerr=error, fmt="none", ecolor=colour, capsize=3)
    first = frame.iloc[0]
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(
        xlabel="bid",
        ylabel="loss of success (percentage points)",
    )
    _title(axes, f"What a hold rule loses against the best: {describe(first['modifier'], first['chips'])}", rules)
    axes.grid(axis="y", alpha=0.3)
    for text in axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2).get_texts():
        text.set_parse_math(False)
    return figure_of(axes)


def simulated_against_exact(frame: pd.DataFrame, axes: Axes, rules: Rules = STANDARD) -> Figure:
    """Draw simulated less exact chances with their 95 % intervals over the bids of one rule, modifier and chips."""
    labels = ("success", *map(cards_words, rules.cards_per_attempt), under_words(rules))
    names = tuple(zip(SIMULATED, labels, strict=True))
    bids = frame["bid"].tolist()
    styles = ((BLUE, "o"), (SKY, "s"), (ORANGE, "^"), (GREEN, "D"), (VERMILION, "v"))
    for (name, label), (colour, marker), shift in zip(names, styles, np.linspace(-0.3, 0.3, len(names)), strict=True):
        exact, seen = frame[f"p_{name}"], frame[f"sim_p_{name}"]
        errors = [(seen - frame[f"sim_p_{name}_low"]) * 100, (frame[f"sim_p_{name}_high"] - seen) * 100]
        axes.errorbar(
            np.arange(len(bids)) + shift,
            (seen - exact) * 100,
            yerr=np.array(errors),
            fmt=marker,
            color=colour,
            markersize=4,
            linewidth=1,
            capsize=2,
            label=label,
        )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(bids)), bids)
    first = frame.iloc[0]
    axes.set(
        xlabel="bid",
        ylabel="simulated less exact (percentage points)",
    )
    _title(
        axes,
        f"Simulation against exact odds: {int(first['sim_n']):,} dice actions a bid, 95 % intervals\n"
        f"{describe(first['modifier'], first['chips'])}, hold rule {first['hold']}",
        rules,
    )
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, ncols=len(names), loc="upper center", bbox_to_anchor=(0.5, -0.14))
    return figure_of(axes)


def hold_ranks(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw one part of a hold chart: a large rank and a small chance of success in each cell.

    Parameters
    ----------
    frame : DataFrame
        Columns `row` and `column` (labels), `rank` and `p_success`.
    axes : Axes
        Drawn on.
    """
    rows, columns = list(dict.fromkeys(frame["row"])), sorted(set(frame["column"]))
    values = np.full((len(rows), len(columns)), np.nan)
    for cell in frame.itertuples():
        values[rows.index(str(cell.row)), columns.index(cell.column)] = cell.p_success
    axes.imshow(values, cmap=CHANCE_COLOURS, vmin=0, vmax=1.25, aspect="auto")
    for cell in frame.itertuples():
        y, x = rows.index(str(cell.row)), columns.index(cell.column)
        ink = _ink(float(str(cell.p_success)) / 1.25)
        axes.text(x, y - 0.1, str(cell.rank), ha="center", va="center", fontsize=13, weight="bold", color=ink)
        axes.text(x, y + 0.32, percent(cell.p_success, 0), ha="center", va="center", fontsize=7, color=ink)
    axes.set_xticks(range(len(columns)), [str(c) for c in columns])
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    return figure_of(axes)


def _title(axes: Axes, text: str, rules: Rules) -> None:
    """Set a title that may hold a user's words: long lines are broken, and $ is just a sign."""
    text += rules_note(rules)
    lines = [line for part in text.split("\n") for line in textwrap.wrap(part, TITLE_WIDTH, break_on_hyphens=False)]
    axes.set_title("\n".join(lines)).set_parse_math(False)


def drawable(text: str) -> str:
    """Return a text with a question mark for each sign that the font does not have."""
    font = get_font(findfont(FontProperties()))
    return "".join(sign if sign.isprintable() and font.get_char_index(ord(sign)) else "?" for sign in text)


def rules_note(rules: Rules) -> str:
    """Say in a line of its own what differs from the standard rules; nothing when nothing does."""
    return f"\nrules {rules.name}" if rules.changes else ""


def _is_simulated(frame: pd.DataFrame) -> bool:
    """Whether a frame's chances are estimates; the column `simulated` says so."""
    return "simulated" in frame and bool(frame["simulated"].any())


def _how(frame: pd.DataFrame) -> str:
    """Say how a frame's chances were made."""
    if _is_simulated(frame):
        return f"simulated, {int(frame['sim_n'].iloc[0]):,} dice actions a bid"
    return "exact"


def _ink(value: float) -> str:
    """Return the colour of a text on a cell of :data:`CHANCE_COLOURS`."""
    return "white" if value > 0.55 else "black"


def _percent_axis(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)


def figure_of(axes: Axes) -> Figure:
    """Return the figure that axes are in."""
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure
