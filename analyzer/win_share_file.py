"""Reading a person's own results: a CSV file of win shares, one row for each strategy of a line-up."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from analyzer.csv_text import meant
from analyzer.errors import BadInputError
from analyzer.files import read_text
from analyzer.means import LineUpMeans
from analyzer.metagame import Field
from analyzer.stats import FloatArray, z_of

COLUMNS: Final = ("line_up", "strategy", "games", "win_share")
"""Columns a file must have; more may stand beside them."""

PLAYERS: Final = "players"
"""A column a file may have: how many play at the table; line-ups of each number of players are a field of their own."""

LOW, HIGH, ERROR = "win_share_low", "win_share_high", "win_share_se"
"""Columns a file may have: the ends of a 95 % interval, or the standard error."""

_ROUNDING: Final = 0.01


@dataclass(frozen=True)
class _Row:
    """One strategy of a line-up; `error` is the standard error of its win share."""

    line: int
    players: str
    line_up: str
    strategy: str
    games: int
    share: float
    error: float


class _FaultError(Exception):
    """What is wrong with a line, and what to do."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, eq=False)
class OwnResults:
    """Win shares of one number of players.

    Parameters
    ----------
    field : Field
        What they might have been, for the mixture.
    means : LineUpMeans
        The same with their errors, for tables and comparisons; a rotation block is a game of the file.
    """

    field: Field
    means: LineUpMeans


def read_results(path: Path) -> list[OwnResults]:
    """Return the fields of a CSV file of win shares, one for each number of players; all have the same strategies.

    Columns `line_up` (any label), `strategy`, `games` and `win_share`; every row of a line-up tells how often one of
    its players won, a strategy sitting several times having as many rows. `players` tells line-ups of several numbers
    of players apart. `win_share_low` and `win_share_high` (95 %), or `win_share_se`, tell the error; without them it is
    that of so many independent games.

    Raises
    ------
    BadInputError
        With file and line: when it cannot be read, a column or value is missing or wrong, the shares of a line-up do
        not add up to 1, line-ups are of different sizes, twice there or missing.

    Notes
    -----
    Resampled shares are normally distributed with the given errors. As the shares of a line-up add up to 1, the errors
    drawn have their mean taken away; they are drawn so large that those given are left (:func:`_before_mean`).
    """
    try:
        rows = _rows(read_text(path))
        by_players: dict[str, list[_Row]] = {}
        for row in rows:
            by_players.setdefault(row.players, []).append(row)
        parts = [_by_line_up(part) for part in by_players.values()]
    except _FaultError as fault:
        raise BadInputError(f"{path}:{fault.line}: {fault}") from None
    names = {name: at for at, name in enumerate(dict.fromkeys(row.strategy for row in rows))}
    try:
        return [_results(names, part) for part in parts]
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from None


def _results(names: dict[str, int], line_ups: list[list[_Row]]) -> OwnResults:
    seated = [sorted(players, key=lambda row: names[row.strategy]) for players in line_ups]
    indices = np.array([[names[row.strategy] for row in players] for players in seated], np.int64)
    shares = np.array([[row.share for row in players] for players in seated])
    shares /= shares.sum(axis=1, keepdims=True)
    errors = np.array([[row.error for row in players] for players in seated])
    k = shares.shape[1]
    less_mean, drawn = np.eye(k) - 1 / k, _before_mean(errors)

    def resampled(number: int, rng: np.random.Generator) -> FloatArray:
        return np.asarray(shares + (drawn * rng.standard_normal((number, *shares.shape))) @ less_mean)

    games = np.array([players[0].games for players in seated], np.int64)
    covariance = less_mean @ (drawn[:, :, None] ** 2 * np.eye(k)) @ less_mean
    return OwnResults(Field(list(names), indices, shares, resampled), LineUpMeans(indices, games, shares, covariance))


def _before_mean(errors: FloatArray) -> FloatArray:
    """Return errors that are those given once their mean is taken away, shape (line-ups, k).

    Of independent errors with variances d, less their mean, the i-th has the variance d_i (1 - 2 / k) + sum(d) / k^2.
    Two players have the same error, so that of different ones the mean counts. Where one error is so small beside the
    others that no independent ones leave it, all are rather too large.
    """
    given, k = errors**2, errors.shape[1]
    every = given.sum(axis=1, keepdims=True)
    if k == 2:
        drawn = np.broadcast_to(every, given.shape)
    else:
        drawn = np.maximum((given - every / (k * (k - 1))) / (1 - 2 / k), 0.0)
    errors_drawn: FloatArray = np.sqrt(drawn)
    return errors_drawn


def _rows(text: str) -> list[_Row]:
    """Return the rows below the header.

    Every line is read by itself, so that a quotation mark that is not closed spoils one line, not all that follow.
    """
    columns: list[str] = []
    rows = []
    for at, line in enumerate(io.StringIO(text, newline=None), 1):
        if not line.strip(" \t\n,;"):
            continue
        try:
            fields = [meant(field.strip()) for field in next(csv.reader([line.rstrip("\n")], strict=True))]
        except csv.Error as error:
            raise _FaultError(at, f"is not CSV: {error}; quotation marks come in pairs around a field") from None
        if not columns:
            columns = _header(at, fields)
        elif len(fields) != len(columns):
            raise _FaultError(at, f"{len(columns)} fields are needed ({','.join(columns)}), found {len(fields)}")
        else:
            rows.append(_row(at, dict(zip(columns, fields, strict=True))))
    if not rows:
        raise _FaultError(1, f"there are no results; the first line must be {','.join(COLUMNS)}, the others rows of it")
    return rows


def _header(at: int, columns: list[str]) -> list[str]:
    """Return the names of the columns if all that are needed are there, once."""
    twice = [name for name, times in Counter(columns).items() if times > 1]
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise _FaultError(
            at, f"missing: {', '.join(missing)}; name the columns {','.join(COLUMNS)} there, with commas between them"
        )
    if twice:
        raise _FaultError(at, f"the column {twice[0]!a} is there twice; leave one out")
    if (LOW in columns) != (HIGH in columns):
        raise _FaultError(at, f"{LOW} and {HIGH} go together; add the other one or use {ERROR}")
    return columns


def _row(at: int, texts: dict[str, str]) -> _Row:
    """Return a row if its values make sense."""
    for column in ("line_up", "strategy"):
        if not texts[column]:
            raise _FaultError(at, f"{column} is empty; every row names its line-up and its strategy")
    if not re.fullmatch("0*[1-9][0-9]{0,14}", texts["games"]):
        raise _FaultError(at, f"games is {texts['games']!a}; it must be a whole number from 1 on")
    games, share = int(texts["games"]), _number(at, texts, "win_share", 0, 1)
    if ERROR in texts:
        error = _number(at, texts, ERROR, 0, 1)
    elif LOW in texts:
        error = (_number(at, texts, HIGH, share, 1) - _number(at, texts, LOW, 0, share)) / (2 * z_of(0.95))
    else:
        # Half a win and half a loss more: no wins in few games are no certainty.
        chance = (share * games + 0.5) / (games + 1)
        error = (chance * (1 - chance) / games) ** 0.5
    return _Row(at, texts.get(PLAYERS, ""), texts["line_up"], texts["strategy"], games, share, error)


def _number(at: int, texts: dict[str, str], column: str, lowest: float, highest: float) -> float:
    """Return the number in a column."""
    try:
        number = float(texts[column])
    except ValueError:
        number = np.nan
    if not lowest <= number <= highest:
        raise _FaultError(at, f"{column} is {texts[column]!a}; it must be a number from {lowest:g} to {highest:g}")
    return number


def _by_line_up(rows: Iterable[_Row]) -> list[list[_Row]]:
    """Return the rows of each line-up if they fit together."""
    labelled: dict[str, list[_Row]] = {}
    for row in rows:
        labelled.setdefault(row.line_up, []).append(row)
    line_ups = list(labelled.values())
    known: dict[tuple[str, ...], _Row] = {}
    for players in line_ups:
        first, last, total = players[0], players[-1], sum(row.share for row in players)
        if len(players) < 2 or len(players) != len(line_ups[0]):
            raise _FaultError(
                last.line,
                f"line-up {first.line_up!a} has {len(players)} row{'' if len(players) == 1 else 's'}, "
                f"{line_ups[0][0].line_up!a} {len(line_ups[0])}; all need as many as there are players, at least 2",
            )
        for row in players:
            if row.games != first.games:
                raise _FaultError(row.line, f"games is {row.games}, in line {first.line} of the line-up {first.games}")
        if abs(total - 1) > _ROUNDING:
            raise _FaultError(
                last.line, f"the win shares of line-up {first.line_up!a} add up to {total:g}; they must add up to 1"
            )
        same = known.setdefault(tuple(sorted(row.strategy for row in players)), first)
        if same is not first:
            raise _FaultError(
                first.line, f"the same strategies as in line {same.line}; put their games into one line-up"
            )
    return line_ups
