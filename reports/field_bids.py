"""Success by bid against the exact odds, for a field of strategies."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from analyzer.stats import wilson
from reports.chart_style import INK, LINES, finish, floats, key_below, key_of, strategies_of
from reports.field_grids import by_key, few, less, lines
from reports.game_plots import RARE
from reports.plots import figure_of
from reports.words import percent

_FIGURE: Final = {f"p_success{end}": f"figure{end}" for end in ("", "_low", "_high")}


def success_by_bid(frame: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return success by strategy and bid, of all modifiers together, beside the exact odds of the same modifiers.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `calibration`: success by strategy, bid and modifier.
    level : float
        Coverage of each interval.

    Returns
    -------
    DataFrame
        strategy, bid, actions, p_success with Wilson's interval, exact_p_success: the mean of the exact odds that the
        dice actions had, each with the modifier of its own, so that both are of the same dice actions.
    """
    actions = floats(frame, "actions")
    sums = frame.assign(
        actions=actions,
        made=floats(frame, "p_success") * actions,
        exact=floats(frame, "exact_p_success") * actions,
    )
    total = sums.groupby(["strategy", "bid"], sort=False)[["actions", "made", "exact"]].sum().reset_index()
    made = total["made"].round()  # shares of whole numbers: only rounding is undone
    ends = [wilson(count, n, level) for count, n in zip(made, total["actions"], strict=True)]
    return pd.DataFrame(
        {
            "strategy": total["strategy"],
            "bid": total["bid"],
            "actions": total["actions"].astype("Int64"),
            "p_success": made / total["actions"],
            "p_success_low": np.array([low for low, _ in ends], float),
            "p_success_high": np.array([high for _, high in ends], float),
            "exact_p_success": total["exact"] / total["actions"],
        }
    )


def bid_success(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw how often bids succeeded against the exact odds of the same bids and modifiers, without chips.

    Few strategies have points with intervals and a dash for the odds; of more, cells say how many points of a hundred
    success is above the odds.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table `calibration`; bids with fewer than :data:`~reports.game_plots.RARE` dice actions are left
        out.
    axes : Axes
        Drawn on.
    """
    by_bid = success_by_bid(frame)
    shown = by_bid[by_bid["actions"] >= RARE]
    label = f"bid{_left_out(by_bid)}"
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
