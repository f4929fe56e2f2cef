"""The report of a simulation of one line-up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.counted import Table
from analyzer.figures import figure_between, share_between
from analyzer.rows import Row
from analyzer.wool_rules.constants import SCORE_PARTS
from analyzer.wool_rules.summary import CARD_COUNTS, Summary
from reports import game_plots
from reports.assumptions import assumed
from reports.export import Provenance
from reports.field_plots import standings_chart
from reports.frames import labelled_frames
from reports.game_charts import simulation_title
from reports.report import Chart, Report, ReportTable, Section, Story
from reports.words import listed

_WIDTH, _HEIGHT = 9.0, 5.4
_ROW: Final = 0.4
"""Inches of a strategy in the chart of win shares."""


def simulation_report(summary: Summary, stories: Sequence[Story], provenance: Provenance) -> Report:
    """Return the report of a simulation.

    Parameters
    ----------
    summary : Summary
    stories : sequence of Story
        Of its extreme games.
    provenance : Provenance
    """
    question = summary.question
    return Report(
        title=f"A table of {question.players}",
        question=f"Who scores and wins how much at a table of {listed(summary.labels)}, and why?",
        heading=simulation_title(summary).partition("\n")[0],
        answers=list(_answers(summary)),
        unfinished="",
        sections=list(_Sections(summary, stories).all()),
        provenance=provenance,
        kind="simulate",
        about={"simulation": {"games": summary.played}},
    )


def _answers(summary: Summary) -> Iterator[str]:
    rows = summary.seat_rows()

    def who(row: Row) -> str:
        seat = "" if summary.seatings > 1 else f" on seat {row['seat']}"
        return f"{summary.labels[int(str(row['seat']))]}{seat}"

    best = max(rows, key=lambda row: float(str(row["win_share"])))
    yield f"{who(best)} wins most: {share_between(best, 'win_share')} of its games."
    most = max(rows, key=lambda row: float(str(row["mean_score"])))
    yield f"{who(most)} has the highest mean score: {figure_between(most, 'mean_score')} points."


@dataclass(frozen=True)
class _Sections:
    """The sections of the report."""

    summary: Summary
    stories: Sequence[Story]

    def all(self) -> Iterator[Section]:
        """Yield them."""
        yield Section(
            "better",
            "Who is better",
            ["A victory shared by k players counts 1/k for each."],
            [self._chart("win-shares", "Win share of each strategy", "seats", _win_shares, self._rows_high)],
            self._table("seats", "Scores and victories", "seat", "strategy", "win_share+", "mean_score+", "games")
            + self._table("table", "How many shared the victory", "winners", "share+", "games")
            + self._table("finish", "Score by finishing place", "place", "mean_score+", "games"),
        )
        yield Section(
            "scores",
            "Scores",
            [],
            [self._chart("scores", "How scores are distributed", "histogram", game_plots.score_distributions)],
            self._table("seats", "Scores of single games", "seat", "strategy", "mean_score+", "sd_score", "score_q05",
                        "score_q25", "score_median", "score_q75", "score_q95", "games")
            + self._table("histogram", "How often each score was made"),
        )  # fmt: skip
        yield Section(
            "points",
            "Where the points come from",
            [],
            [self._chart("points", "What scores are made of", "seats", game_plots.score_parts)],
            self._table("seats", "Mean points a game by part of the score", "seat", "strategy", "mean_score",
                        *SCORE_PARTS)
            + self._table("seats", "Mean number a game", "seat", "strategy", *CARD_COUNTS, "chips_spent", "p_skipped"),
        )  # fmt: skip
        yield Section(
            "bids",
            "Bids",
            ["The exact odds are those of the best play for success without chips; chips that were spent and other "
             "aims make the difference."],
            [self._chart("bids", "Success by bid and modifier against the exact odds", "calibration",
                         game_plots.calibration)],
            self._table("attempts", "How dice actions ended, by bid", "strategy", "seat", "bid", "actions",
                        "p_success+", "p_three", "p_two", "p_one", "p_under_14")
            + self._table("calibration", "Success by bid and modifier")
            + self._table("bids", "Points gained in a round, by bid", "strategy", "seat", "bid", "points+", "rounds"),
        )  # fmt: skip
        yield Section(
            "turns",
            "Going early or late",
            ["Points gained in a round, chips included, by place in the turn order; 1 goes first."],
            [self._chart("turns", "What going early or late brings", "places", game_plots.gains_by_place)],
            self._table("places", "Points gained in a round", "strategy", "seat", "place", "points+", "rounds"),
        )
        words = ["They were played once more for this report, to be followed with the rulebook."]
        yield Section("extremes", "The most extreme games", words, stories=self.stories)
        yield Section("assumed", "What is assumed", points=assumed("wool-rules", [self.summary.question.setting]))

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return self.summary.tables()

    @cached_property
    def _frames(self) -> dict[str, pd.DataFrame]:
        return labelled_frames(self.summary)

    def _table(self, name: str, title: str, *shown: str) -> list[ReportTable]:
        columns, rows = self._tables[name]
        return [ReportTable(name, title, columns, list(map(self._labelled, rows)), shown)] if rows else []

    def _labelled(self, row: Row) -> Row:
        """Return a row with its strategy as it was given."""
        return row | {"strategy": self.summary.labels[int(str(row["seat"]))]} if "seat" in row else row

    def _rows_high(self) -> float:
        return 1.2 + _ROW * self.summary.question.players

    def _chart(
        self,
        name: str,
        title: str,
        table: str,
        draw: Callable[[pd.DataFrame, Axes], Figure],
        height: Callable[[], float] = lambda: _HEIGHT,
    ) -> Chart:
        def figure() -> Figure:
            made = Figure(figsize=(_WIDTH, height()), layout="constrained")
            return draw(self._frames[table], made.subplots())

        alt = (
            f"{title}, for each strategy; means and shares with 95 % intervals. All its figures are in csv/{table}.csv."
        )
        return Chart(name, title, alt, figure)


def _win_shares(frame: pd.DataFrame, axes: Axes) -> Figure:
    """Draw the win share of each seat, the best on top."""
    named = frame.sort_values("win_share", ascending=False, kind="stable")
    seats = zip(named["seat"], named["strategy"], strict=True)
    names = [game_plots.seat_name(int(seat), str(spec)) for seat, spec in seats]
    no_groups = pd.array([pd.NA] * len(names), "Int64")
    return standings_chart(named.assign(strategy=pd.array(names, "string"), group=no_groups), axes, len(names))
