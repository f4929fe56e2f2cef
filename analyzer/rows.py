"""Rows of tables: name of a column -> value."""

from analyzer.stats import Estimate

Row = dict[str, str | int | float | None]


def columns(name: str, estimate: Estimate | None) -> Row:
    """Return the three columns of a figure and its interval: name, name_low, name_high; None where there is none."""
    if estimate is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
