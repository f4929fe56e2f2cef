"""Tables of a report as its page shows them: headers, and each cell as people read it and as it is."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from analyzer.rows import Row, in_order
from reports.columns import SHARE, describe
from reports.report import ReportTable
from reports.words import in_percent, listed, number, p_words

MOST_ROWS: Final = 600
"""Rows of a table on a page; all are in its file."""

_OWN_WORDS: Final = {
    ("pairs", "win_share"): "wins more",
    ("pairs", "score"): "scores more",
    ("cycles", "win_share"): "wins more",
    ("rotation", "win_share"): "of win shares",
    ("rotation", "score"): "of scores",
}
"""Headers of columns that mean something else in one table than elsewhere."""

_WORDS: Final = {
    "p_holm": "p (Holm)",
    "sd_score": "standard deviation",
    "score_q05": "5 %",
    "score_q25": "25 %",
    "score_median": "median",
    "score_q75": "75 %",
    "score_q95": "95 %",
    "p_three": "1st attempt",
    "p_two": "2nd attempt",
    "p_one": "3rd attempt",
    "win_share_ahead": "ahead",
    "win_share_then": "then",
    "win_share_change": "change",
    "score_then": "score then",
    "score_change": "change of score",
    "score_p": "p of score",
    "win_share_p": "p of win share",
    "lowest_win_share": "lowest",
    "highest_win_share": "highest",
    "same_place": "same place",
    "payoff": "wins against it",
    "won": "link",
    "three_seven_zero": "3-7-0",
    "zero_zero_seven": "0-0-7",
    "n_white": "white cards",
    "n_black": "black cards",
    "n_370": "3-7-0 cards",
    "n_007": "0-0-7 cards",
    "n_dogs": "dog cards",
    "has_bone": "bone card",
}
"""Headers that say more than the name of a column."""

_ENDS: Final = (("_low", "from", "lower"), ("_high", "to", "upper"))


@dataclass(frozen=True)
class Header:
    """A column on the page.

    Parameters
    ----------
    name : str
        Of the column.
    text : str
    title : str
        What it means, in a sentence.
    is_text, is_share : bool
    """

    name: str
    text: str
    title: str
    is_text: bool
    is_share: bool


@dataclass(frozen=True)
class Cell:
    """A cell: what is read, and what it sorts by and is downloaded as."""

    text: str
    value: str


@dataclass(frozen=True)
class PageTable:
    """A table on a page.

    Parameters
    ----------
    name, title, note : str
    file : str
        What it is called when it is downloaded, without a suffix: the page has some columns of the table only.
    headers : list of Header
    body : list of list of Cell
    left_out : int
        Rows that only the file has.
    """

    name: str
    title: str
    note: str
    file: str
    headers: list[Header]
    body: list[list[Cell]]
    left_out: int


def page_table(table: ReportTable, kind: str) -> PageTable:
    """Return a table as the page shows it.

    Parameters
    ----------
    table : ReportTable
    kind : str
        Of the run, as the descriptions of columns call it.
    """
    said = table.title.replace(",", "").split()
    columns = [column for name in table.shown for column in _columns(name, f"{kind}/{table.name}", said)]
    rows = (table.rows if "cycle" in table.columns else in_order(table.rows, table.place))[:MOST_ROWS]
    body = [[Cell(write(row[header.name]), _plain(row[header.name])) for header, write in columns] for row in rows]
    headers = [header for header, _ in columns]
    note = " ".join(filter(None, [table.note, _not_shown(table, headers)]))
    file = "-".join(re.findall("[a-z]+", table.title.lower()))
    return PageTable(table.name, table.title, note, file, headers, body, len(table.rows) - len(rows))


def _not_shown(table: ReportTable, headers: Sequence[Header]) -> str:
    """Say how far the intervals reach at most that the page does not show."""
    shown = {header.name for header in headers}
    hidden = [each for each in headers if f"{each.name}_low" in {*table.columns} - shown]
    widest = []
    for is_share, factor, sign in ((False, 1, ""), (True, 100, "%")):
        some = [each for each in hidden if each.is_share == is_share]
        reaches = [reach for header in some if (reach := _widest(table.rows, header.name)) is not None]
        if reaches:
            which = listed(header.text.partition(",")[0] for header in some)
            widest.append(f"95 % intervals of {which}: ±{max(reaches) * factor:.2g}{sign} or less")
    return f"{'; '.join(widest)}; all are in csv/{table.name}.csv." if widest else ""


def _widest(rows: Sequence[Row], name: str) -> float | None:
    """Return how far the widest interval of a column reaches to the farther side."""
    reaches = [
        max(high - value, value - low)
        for row in rows
        if isinstance(value := row[name], float)
        and isinstance(low := row[f"{name}_low"], float)
        and isinstance(high := row[f"{name}_high"], float)
    ]
    return max(reaches, default=None)


Write = Callable[[object], str]


def _columns(name: str, table: str, said: Collection[str]) -> list[tuple[Header, Write]]:
    """Return a column, and the ends of its interval if it is marked with +; a unit that was said is not repeated."""
    plain = name.removesuffix("+")
    column = describe(table, plain)
    write, unit = _writer(plain, column.unit, column.kind)
    text = _WORDS.get(plain, plain.removeprefix("p_").replace("_", " "))
    text = _OWN_WORDS.get((table.rpartition("/")[2], plain), column.unit if plain == "games" else text)
    words = f"{text}, {unit}" if unit and unit not in {*said, text} else text
    is_share = column.unit == SHARE
    found = [(Header(plain, words, column.meaning, column.kind == "text", is_share), write)]
    if name != plain:
        for suffix, end, which in _ENDS:
            meaning = f"{which} end of the 95 % interval of {text}"
            found.append((Header(plain + suffix, end, meaning, is_text=False, is_share=is_share), write))
    return found


def _writer(name: str, unit: str, kind: str) -> tuple[Write, str]:
    """Return what writes the figures of a column, and the unit for its header."""
    if kind == "text":
        return lambda value: "-" if value is None else str(value), ""
    if kind == "whole number":
        return lambda value: "-" if value is None else f"{value:,}", ""
    if name in {"p", "p_holm"} or name.endswith("_p"):
        return p_words, ""
    if unit in {SHARE, "probability"}:
        return in_percent, "%"
    digits = 0 if unit == "rating points" else 2
    return lambda value: number(value, digits), unit if unit in {"points"} else ""


def _plain(value: object) -> str:
    """Return a value as it is, for programs."""
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
