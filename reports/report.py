"""A report: what was asked, what came out, in sections with charts and tables, and how to make every figure again.

It is data. Pages, files and pictures are made of it elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.rows import Row
from reports.export import Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Chart:
    """A chart.

    Parameters
    ----------
    name : str
        Of its file, without a suffix.
    title : str
    alt : str
        What it shows, for who cannot see it: in words, with the table that has its figures.
    draw : callable () -> Figure
    """

    name: str
    title: str
    alt: str
    draw: "Callable[[], Figure]"


@dataclass(frozen=True)
class ReportTable:
    """A table, all of it in a file and what people read of it on the page.

    Parameters
    ----------
    name : str
        As `--table` names it, and its file.
    title : str
    columns : tuple of str
        All columns.
    rows : list of rows
    shown : tuple of str
        Columns on the page; of `X+`, the ends of its interval too. None at all: only the file has it.
    note : str
        What is to be known about it.
    place : mapping of str to int
        In which order the page shows strategies; those that have none stay as they are.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[Row]
    shown: tuple[str, ...] = ()
    note: str = ""
    place: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """One game, told.

    Parameters
    ----------
    title : str
        Why it stands out.
    command : str
        That tells it on a terminal; empty where none can.
    text : str
        Lines; empty where it cannot be told.
    missing : str
        Then the reason.
    """

    title: str
    command: str
    text: str
    missing: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Parameters
    ----------
    name : str
        For links.
    title : str
    words : sequence of str
        Paragraphs before charts and tables.
    charts, tables, stories : sequences
    points : sequence of str
        A list behind them.
    """

    name: str
    title: str
    words: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[ReportTable] = ()
    stories: Sequence[Story] = ()
    points: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """A report.

    Parameters
    ----------
    title : str
    question : str
        In words.
    heading : str
        What was played.
    answers : sequence of str
        The most important figures in a sentence each.
    unfinished : str
        What is missing yet, or empty.
    sections : sequence of Section
    provenance : Provenance
        What reproduces the figures.
    kind : str
        As the descriptions of columns call the command that made the figures.
    about : mapping
        What else the manifest says of what was played.
    """

    title: str
    question: str
    heading: str
    answers: Sequence[str]
    unfinished: str
    sections: Sequence[Section]
    provenance: Provenance
    kind: str
    about: dict[str, object] = field(default_factory=dict)

    @property
    def charts(self) -> list[Chart]:
        """All charts."""
        return [chart for section in self.sections for chart in section.charts]

    @property
    def tables(self) -> list[ReportTable]:
        """All tables."""
        return [table for section in self.sections for table in section.tables]
