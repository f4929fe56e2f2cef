"""Tables as pandas frames with typed columns, for notebooks and plots."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from analyzer.rows import with_interval
from reports.columns import Kind, describe

if TYPE_CHECKING:
    from analyzer.wool_rules.summary import Summary

DTYPES: Final[Mapping[Kind, str]] = {
    "text": "string",
    "whole number": "Int64",
    "number": "float64",
    "truth": "boolean",
}
"""How pandas keeps each kind of column; all of them can be missing."""


Rows = Sequence[Mapping[str, object]]


def frame(table: str, rows: Rows, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a table as a frame.

    Parameters
    ----------
    table : str
        Its name, as :func:`reports.columns.describe` takes it.
    rows : sequence of dict
        Keys are the columns; None is missing.
    columns : sequence of str
        Order of the columns.

    Returns
    -------
    DataFrame
        Texts are string, whole numbers Int64, other numbers float64 and truths boolean; what each column means and its
        unit says :func:`reports.columns.describe`. Missing is NA, NaN in float64.
    """
    typed = {name: DTYPES[describe(table, name).kind] for name in columns}
    return pd.DataFrame(list(rows), columns=list(columns)).astype(typed)


def summary_frames(summary: "Summary") -> dict[str, pd.DataFrame]:
    """Return all tables of a simulation by name."""
    return {name: frame(f"simulate/{name}", rows, columns) for name, (columns, rows) in summary.tables().items()}


def labelled_frames(summary: "Summary") -> dict[str, pd.DataFrame]:
    """Return all tables of a simulation, strategies as they were given, and the mean scores beside the histogram."""
    labels, frames = dict(enumerate(summary.labels)), summary_frames(summary)
    for made in frames.values():
        if "strategy" in made:
            made["strategy"] = made["seat"].map(labels).astype("string")
    means = pd.DataFrame(frames["seats"][["seat", *with_interval("mean_score")]])
    return frames | {"histogram": frames["histogram"].merge(means, on="seat")}
