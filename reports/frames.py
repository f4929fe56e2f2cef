"""Tables as pandas frames with typed columns, for notebooks and plots."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from analyzer.wool_rules.summary import Summary

TEXT_COLUMNS = ("bid", "hold")
WHOLE_COLUMNS = ("target", "modifier", "chips", "sim_n")

SUMMARY_TEXTS = ("strategy", "bid", "deck")
SUMMARY_COUNTS = (
    *("seat", "games", "seatings", "rounds", "actions"),
    *("modifier", "place", "score", "players", "winners"),
)
"""Columns of the tables of a simulation that are no estimates."""

_Rows = Sequence[Mapping[str, object]]


def table_frame(rows: _Rows, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a bid table as a frame.

    Parameters
    ----------
    rows : sequence of dict
        Keys are the columns; None is missing.
    columns : sequence of str
        Order of the columns.

    Returns
    -------
    DataFrame
        Texts are strings, counts are whole numbers, everything else is float64 with NaN for missing.
    """
    return _typed(rows, columns, TEXT_COLUMNS, WHOLE_COLUMNS)


def summary_frame(rows: _Rows, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a table of a simulation as a frame, typed as by :func:`table_frame`."""
    return _typed(rows, columns, SUMMARY_TEXTS, SUMMARY_COUNTS)


def summary_frames(summary: "Summary") -> dict[str, pd.DataFrame]:
    """Return all tables of a simulation by name."""
    return {name: summary_frame(rows, columns) for name, (columns, rows) in summary.tables().items()}


def _typed(rows: _Rows, columns: Sequence[str], texts: Collection[str], counts: Collection[str]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=list(columns))
    for name in frame.columns:
        if name in texts:
            frame[name] = frame[name].astype("string")
        elif name in counts:
            frame[name] = frame[name].astype("Int64")
        else:
            frame[name] = frame[name].astype("float64")
    return frame
