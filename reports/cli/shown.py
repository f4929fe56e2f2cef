"""How a run is shown: which of its tables, in which form, and into which files."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError
from reports.cli.contests import asked_of, contest_of, counted_tables, provenance_of, table_names
from reports.cli.options import check_different, output_files, table_format, table_option
from reports.cli.progress import working
from reports.cli.say import note
from reports.cli.show import print_provenance, print_tables, show_rows, write_files

if TYPE_CHECKING:
    from analyzer.runs import Run
    from strategies.tournaments import Asked

COUNTED: Final = ("scores", "histogram", "attempts", "calibration", "turns", "bids", "victories")
"""Tables of what happened in the games, which every run has."""

TABLES: Final = ("standings", "pairs", "seats", "rotation", "luck", "mixture", "payoff", "cycles", "line-ups")
ALL_TABLES: Final = (*TABLES, "candidates", "settings", "places")


@dataclass(frozen=True)
class Shown:
    """How a run is shown, as the options say.

    Parameters
    ----------
    which : str, optional
        Which table csv, json and markdown have; the first that the run has without it.
    style : str
        One of the formats.
    csv_file, png : Path, optional
        What is also written: the table, and the picture of the win shares.
    report : bool
        Whether a report is also written into the run's folder.
    """

    which: str | None = None
    style: str = "table"
    csv_file: Path | None = None
    png: Path | None = None
    report: bool = False

    def check(self, asked: "Asked") -> None:
        """Refuse a table that a run of such a question does not have.

        Raises
        ------
        BadInputError
        """
        names = table_names(asked)
        if self.which is not None and self.which not in names:
            raise BadInputError(f"--table {self.which}: this run has {', '.join(names)}")


def shown_options(*tables: str) -> Callable[[Any], Any]:
    """Return what adds the options that say how a run is shown, which may have these tables.

    The command gets `shown`. What happened in the games is a table of every run.
    """

    def added(command: Any) -> Any:
        @wraps(command)
        def with_shown(
            *given: Any,
            style: str,
            csv_file: Path | None,
            png: Path | None,
            report: bool,
            which: str | None = None,
            **options: Any,
        ) -> Any:
            check_different(csv=csv_file, png=png)
            return command(*given, shown=Shown(which, style, csv_file, png, report), **options)

        with_options = table_format(output_files(report_option(with_shown)))
        names = (*tables, *COUNTED)
        return table_option(names, "most of them", said="the first that the run has")(with_options)

    return added


def report_option(command: Any) -> Any:
    """Add --report."""
    return click.option("--report", is_flag=True, help="Also write a report: page, tables and pictures.")(command)


def show(run: "Run", shown: Shown) -> None:
    """Show a run, and write the report that is wanted.

    Raises
    ------
    BadInputError
        When it has nothing to show yet, or no such table.
    """
    if shown.report:  # before anything is printed: whoever reads it may have enough soon
        from reports.cli.report import Wanted, report_of

        shown.check(asked_of(run))
        report_of(run, Wanted(), err=True)
    _show(run, shown, interrupted=False)


def show_interrupted(run: "Run") -> None:
    """Show what there is of a run that was interrupted, if anything, on standard error."""
    _show(run, Shown(), interrupted=True)


def _show(run: "Run", shown: Shown, *, interrupted: bool) -> None:
    asked = asked_of(run)
    contest = contest_of(run, asked)
    lacks = contest.lacks()
    if lacks is not None and interrupted:
        return
    if lacks is not None:
        raise BadInputError(f"{run.folder}: {lacks}; woolsim resume {run.folder}")
    provenance = provenance_of(run, asked, contest)
    shown.check(asked)
    if shown.csv_file is not None or shown.png is not None or shown.style != "table":
        if shown.which in COUNTED:
            columns, rows = counted_tables(run, asked, contest)[shown.which]
        else:
            tables = {table.name: table for table in contest.tables()}
            table = tables[shown.which or next(iter(tables))]
            columns, rows = table.columns, table.rows()
        write_files(rows, columns, provenance, shown.csv_file, shown.png, contest.picture)
        if shown.style != "table":
            show_rows(rows, columns, shown.style)
    if shown.style == "table":
        with working("working out the tables"):
            readable = contest.readable()
        print_tables(readable, err=interrupted)
    print_provenance(provenance, err=interrupted or shown.style != "table")
    verdict = contest.verdict()
    if verdict is not None:
        note(verdict)
    to_go_on = "" if interrupted or contest.finished else f"; to go on: woolsim resume {run.folder}"
    note(f"kept in {run.folder}{to_go_on}")
