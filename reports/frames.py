"""Tables as pandas frames with typed columns, for notebooks and plots."""

from collections.abc import Sequence

import pandas as pd

from analyzer.wool_rules.bid_table import Row

TEXT_COLUMNS = ("bid", "hold")
WHOLE_COLUMNS = ("target", "modifier", "chips", "sim_n")


def table_frame(rows: Sequence[Row], columns: Sequence[str]) -> pd.DataFrame:
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
    frame = pd.DataFrame(list(rows), columns=list(columns))
    for name in frame.columns:
        if name in TEXT_COLUMNS:
            frame[name] = frame[name].astype("string")
        elif name in WHOLE_COLUMNS:
            frame[name] = frame[name].astype("Int64")
        else:
            frame[name] = frame[name].astype("float64")
    return frame
