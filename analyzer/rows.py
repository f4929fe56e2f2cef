"""Rows of tables: name of a column -> value."""

from analyzer.stats import Estimate

Row = dict[str, str | int | float | None]


def with_interval(*names: str) -> tuple[str, ...]:
    """Return the names of the columns of figures and their intervals (:func:`columns`)."""
    return tuple(name + suffix for name in names for suffix in ("", "_low", "_high"))


def columns(name: str, estimate: Estimate | None) -> Row:
    """Return the three columns of a figure and its interval: name, name_low, name_high; None where there is none."""
    if estimate is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
