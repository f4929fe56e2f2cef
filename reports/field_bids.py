"""Success by bid against the exact odds, for a field of strategies."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from reports.chart_style import INK, LINES, finish, floats, key_below, key_of, strategies_of
from reports.field_grids import by_key, few, less, lines
from reports.game_plots import RARE
from reports.plots import figure_of
from reports.words import percent

_FIGURE: Final = {f"p_success{end}": f"figure{end}" for end in ("", "_low", "_high")}


def success_by_bid(attempts: pd.DataFrame, calibration: pd.DataFrame) -> pd.DataFrame:
    """Return success by strategy and bid, of all modifiers together, beside the exact odds of the same modifiers.

    Parameters
    ----------
    attempts, calibration : DataFrame
        Rows of the tables: success by strategy and bid, and by modifier too.

    Returns
    -------
    DataFrame
        players (where the tables have it), strategy, bid, actions, p_success with its interval, exact_p_success: the
        mean of the exact odds that the dice actions had, each with the modifier of its own, so that both are of the
        same dice actions.
    """
    keys = [name for name in ("players", "strategy", "bid") if name in attempts and name in calibration]
    actions = floats(calibration, "actions")
    sums = calibration.assign(actions=actions, exact=floats(calibration, "exact_p_success") * actions)
    total = sums.groupby(keys, sort=False)[["actions", "exact"]].sum()
    exact = (total["exact"] / total["actions"]).rename("exact_p_success").reset_index()
    return attempts[[*keys, "actions", *_FIGURE]].merge(exact, on=keys)


def bid_success(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how often bids succeeded against the exact odds of the same bids and modifiers, without chips.

    Few strategies have points with intervals and a dash for the odds; of more, cells say how many points of a hundred
    success is above the odds.

    Parameters
    ----------
    frame : DataFrame
        As :func:`success_by_bid` returns it; bids with fewer than :data:`~reports.game_plots.RARE` dice actions are
        left out.
    axes : Axes
        Drawn on.
    """
    shown = frame[frame["actions"] >= RARE]
    label = f"bid{_left_out(frame)}"
    if few(shown):
        _points_and_odds(shown, axes)
        axes.set_xlabel(label)
    else:
        over = less(shown, "p_success", floats(shown, "exact_p_success"))
        by_key(over, "bid", axes, "success less exact odds\n(points of a hundred)", label, 100.0)
    players: Any = frame if "players" in frame else shown
    finish(axes, players, "How often bids succeed, beside the exact odds", "y" if few(shown) else "")
    return figure_of(axes)


def _points_and_odds(frame: pd.DataFrame, axes: Axes) -> None:
    """Draw success with its interval for each strategy and bid, and the exact odds beside as a dash."""
    at = lines(frame.rename(columns=_FIGURE), "bid", axes, joined=False)
    odds: dict[str, Any] = {"linestyle": "none", "marker": "_", "markersize": 10, "markeredgewidth": 1.6}
    for name, (colour, *_) in zip(strategies_of(frame), LINES, strict=False):
        here = (frame["strategy"] == name).to_numpy(dtype=bool)
        axes.plot(at[here], floats(frame, "exact_p_success")[here], color=colour, zorder=4, **odds)
    axes.set(ylabel="success of dice actions", ylim=(-0.02, 1.02))
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    handles = key_of(strategies_of(frame))
    for handle in handles:
        handle.set_linestyle("none")
    key_below(axes, [*handles, Line2D([], [], label="exact odds, same modifiers", color=INK, **odds)])


def _left_out(by_bid: pd.DataFrame) -> str:
    """Say how much is left out because it is rare."""
    rare = by_bid[by_bid["actions"] < RARE]
    if rare.empty:
        return ""
    share = float(rare["actions"].sum()) / float(by_bid["actions"].sum())
    return f"; bids made fewer than {RARE} times are left out ({percent(share)} of dice actions)"
