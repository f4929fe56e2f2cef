"""Charts of simulated games. Each takes a frame and axes and returns the figure; none saves or shows.

Strategies differ in colour, in marker and in dashes, so that they can be told apart in grey too.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analyzer.wool_rules.constants import SCORE_PARTS
from reports.chart_style import LINES, PARTS, Floats, reach
from reports.plots import drawable, figure_of
from reports.words import percent, shortened

RARE: Final = 30
"""With fewer dice actions an observed share says too little to be drawn."""

assert tuple(part[0] for part in PARTS) == SCORE_PARTS

_STRIP: Final = 0.055
"""Height of a mean's row above the distributions, as a share of the panel."""

_USUAL: Final = 8
"""How many scores of a strategy have to be as frequent for the axis to reach as high."""

_SMOOTH: Final = 2_500
"""With fewer games scores are counted in larger steps."""

_BAR, _MARK_SHIFT = 0.46, 0.31
"""Width of a bar of score parts, and how far beside it the mark of the score stands."""

_Place = Literal["best", "center left"]

_POINT_AREA: Final = (16.0, 150.0)
"""Smallest area of a point, and what the most dice actions add to it (square points)."""

NAME_WIDTH: Final = 60
"""Letters of a strategy in a key."""


def score_distributions(frame: pd.DataFrame, axes: Axes, *, key: bool = True) -> Figure:
    """Draw how often each score is made by each strategy, and above it the means.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `histogram` with the columns `mean_score`, `mean_score_low` and `mean_score_high` beside them.
    axes : Axes
        Drawn on.
    key : bool
        Whether to say in the panel which line is which strategy; the same in the other charts.
    """
    seats = by_seat(frame)
    step = score_step(min(int(rows["games"].sum()) for rows in seats.values()))
    low, high = int(frame["score"].min()) // step - 1, int(frame["score"].max()) // step + 1
    middles = np.arange(low, high + 1) * step + (step - 1) / 2
    all_shares = [score_shares(rows, low, high, step) for rows in seats.values()]
    highest = highest_shown(all_shares)
    far_right = middles[0] + 0.88 * (middles[-1] - middles[0])
    for place, ((seat, rows), shares) in enumerate(zip(seats.items(), all_shares, strict=True)):
        colour, marker, dashes = seat_style(seat)
        axes.plot(
            *(middles, np.minimum(shares, highest)),
            drawstyle="steps-mid",
            color=colour,
            linestyle=dashes,
            linewidth=1.4,
            marker=marker,
            markersize=4.5,
            markevery=_marked(shares, place / len(seats)),
            label=seat_name(seat, str(rows["strategy"].iloc[0])),
        )
        peak = int(shares.argmax())
        cut = f" (line cut off: {percent(float(shares[peak]), 0)} at {middles[peak]:g})"
        note = cut if shares[peak] > highest else ""
        _mean_above(rows.iloc[0], place, axes, note, left=float(rows["mean_score"].iloc[0]) > far_right)
    axes.set(xlabel="score (points)", ylabel="games" + (f", in steps of {step} points" if step > 1 else ""))
    axes.set(xlim=(middles[0], middles[-1]), ylim=(0, highest / (1 - _STRIP * (len(seats) + 0.7))))
    axes.text(0.01, 1 - _STRIP * 0.5, "means", transform=axes.transAxes, va="center", fontsize=8)
    axes.set_yticks([y for y in MaxNLocator(6).tick_values(0, highest) if 0 <= y <= highest])
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1 if highest < 0.05 else 0))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _finish(axes, "How scores are distributed", "center left", key=key)
    return figure_of(axes)


def score_step(games: int) -> int:
    """Return in what steps scores are counted: of few games, single scores would show little but chance."""
    return next((step for step in (1, 2, 5) if games * step >= _SMOOTH), 10)


def score_shares(rows: pd.DataFrame, low: int, high: int, step: int) -> Floats:
    """Return the shares of games by score, in steps, from step number `low` to `high`."""
    scores, games = (rows[name].to_numpy(dtype=np.int64) for name in ("score", "games"))
    counts = np.bincount(scores // step - low, weights=games, minlength=high - low + 1)
    return counts / float(games.sum())


def highest_shown(shares: Sequence[Floats]) -> float:
    """Return where distributions are cut off: a single score that is far more frequent would flatten all others."""
    peak = max(float(each.max()) for each in shares)
    usual = max(float(np.sort(each)[-min(_USUAL, len(each))]) for each in shares)
    return 1.5 * usual if peak > 3 * usual > 0 else peak


def _marked(shares: Floats, shift: float) -> list[int]:
    """Return where a line gets its markers: evenly, each line elsewhere, and not where there is nothing."""
    every = max(len(shares) // 8, 1)
    wanted = range(int(shift * every), len(shares), every)
    return [at for at in wanted if shares[at] > 0.02 * shares.max()] or [int(shares.argmax())]


def _mean_above(row: "pd.Series[Any]", place: int, axes: Axes, note: str, *, left: bool) -> None:
    """Mark a mean with its interval in a row of its own above the distributions, its figure right or left of it."""
    seat, mean, low, high = (float(row[name]) for name in ("seat", "mean_score", "mean_score_low", "mean_score_high"))
    colour, marker, _ = seat_style(int(seat))
    y, at = 1 - _STRIP * (place + 0.5), axes.get_xaxis_transform()
    axes.errorbar(
        [mean], [y], xerr=reach(mean, low, high), fmt=marker, color=colour, markersize=5, capsize=3, transform=at
    )
    end = float(np.nanmin([mean, low]) if left else np.nanmax([mean, high]))
    axes.annotate(
        f"{mean:.1f}{note}",
        (end, y),
        (-7 if left else 7, 0),
        xycoords=at,
        textcoords="offset points",
        va="center",
        ha="right" if left else "left",
        fontsize=8,
    )


def score_parts(frame: pd.DataFrame, axes: Axes, *, key: bool = True) -> Figure:
    """Stack what a strategy's mean score is made of, losses below zero, and mark the whole with its interval.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `seats`.
    """
    places = np.arange(len(frame))
    above, below = np.zeros(len(frame)), np.zeros(len(frame))
    for column, label, colour, hatch in PARTS:
        height = frame[column].to_numpy(dtype=float)
        axes.bar(
            *(places, height, _BAR),
            bottom=np.where(height >= 0, above, below),
            label=label,
            color=colour,
            hatch=hatch,
            edgecolor="black",
            linewidth=0.6,
        )
        above += np.maximum(height, 0.0)
        below += np.minimum(height, 0.0)
    mean = frame["mean_score"].to_numpy(dtype=float)
    error = reach(mean, frame["mean_score_low"], frame["mean_score_high"])
    axes.errorbar(
        *(places + _MARK_SHIFT, mean, error),
        label="score with its interval",
        fmt="D",
        color="black",
        markerfacecolor="white",
        markersize=5,
        capsize=5,
    )
    for x, value in zip(places + _MARK_SHIFT, mean, strict=True):
        axes.annotate(f"{value:.1f}", (x, value), (6, 0), textcoords="offset points", va="center", fontsize=9)
    span = above.max() - below.min()
    axes.set(
        ylabel="mean points in a game",
        xlim=(-0.45, len(frame) - 0.3),
        ylim=(below.min() - 0.04 * span, above.max() + 0.08 * span),
    )
    names = [
        f"seat {seat}\n{_two_lines(drawable(spec), 72 // len(frame))}"
        for seat, spec in zip(frame["seat"], frame["strategy"], strict=True)
    ]
    axes.set_xticks(places, names, fontsize=8)
    for text in axes.get_xticklabels():
        text.set_parse_math(False)
    axes.axhline(0, color="black", linewidth=0.8)
    _finish(axes, "What scores are made of", key=False)
    if key:
        axes.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.15),
            ncols=5,
            frameon=False,
            fontsize=8,
            handleheight=1.4,
            columnspacing=1.2,
        )
    return figure_of(axes)


def _two_lines(spec: str, width: int) -> str:
    """Return a strategy in at most two lines of some width, broken where a part of it ends."""
    text = shortened(spec, 2 * width)
    if len(text) <= width:
        return text
    earliest = len(text) - width
    end = max((at for at in range(max(earliest, 1), width + 1) if text[at - 1] in ":/,"), default=width)
    return f"{text[:end]}\n{text[end:]}"


def calibration(frame: pd.DataFrame, axes: Axes, *, key: bool = True) -> Figure:
    """Draw how often bids succeeded against the exact odds, a point for each strategy, bid and modifier.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `calibration`; those with fewer than :data:`RARE` dice actions are left out.
    """
    axes.plot([0, 1], [0, 1], color="black", linewidth=0.9, zorder=1, label="as the exact odds")
    shown = frame[frame["actions"] >= RARE]
    most = int(shown["actions"].max()) if len(shown) else 0
    for seat, rows in by_seat(shown).items():
        colour, marker, _ = seat_style(seat)
        exact, seen = (rows[name].to_numpy(dtype=float) for name in ("exact_p_success", "p_success"))
        error = reach(seen, rows["p_success_low"], rows["p_success_high"])
        axes.errorbar(exact, seen, yerr=error, fmt="none", ecolor=colour, elinewidth=0.8, alpha=0.6)
        axes.scatter(
            *(exact, seen, _area(rows["actions"].to_numpy(dtype=float), most)),
            label=seat_name(seat, str(rows["strategy"].iloc[0])),
            marker=marker,
            facecolor=colour,
            edgecolor="white",
            linewidth=0.5,
            alpha=0.85,
            zorder=3,
        )
    axes.set(
        xlabel="exact odds of success (best play for success, no chips)",
        ylabel="success observed",
        xlim=(-0.02, 1.02),
        ylim=(-0.02, 1.02),
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0))
    axes.text(0.985, 0.02, _left_out(frame), transform=axes.transAxes, ha="right", va="bottom", fontsize=8).set_bbox(
        {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    )
    _finish(axes, "Success by bid and modifier against the exact odds", key=False)
    _calibration_keys(axes, most, key=key)
    return figure_of(axes)


def _area(actions: Floats, most: int) -> Floats:
    """Return the areas of points for numbers of dice actions."""
    smallest, more = _POINT_AREA
    return smallest + more * actions / most


def _left_out(frame: pd.DataFrame) -> str:
    """Say which points are not there."""
    if frame.empty:
        return "no dice actions"
    rare = frame[frame["actions"] < RARE]
    if rare.empty:
        return "on the line: as the exact odds; no point left out"
    share = float(rare["actions"].sum()) / float(frame["actions"].sum())
    return (
        f"on the line: as the exact odds; left out: {len(rare):,} of {len(frame):,} points\n"
        f"with fewer than {RARE} dice actions (together {percent(share)} of all)"
    )


def _calibration_keys(axes: Axes, most: int, *, key: bool) -> None:
    """Say what the sizes of points mean and, if wanted, which strategy they are of."""
    numbers = dict.fromkeys(n for n in (RARE, _rounded(most // 8), _rounded(most)) if RARE <= n <= most)
    handles = [
        Line2D([], [], label=f"{n:,}", marker="o", color="0.35", linestyle="none", markersize=size)
        for n, size in zip(numbers, np.sqrt(_area(np.array([*numbers], float), most)).tolist(), strict=True)
    ]
    if handles:
        sizes = axes.legend(
            handles=handles, title="dice actions", title_fontsize=8, loc="upper left", fontsize=8, frameon=False
        )
        if key:
            axes.add_artist(sizes)
    if key:
        _key(axes, "center left")


def _rounded(n: int) -> int:
    """Round down to one digit and zeros."""
    unit = int("1" + "0" * (len(str(n)) - 1))
    return n // unit * unit


def gains_by_place(frame: pd.DataFrame, axes: Axes, *, key: bool = True) -> Figure:
    """Draw the points gained in a round by the place in the turn order.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `places`.
    """
    seats = by_seat(frame)
    shifts = np.linspace(-0.22, 0.22, len(seats)) if len(seats) > 1 else np.zeros(1)
    for (seat, rows), shift in zip(seats.items(), shifts, strict=True):
        colour, marker, dashes = seat_style(seat)
        gained = rows["points"].to_numpy(dtype=float)
        axes.errorbar(
            rows["place"].to_numpy(dtype=float) + shift,
            gained,
            yerr=reach(gained, rows["points_low"], rows["points_high"]),
            marker=marker,
            markersize=5,
            color=colour,
            linestyle=dashes,
            linewidth=1.1,
            capsize=3,
            label=seat_name(seat, str(rows["strategy"].iloc[0])),
        )
    last = int(frame["place"].max())
    axes.set(xlabel="place in the turn order (1 goes first)", ylabel="points gained in a round", xlim=(0.5, last + 0.5))
    axes.set_xticks(range(1, last + 1), [str(place) for place in range(1, last + 1)])
    axes.axhline(0, color="black", linewidth=0.8)
    _finish(axes, "What going early or late brings", "best", key=key)
    return figure_of(axes)


def by_seat(frame: pd.DataFrame) -> dict[int, pd.DataFrame]:
    """Return the rows of each seat, in order."""
    return {int(str(seat)): rows for seat, rows in frame.groupby("seat", sort=True)}


def seat_style(seat: int) -> tuple[str, str, Any]:
    """Return colour, marker and dashes of a seat."""
    return LINES[seat]


def seat_name(seat: int, spec: str) -> str:
    """Name a seat and its strategy; a long spec is shortened."""
    return f"seat {seat}: {shortened(drawable(spec), NAME_WIDTH)}"


def seat_handles(frame: pd.DataFrame) -> Iterator[Line2D]:
    """Yield the entries of a key for the rows of the table `seats`."""
    for seat, rows in by_seat(frame).items():
        colour, marker, dashes = seat_style(seat)
        label = seat_name(seat, str(rows["strategy"].iloc[0]))
        yield Line2D([], [], linewidth=1.5, linestyle=dashes, color=colour, marker=marker, label=label)


def _finish(axes: Axes, title: str, place: _Place = "best", *, key: bool) -> None:
    axes.set_title(title, fontsize=11, loc="left", weight="bold")
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    if key:
        _key(axes, place)


def _key(axes: Axes, place: _Place) -> None:
    """Draw the key of the strategies; specs are written as they are."""
    for text in axes.legend(frameon=False, fontsize=8, loc=place, handlelength=3.5).get_texts():
        text.set_parse_math(False)
