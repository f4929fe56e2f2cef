"""Which charts a field of strategies has, what each is drawn of, and its size."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import field_bids, field_grids, field_plots, field_scores

Frames = Mapping[str, pd.DataFrame]

WIDTH: Final = 9.0
"""Of a chart, in inches."""

_MEAN: Final = ["mean_score", "mean_score_low", "mean_score_high"]


@dataclass(frozen=True)
class Chart:
    """A kind of chart.

    Parameters
    ----------
    tables : tuple of str
        What it is drawn of.
    draw : callable
        Takes a frame and axes and returns the figure.
    height : callable
        Takes a frame and returns inches.
    says : str
        What it shows and how to read it, in a sentence or two: a caption, and its text alternative.
    prepare : callable, optional
        Makes the frame that is drawn of the frames of all tables; by default it is the first table.
    by_players : bool
        Whether each number of players has a picture of its own.
    """

    tables: tuple[str, ...]
    draw: Callable[[pd.DataFrame, Axes], Figure]
    height: Callable[[pd.DataFrame], float]
    says: str
    prepare: Callable[[Frames], pd.DataFrame] | None = None
    by_players: bool = False

    def frames(self, frames: Frames) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield an ending of a name and the frame of each picture; none where a table is missing or has no rows."""
        if any(name not in frames or frames[name].empty for name in self.tables):
            return
        frame = self.prepare(frames) if self.prepare else frames[self.tables[0]]
        if frame.empty:
            return
        if not self.by_players or "players" not in frame:
            yield "", frame
            return
        for players, rows in frame.groupby("players", sort=True):
            yield f"-{players}-players", rows


@dataclass(frozen=True)
class Picture:
    """One chart of given frames.

    Parameters
    ----------
    name : str
        For files: letters, figures and hyphens.
    chart : Chart
    frame : DataFrame
        What is drawn.
    """

    name: str
    chart: Chart
    frame: pd.DataFrame

    def figure(self) -> Figure:
        """Draw it."""
        figure = Figure(figsize=(WIDTH, self.chart.height(self.frame)), layout="constrained")
        return self.chart.draw(self.frame, figure.subplots())


def pictures(frames: Frames) -> list[Picture]:
    """Return the pictures that can be drawn of frames, the most important first; nothing is drawn yet.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        Tables by name.
    """
    return [
        Picture(name + ending, chart, frame) for name, chart in CHARTS.items() for ending, frame in chart.frames(frames)
    ]


def _rows(each: float, more: float) -> Callable[[pd.DataFrame], float]:
    """Return a height that grows with the number of strategies."""
    return lambda frame: more + each * frame["strategy"].nunique()


def _lines_or_cells(frame: pd.DataFrame) -> float:
    """Return the height of a chart that has lines for few strategies and cells for more."""
    strategies = frame["strategy"].nunique()
    return 4.4 + 0.1 * strategies if field_grids.few(frame) else 1.3 + 0.3 * strategies


def _by_players(frame: pd.DataFrame) -> float:
    """Return a height with room for a point for each number of players in each row."""
    return 1.5 + frame["strategy"].nunique() * max(0.34, 0.13 * frame["players"].nunique())


def _with_means(frames: Frames) -> pd.DataFrame:
    """Return distributions with the means beside them."""
    histogram, scores = frames["histogram"], frames["scores"]
    keys = [name for name in ("players", "strategy") if name in histogram and name in scores]
    return histogram.merge(scores[[*keys, *_MEAN]], on=keys)


def _several_players(frames: Frames) -> pd.DataFrame:
    """Return the rows of the table `seats` if there are several numbers of players, else none."""
    seats = frames["seats"]
    return seats if seats["players"].nunique() > 1 else seats.iloc[:0]


def _standings(frames: Frames) -> pd.DataFrame:
    """Return the standings, with the number of players if it is the same at all tables."""
    standings, seats = frames["standings"], frames.get("seats")
    counts = [] if seats is None else seats["players"].unique().tolist()
    return standings.assign(players=counts[0]) if len(counts) == 1 else standings


def _draw_standings(frame: pd.DataFrame, axes: Axes) -> Figure:
    players = int(frame["players"].iloc[0]) if "players" in frame else None
    return field_plots.standings_chart(frame, axes, players)


def _draw_candidates(frame: pd.DataFrame, axes: Axes) -> Figure:
    draw = field_plots.behind_chart if "behind" in frame else field_plots.ahead_chart
    return draw(frame, axes)


def _known_ratings(frames: Frames) -> pd.DataFrame:
    """Return the standings of those who have a rating."""
    return frames["standings"].dropna(subset=["rating"])


CHARTS: Final[Mapping[str, Chart]] = {
    "candidates": Chart(
        ("candidates",),
        _draw_candidates,
        _rows(0.34, 1.2),
        "Win share of each candidate less that of the first, or of the best of its stage: a point and its interval. An "
        "interval that does not reach the line shows a difference beyond chance.",
    ),
    "settings": Chart(
        ("settings",),
        field_plots.settings_chart,
        _rows(0.44, 1.6),
        "Win share of each strategy in the first setting (filled) and in the second (open), with intervals.",
    ),
    "places": Chart(
        ("places",),
        field_plots.places_chart,
        _rows(0.34, 1.6),
        "Win share in the first setting (point), and from the lowest to the highest in the others (bar). At the right, "
        "whether the place in the standings survives in all of them.",
    ),
    "standings": Chart(
        ("standings",),
        _draw_standings,
        _rows(0.34, 1.1),
        "Win share of each strategy, the best on top: a point and its interval. A bracket holds strategies of one "
        "group; whoever is in a later group is worse than the best of each group before it.",
        _standings,
    ),
    "head-to-head": Chart(
        ("pairs",),
        field_grids.head_to_head,
        lambda frame: 2.9 + 0.3 * frame["strategy"].nunique(),
        "How many victories of a hundred the strategy of the row has more than that of the column, at tables where "
        "both sit. Light cells with a plus: the row wins more; dark cells with a minus: the column does.",
    ),
    "ratings": Chart(
        ("standings",),
        field_plots.ratings_chart,
        _rows(0.34, 1.1),
        "Plackett-Luce rating of each strategy with its interval, by the orders in which games finished; 1500 is the "
        "mean of the field.",
        _known_ratings,
    ),
    "scores": Chart(
        ("histogram", "scores"),
        field_scores.score_ridges,
        _rows(0.5, 1.8),
        "How often each strategy makes each score. Below: the middle 90 % (thin), the middle half (thick), the median "
        "(stroke) and the mean (diamond) with its interval.",
        _with_means,
        by_players=True,
    ),
    "points": Chart(
        ("scores",),
        field_scores.points_by_part,
        _rows(0.5, 1.7),
        "What mean scores are made of: gains to the right of zero, losses to the left. The diamond is the whole.",
        by_players=True,
    ),
    "bids": Chart(
        ("attempts", "calibration"),
        field_bids.bid_success,
        _lines_or_cells,
        "How often bids succeed beside the exact odds of the same bids and modifiers for best play without chips. More "
        "than the odds: chips were spent. Less: success was not the aim, or dice were set aside badly.",
        lambda frames: field_bids.success_by_bid(frames["attempts"], frames["calibration"]),
        by_players=True,
    ),
    "gains-by-bid": Chart(
        ("bids",),
        field_grids.gains_by_bid,
        _lines_or_cells,
        "Points gained in a round by the bid made in it, chips included.",
        by_players=True,
    ),
    "gains-by-turn": Chart(
        ("turns",),
        field_grids.gains_by_turn,
        _lines_or_cells,
        "Points gained in a round by the place in the turn order, chips included.",
        by_players=True,
    ),
    "players": Chart(
        ("seats",),
        field_plots.win_share_by_players,
        _by_players,
        "Win share above or below an equal share, for each number of players.",
        _several_players,
    ),
    "seats": Chart(
        ("seats",),
        field_grids.win_share_by_seat,
        _lines_or_cells,
        "Win share of each strategy from each seat, less its win share from all seats.",
        by_players=True,
    ),
    "luck": Chart(
        ("luck",),
        field_plots.luck_chart,
        lambda frame: 1.5 + 0.5 * frame["players"].nunique(),
        "What the variance of single scores comes from: which strategy it is, which opponents there are, the seat, and "
        "the luck of deck and dice.",
    ),
    "mixture": Chart(
        ("mixture",),
        field_plots.mixture_chart,
        lambda frame: _by_players(frame[frame["strategy"].isin(field_plots.in_mixture(frame))]),
        "If everybody draws a strategy with these shares, nobody gains by playing another one of the field.",
    ),
}
"""The charts of a field by name, the most important first."""
