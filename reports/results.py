"""What a notebook gets: words, frames and a picture of what was played or calculated."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import pandas as pd

from analyzer import __version__
from analyzer.figures import figure_between, share_between
from analyzer.shown import Line, Shown
from analyzer.wool_rules.bid_table import BidTable
from analyzer.wool_rules.summary import Summary
from reports.columns import SHARE, describe
from reports.frames import Rows, frame, labelled_frames

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.runs import Run
    from reports.cli.contest import Contest
    from strategies.tournaments import Asked

MOST_FIGURES: Final = 4
"""Figures of a run that are shown beside a strategy."""


class Frames(Mapping[str, pd.DataFrame]):
    """The tables of a result as frames, the main one first.

    Parameters
    ----------
    of : str
        What they are of, as in :func:`reports.columns.describe`: `simulate`, for `simulate/seats`.
    makers : mapping of str to callable () -> DataFrame
        By the name of a table; called once, when the table is asked for.
    """

    def __init__(self, of: str, makers: Mapping[str, Callable[[], pd.DataFrame]]) -> None:
        self._of, self._makers, self._made = of, makers, dict[str, pd.DataFrame]()

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a copy, which its user may change."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name].copy()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return f"<Frames: {', '.join(self)}>"

    def explain(self, name: str) -> pd.DataFrame:
        """Return what the columns of a table mean, their units and kinds, a row each."""
        said = [describe(f"{self._of}/{name}", str(column)) for column in self[name].columns]
        return pd.DataFrame(said).set_index("name")


@dataclass(frozen=True, eq=False, repr=False)
class Result(Shown):
    """What was played or calculated.

    Parameters
    ----------
    found : Summary, BidTable or None
        The analyzer's result; None of a run, whose results are all in the frames.
    frames : Frames
    figure : callable () -> Figure
        Draws it.
    told : callable () -> (str, sequence of Line)
        What `repr` and notebooks show.
    """

    found: Summary | BidTable | None
    frames: Frames
    figure: "Callable[[], Figure]"
    told: Callable[[], tuple[str, Sequence[Line]]]

    def headline(self) -> str:
        """Say what was played or calculated, and what makes it again."""
        return self.told()[0]

    def lines(self) -> Sequence[Line]:
        """Return the leading figures."""
        return self.told()[1]


def of_simulation(summary: Summary) -> Result:
    """Return a simulation with the frames of :func:`reports.frames.labelled_frames`."""

    def figure() -> "Figure":
        from reports.game_charts import simulation_figure

        return simulation_figure(summary)

    makers = {name: made.copy for name, made in labelled_frames(summary).items()}
    return Result(summary, Frames("simulate", makers), figure, _told_by(summary))


def of_bid_table(table: BidTable) -> Result:
    """Return a bid table with its frame."""

    def figure() -> "Figure":
        from reports.charts import bid_table_figure, chart_kind

        numbers = (len({row[name] for row in table.rows}) for name in ("hold", "modifier", "chips"))
        exact = any(row["p_success"] is not None for row in table.rows)
        return bid_table_figure(table, chart_kind("auto", *numbers, simulated=table.simulated is not None, exact=exact))

    makers = {"bid-table": partial(frame, "bid-table", table.rows, table.columns)}
    return Result(table, Frames("bid-table", makers), figure, _told_by(table))


def of_run(run: "Run", asked: "Asked", contest: "Contest") -> Result:
    """Return what a run has found so far, with a frame for each of its tables; the run may be closed afterwards."""
    from analyzer.field_counts import field_table_names
    from reports.cli.contests import counted_tables, family_of, provenance_of

    family, tables = family_of(asked), contest.tables()
    main, heading, verdict = tables[0], contest.heading(), contest.verdict()
    parts = [provenance_of(run, asked, contest).lines()[0], "95 % intervals", *([] if verdict is None else [verdict])]

    def told() -> tuple[str, list[Line]]:
        return "; ".join(parts), _lines(f"{family}/{main.name}", main.rows(), main.columns)

    def figure() -> "Figure":
        from reports.cli.contest import win_share_picture

        return win_share_picture(run, main.rows(), heading)  # its question is there when it is closed, too

    def made(at: int) -> pd.DataFrame:
        return frame(f"{family}/{tables[at].name}", tables[at].rows(), tables[at].columns)

    happened = cache(lambda: counted_tables(run, asked, contest))

    def counted(name: str) -> pd.DataFrame:
        columns, rows = happened()[name]
        return frame(f"{family}/{name}", rows, columns)

    makers = {table.name: partial(made, at) for at, table in enumerate(tables)}
    makers |= {name: partial(counted, name) for name in field_table_names(asked.game)}
    return Result(None, Frames(family, makers), figure, told)


def _told_by(found: Shown) -> Callable[[], tuple[str, Sequence[Line]]]:
    """Return the words of the analyzer's result, with the version that made it."""
    return lambda: (f"woolsim {__version__}; {found.headline()}", found.lines())


def _lines(table: str, rows: Rows, columns: Sequence[str]) -> list[Line]:
    """Return the strategies of a table with the first figures that have intervals."""
    figures = [name for name in columns if f"{name}_low" in columns][:MOST_FIGURES]
    units = {name: describe(table, name).unit for name in figures}
    words = {
        name: name.replace("_", " ") + ("" if unit == SHARE or unit.startswith(name) else f" ({unit})")
        for name, unit in units.items()
    }
    write = {name: share_between if unit == SHARE else figure_between for name, unit in units.items()}
    return [
        {"strategy": str(row["strategy"])} | {words[name]: write[name](row, name) for name in figures} for row in rows
    ]
