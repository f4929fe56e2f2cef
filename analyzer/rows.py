"""Rows of tables: name of a column -> value."""

from collections.abc import Mapping, Sequence

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


def in_order(rows: Sequence[Row], place: Mapping[str, int]) -> list[Row]:
    """Return rows by the place of their strategy, then of their opponent, for each setting and number of players.

    Those whose strategy has no place come last; of equal ones the first stays the first.
    """
    groups = {group: at for at, group in enumerate(dict.fromkeys(map(_group, rows)))}

    def key(row: Row) -> tuple[int, ...]:
        who = (place.get(str(row.get(name)), len(place)) for name in ("strategy", "opponent"))
        return (groups[_group(row)], *who)

    return sorted(rows, key=key)


def _group(row: Row) -> tuple[object, object]:
    return row.get("setting"), row.get("players")
